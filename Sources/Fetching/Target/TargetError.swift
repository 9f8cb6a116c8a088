package import Pinning

/// Why a text names no target.
package enum TargetError: Error, Equatable, Sendable {
    case empty
    /// A port, or a scheme, and no host.
    case noHost
    case scheme(String)
    /// A scheme where only a host is taken.
    case url
    /// Something after a slash, without a scheme before it all.
    case path(String)
    case userInfo
    case openBracket
    /// Something else in brackets than an IPv6 address.
    case inBrackets(String)
    /// Several colons without brackets, and no IPv6 address.
    case notIPv6(String)
    case zone(String)
    case afterBracket(String)
    case port(String)
    case name(String, DomainNameError)

    /// What is wrong, to be read after "cannot read the target "…": ".
    package var reason: String {
        switch self {
        case .empty: "it is empty"
        case .noHost: "there is no host in it"
        case .scheme(let scheme): "\(Self.quoted(scheme + "://")) is not https"
        case .url: "a scheme has no place in it"
        case .path(let path): "there is a path in it, \(Self.quoted(path))"
        case .userInfo: "there is a user name in it"
        case .openBracket: "the bracket is not closed"
        case .inBrackets(let text), .notIPv6(let text): "\(Self.quoted(text)) is not an IPv6 address"
        case .zone(let text): "\(Self.quoted(text)) is not the name of a network interface"
        case .afterBracket(let text): "after the bracket stands \(Self.quoted(text)) and not a colon with a port"
        case .port(""): "there is no port after the colon"
        case .port(let text): "\(Self.quoted(text)) is not a port from 1 to 65535"
        case .name(let name, let error): "\(Self.quoted(name)) \(error.reason)"
        }
    }

    package var hint: String? {
        switch self {
        case .path: "give HOST[:PORT], or the whole https:// address"
        case .url: "give HOST[:PORT]"
        case .inBrackets: "brackets are for IPv6 addresses: [2001:db8::1]:443"
        case .notIPv6: "an IPv6 address with a port is written [2001:db8::1]:443"
        case .scheme("http"): "plain HTTP has no certificate: give HOST:443, or the https:// address"
        case .userInfo: "leave out what stands before the @"
        case .name(_, let error): error.hint
        case .empty, .noHost, .scheme, .openBracket, .zone, .afterBracket, .port: nil
        }
    }

    /// In quotes, cut where it is too long to be read.
    private static func quoted(_ text: String) -> String {
        text.unicodeScalars.count > 80 ? "\"\(String(text.unicodeScalars.prefix(80)))…\"" : "\"\(text)\""
    }
}
