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
    /// A line of a list with more bytes than that.
    case tooLong(limit: Int)
    /// The rest of a list, from a line on.
    case unreadable(SystemError)
    /// Nothing after the `=` that a server name follows.
    case noServerName
    /// What stands after the slash of a range of addresses.
    case prefix(String, longest: Int)
    /// An address that is not the first of its range, and what the range is.
    case insideRange(String)

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
        case .tooLong(let limit): "it has more than \(limit) bytes"
        case .unreadable(let error): error.text
        case .noServerName: "there is no name after the ="
        case .prefix(let text, let longest): "\(Self.quoted(text)) is not a prefix length from 0 to \(longest)"
        case .insideRange: "the range does not begin with that address"
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
        case .noServerName: "the name to ask the server for is written 192.0.2.7:443=api.example.com"
        case .insideRange(let range): "the range that holds it is \(range)"
        case .prefix, .tooLong, .unreadable, .empty, .noHost, .scheme, .openBracket, .zone, .afterBracket, .port: nil
        }
    }

    /// In quotes, cut where it is too long to be read.
    private static func quoted(_ text: String) -> String {
        text.unicodeScalars.count > 80 ? "\"\(String(text.unicodeScalars.prefix(80)))…\"" : "\"\(text)\""
    }
}
