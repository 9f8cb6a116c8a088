internal import Encodings
public import Pinning

/// The server, or the part of a server, that requires authentication (RFC 9110, section 11.5).
public struct ProtectionSpace: Sendable {
    /// The protocol of the server.
    public enum ServerProtocol: String, CaseIterable, Hashable, Sendable {
        case http, https, ftp
    }

    /// The protocol of a proxy.
    public enum ProxyType: String, CaseIterable, Hashable, Sendable {
        case http, https, ftp, socks
    }

    /// The host name or IP address in lower case, without brackets.
    public let host: String
    public let port: UInt16
    /// The protocol of the server; for a proxy, that of the server behind it.
    public let `protocol`: ServerProtocol
    /// The protocol of the proxy; nil if a server requires the authentication.
    public let proxyType: ProxyType?
    /// The name of the part of the server; nil if the method has none.
    public let realm: String?
    public let authenticationMethod: AuthenticationMethod
    /// The names of the CAs from which the server accepts client certificates, in DER; empty if it accepts any. Nil unless the
    /// method is ``AuthenticationMethod/clientCertificate``.
    public let distinguishedNames: [[UInt8]]?
    /// The certificates of the server. Nil unless the method is ``AuthenticationMethod/serverTrust``.
    public let serverTrust: ServerTrust?
    /// Whether TLS protects the connection to the server or the proxy.
    public let isEncrypted: Bool

    /// - Parameters:
    ///   - isEncrypted: whether TLS protects the connection; nil to derive it from the protocol.
    public init(
        host: String, port: UInt16, protocol: ServerProtocol, proxyType: ProxyType? = nil, realm: String? = nil,
        authenticationMethod: AuthenticationMethod, distinguishedNames: [[UInt8]]? = nil,
        serverTrust: ServerTrust? = nil, isEncrypted: Bool? = nil
    ) {
        self.host = host.lowercased()
        (self.port, self.protocol, self.proxyType, self.realm) = (port, `protocol`, proxyType, realm)
        self.authenticationMethod = authenticationMethod
        self.distinguishedNames = authenticationMethod == .clientCertificate ? distinguishedNames ?? [] : nil
        self.serverTrust = authenticationMethod == .serverTrust ? serverTrust : nil
        self.isEncrypted = isEncrypted ?? (proxyType.map { $0 == .https } ?? (`protocol` == .https))
    }

    /// Whether a proxy requires the authentication.
    public var isProxy: Bool { proxyType != nil }

    /// Whether an observer of the network cannot read the credential: TLS protects the connection, or the method sends no
    /// password.
    public var receivesCredentialSecurely: Bool {
        switch authenticationMethod {
        case .httpBasic, .default, .htmlForm: isEncrypted
        case .serverTrust, .clientCertificate, .negotiate, .ntlm, .httpDigest: true
        }
    }

    /// The place where credentials of this space are stored: everything but the method, so that a password is found for Basic and
    /// for Digest.
    var location: CredentialLocation {
        CredentialLocation(host: host, port: port, protocol: `protocol`, proxyType: proxyType, realm: realm)
    }
}

/// Two spaces are equal if they have the same location and method. Certificates and CA names do not count, because a server can renew
/// them.
extension ProtectionSpace: Hashable {
    public static func == (left: ProtectionSpace, right: ProtectionSpace) -> Bool {
        left.location == right.location && left.authenticationMethod == right.authenticationMethod
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(location)
        hasher.combine(authenticationMethod)
    }
}

extension ProtectionSpace: CustomStringConvertible {
    /// For messages, such as `HTTP Digest, realm "staff", of https://www.example.com:443`.
    public var description: String {
        let authority = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        let scheme = proxyType.map(\.rawValue) ?? `protocol`.rawValue
        let realm = realm.map { ", realm \($0.quotedExcerpt)," } ?? ""
        return "\(authenticationMethod.name)\(realm) of \(isProxy ? "the proxy " : "")\(scheme)://\(authority)"
    }
}

/// What identifies the credentials of a protection space in a ``CredentialStorage``.
struct CredentialLocation: Hashable, Sendable {
    let host: String
    let port: UInt16
    let `protocol`: ProtectionSpace.ServerProtocol
    let proxyType: ProtectionSpace.ProxyType?
    let realm: String?
}
