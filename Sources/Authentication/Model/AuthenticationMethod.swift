/// The method by which a server, a proxy or a client proves its identity.
///
/// The raw values are part of the JSON interface of `pinctl challenge`.
public enum AuthenticationMethod: String, CaseIterable, Hashable, Sendable {
    /// The client validates the certificate chain of a TLS server.
    case serverTrust = "server-trust"
    /// A TLS server requests a certificate of the client (RFC 8446, section 4.3.2).
    case clientCertificate = "client-certificate"
    /// Negotiate (RFC 4559), which selects Kerberos or NTLM. It is not supported.
    case negotiate
    /// NTLM of Microsoft (MS-NTHT). It is not supported.
    case ntlm
    /// The login of a protocol that has only one, such as USER and PASS of FTP (RFC 959, section 4.1.1).
    case `default`
    /// The Basic scheme of HTTP (RFC 7617).
    case httpBasic = "http-basic"
    /// The Digest scheme of HTTP (RFC 7616).
    case httpDigest = "http-digest"
    /// A form in an HTML page. No specification describes how a program fills it in, so it is reported and never answered.
    case htmlForm = "html-form"

    /// Whether an answer holds for all tasks of a session: it concerns the connection to a server. Otherwise it concerns one
    /// resource.
    public var isSessionWide: Bool {
        switch self {
        case .serverTrust, .clientCertificate, .negotiate, .ntlm: true
        case .default, .httpBasic, .httpDigest, .htmlForm: false
        }
    }

    /// The name in messages, such as "HTTP Digest".
    public var name: String {
        switch self {
        case .serverTrust: "server trust"
        case .clientCertificate: "client certificate"
        case .negotiate: "Negotiate"
        case .ntlm: "NTLM"
        case .default: "login"
        case .httpBasic: "HTTP Basic"
        case .httpDigest: "HTTP Digest"
        case .htmlForm: "HTML form"
        }
    }
}
