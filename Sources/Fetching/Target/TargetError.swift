package import Pinning

/// Why a text names no target.
package enum TargetError: Error, Equatable, Sendable {
    case empty
    /// A port, and no host before it.
    case noHost
    case scheme(String)
    /// Something after a slash, without a scheme before it all.
    case path(String)
    case userInfo
    case openBracket
    case notIPv6(String)
    case afterBracket(String)
    case port(String)
    case name(String, DomainNameError)

    /// What is wrong, to be read after "cannot read the target "…": ".
    package var reason: String {
        switch self {
        case .empty: "it is empty"
        case .noHost: "there is no host before the port"
        case .scheme(let scheme): "\"\(scheme)://\" is not https"
        case .path(let path): "there is a path in it, \"\(path)\""
        case .userInfo: "there is a user name in it"
        case .openBracket: "the bracket is not closed"
        case .notIPv6(let text): "\"\(text)\" is not an IPv6 address"
        case .afterBracket(let text): "after the bracket stands \"\(text)\" and not a colon with a port"
        case .port(let text): "\"\(text)\" is not a port from 1 to 65535"
        case .name(let name, let error): "\"\(name)\" \(error.reason)"
        }
    }

    package var hint: String? {
        switch self {
        case .path: "give HOST[:PORT], or the whole https:// address"
        case .notIPv6: "an IPv6 address with a port is written [2001:db8::1]:443"
        case .scheme("http"): "plain HTTP has no certificate: give HOST:443, or the https:// address"
        case .userInfo: "leave out what stands before the @"
        default: nil
        }
    }
}
