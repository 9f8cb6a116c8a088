internal import Encodings

/// The reason why a text is not the URL of a proxy. It contains no part of the URL that may be a password.
package enum ProxyURLError: Error, Equatable, Sendable {
    /// The scheme is unknown.
    case scheme(String)
    /// The host or the port is not valid.
    case host(TargetError)
    /// The `@` after the user and the password is percent-encoded, or part of the scheme.
    case encodedAtSign
    /// There is a path, a query or a fragment.
    case path
    /// A percent sign is not followed by two hexadecimal digits, or the text is not UTF-8.
    case userInfo
    /// There is a password without a user, or an empty user.
    case noUser
    /// The protocol has no password (SOCKS 4).
    case password(Proxy.Kind)
    /// The user or the password is too long for the protocol.
    case tooLong(Proxy.Kind, limit: Int)
    /// The user or the password contains a NUL, which ends the user name of SOCKS 4.
    case controlCharacter
    /// The text contains a private key.
    case privateKey

    /// The reason, to follow the name of the option or variable.
    package var reason: String {
        switch self {
        case .scheme(let scheme):
            "the scheme \(scheme.quotedExcerpt) is not that of a proxy: expected one of "
                + Proxy.Kind.allCases.map(\.rawValue).joined(conjunction: "or")
        // Without the @, a user and a password look like a host and a port.
        case .host(.port(let text)) where !text.isEmpty: "the text after the colon is not a port from 1 to 65535"
        case .host(.notIPv6): "the host is not an IPv6 address"
        case .host(.inBrackets): "the text in brackets is not an IPv6 address"
        case .host(.afterBracket): "the bracket is not followed by a colon and a port"
        case .host(.zone): "the text after the percent sign is not the name of a network interface"
        case .host(let error): error.reason
        case .encodedAtSign: "the host is not valid, and may contain a user and a password"
        case .path: "the URL of a proxy has no path"
        case .userInfo: "the user or the password is not percent-encoded UTF-8"
        case .noUser: "there is a password without a user"
        case .password(let kind): "\(kind.name) has no passwords"
        case .tooLong(let kind, let limit): "\(kind.name) allows at most \(limit) bytes for a user and for a password"
        case .controlCharacter: "the user contains a NUL character"
        case .privateKey: "the value contains a private key, and is not the URL of a proxy"
        }
    }

    /// The reason, without a part of `text` if this has a parameter for a password (``TargetError/reason(about:)``).
    package func reason(about text: String) -> String {
        if case .host(let error) = self, text.withoutPasswordParameters != text { return error.reasonWithoutText }
        return reason
    }

    package var hint: String? {
        switch self {
        case .scheme("socks"): "use socks4, socks4a, socks5 or socks5h"
        case .host(let error): error.hint
        case .encodedAtSign: "write the colon after the user and the @ before the host without percent-encoding"
        case .userInfo: "write % as %25, @ as %40, : as %3A and / as %2F"
        default: nil
        }
    }
}
