package import Authentication
internal import Encodings

/// The reason why a proxy makes no connection.
package enum ProxyFailure: Error, Equatable, Sendable {
    /// The status of an HTTP response, and its reason phrase.
    case refused(status: Int, reason: String)
    /// The proxy requires credentials, and there are none; the names of the offered schemes.
    case credentialsRequired(schemes: [String])
    /// The proxy refused the credential; the name of the scheme.
    case credentialRefused(scheme: String)
    /// None of the offered schemes is supported; their names.
    case noUsableScheme([String])
    /// The header field `Proxy-Authenticate` is absent or not valid.
    case invalidChallenge
    /// The scheme cannot transport the user or the password; the name of the scheme.
    case credentialNotTransportable(scheme: String)
    /// The framing of a response is not valid (RFC 9112, section 6).
    case invalidFraming
    /// The proxy accepts the credential on a new connection only.
    case needsNewConnection(HTTPScheme)
    /// The reply code of SOCKS 4.
    case socks4(UInt8)
    /// The reply code of SOCKS 5 (RFC 1928, section 6).
    case socks5(UInt8)
    /// The proxy accepts none of the offered methods of authentication (RFC 1928, section 3).
    case noAcceptableMethod(offersPassword: Bool)
    /// SOCKS 4 supports only IPv4.
    case needsIPv4
    /// The certificate chain of an HTTPS proxy is not trusted; the reason.
    case untrusted(String)
    /// The certificate chain of an HTTPS proxy matches no pin.
    case pinMismatch

    /// The reason, to follow the name of the proxy.
    package var message: String {
        switch self {
        case .refused(let status, let reason):
            "it refused to connect: HTTP status \(status)" + (reason.isEmpty ? "" : " \(reason.bounded.quoted)")
        case .credentialsRequired(let schemes):
            "it requires a user and a password\(Self.list(schemes))"
        case .credentialRefused(let scheme): "it refused the user or the password (\(scheme))"
        case .noUsableScheme(let schemes):
            "it offers no supported authentication scheme\(Self.list(schemes)): pinctl supports Digest and Basic"
        case .invalidChallenge: "it requires authentication, but its Proxy-Authenticate header is absent or not valid"
        case .credentialNotTransportable("SOCKS5"):
            "SOCKS5 cannot transport this user and password: each has at most 255 bytes"
        case .credentialNotTransportable(let scheme):
            "\(scheme) cannot transport this user and password: a user has no colon, and neither has control characters"
        case .invalidFraming: "it sent an HTTP response whose framing is not valid"
        case .needsNewConnection: "it closed the connection during the authentication"
        case .socks4(let code): Self.meaning(ofSOCKS4: code)
        case .socks5(let code): Self.meaning(ofSOCKS5: code)
        case .noAcceptableMethod(offersPassword: false): "it requires a user and a password"
        case .noAcceptableMethod(offersPassword: true): "it accepts neither a password nor access without one"
        case .needsIPv4: "SOCKS4 needs an IPv4 address, and the target has none"
        case .untrusted(let reason): "its certificate chain is not trusted: \(reason)"
        case .pinMismatch: "its certificate chain matches no pin of the proxy"
        }
    }

    private static func list(_ schemes: [String]) -> String {
        schemes.isEmpty ? "" : " (\(schemes.prefix(5).map(\.bounded.escaped).joined(separator: ", ")))"
    }

    /// The reply codes of "SOCKS: A protocol for TCP proxy across firewalls" (Ying-Da Lee), the definition of SOCKS 4.
    private static func meaning(ofSOCKS4 code: UInt8) -> String {
        switch code {
        case 91: "it rejected the request, or could not connect to the target (code 91)"
        case 92: "it rejected the request: it cannot ask identd on this machine for the user (code 92)"
        case 93: "it rejected the request: identd on this machine reports another user (code 93)"
        default: "it answered with the unknown code \(code)"
        }
    }

    private static func meaning(ofSOCKS5 code: UInt8) -> String {
        switch code {
        case 1: "it had a general failure (code 1)"
        case 2: "its rules do not allow this connection (code 2)"
        case 3: "the network of the target is unreachable from it (code 3)"
        case 4: "the target is unreachable from it, or it cannot resolve the name (code 4)"
        case 5: "the target refused its connection (code 5)"
        case 6: "its connection to the target timed out: the TTL expired (code 6)"
        case 7: "it does not support the command CONNECT (code 7)"
        case 8: "it does not support this type of address (code 8)"
        default: "it answered with the unknown code \(code)"
        }
    }
}
