internal import Encodings
package import KeyFiles
package import Pinning
package import PlaintextProtocols

/// The reason why a text is not a target.
package enum TargetError: Error, Equatable, Sendable {
    case empty
    /// There is a port or a scheme, but no host.
    case noHost
    /// The scheme is not supported.
    case scheme(String)
    /// There is a scheme, but only HOST[:PORT] is allowed.
    case url
    /// There is a path, but no scheme.
    case path(String)
    case userInfo
    case unclosedBracket
    /// The text in brackets is not an IPv6 address.
    case inBrackets(String)
    /// There are several colons without brackets, and the text is not an IPv6 address.
    case notIPv6(String)
    case zone(String)
    /// The closing bracket is not followed by a colon and a port.
    case afterBracket(String)
    case port(String)
    case name(String, DomainNameError)
    /// A line of a list has more than `limit` bytes.
    case tooLong(limit: Int)
    /// The list cannot be read beyond this line.
    case unreadable(SystemError)
    /// A line of a list is that of a certificate or a key. The rest of the list is not read, because parts of a private key could look
    /// like hosts.
    case keyFile(KeyFileLines.Kind)
    /// There is no server name after `=`.
    case noServerName
    /// A line of a list has a `=`, and is no address with a server name. It may be a setting with a password.
    case assignment
    /// The prefix length of an address range is not a number from 0 to `maximum`.
    case prefix(String, maximum: Int)
    /// The address is not the first one of its range, which the value contains.
    case insideRange(String)

    /// The reason. It follows the text "cannot read the target "…": ".
    package var reason: String {
        switch self {
        case .empty: "it is empty"
        case .noHost: "it has no host"
        case .scheme(let scheme): "\(Self.quoted(scheme + "://")) is not a known scheme"
        case .url: "a scheme is not allowed here"
        case .path(let path): "it has a path, \(Self.quoted(path))"
        case .userInfo: "it has a user name"
        case .unclosedBracket: "the bracket is not closed"
        case .inBrackets(let text), .notIPv6(let text): "\(Self.quoted(text)) is not an IPv6 address"
        case .zone(let text): "\(Self.quoted(text)) is not the name of a network interface"
        case .afterBracket(let text): "the bracket is followed by \(Self.quoted(text)) instead of a colon and a port"
        case .port(""): "the port after the colon is missing"
        case .port(let text): "\(Self.quoted(text)) is not a port from 1 to 65535"
        case .name(let name, let error): "\(Self.quoted(name)) \(error.reason)"
        case .tooLong(let limit): "it has more than \(limit) bytes"
        case .unreadable(let error): error.text
        case .keyFile(let kind): kind.reason
        case .noServerName: "the server name after the = is missing"
        case .assignment: "it has a = and is not a host or an address with a server name"
        case .prefix(let text, let maximum): "\(Self.quoted(text)) is not a prefix length from 0 to \(maximum)"
        case .insideRange: "the address is not the first one of its range"
        }
    }

    /// The reason, without a part of `text` if this has a parameter for a password: a part can lack the name of the parameter.
    package func reason(about text: String) -> String {
        text.withoutPasswordParameters == text ? reason : reasonWithoutText.withoutPasswordParameters
    }

    /// The reason without a part of the text, which may be a password: the list can be another file.
    package var reasonWithoutText: String {
        switch self {
        case .path: "it has a path"
        case .inBrackets: "the text in brackets is not an IPv6 address"
        case .notIPv6: "it has several colons and is not an IPv6 address"
        case .zone: "the text after the % is not the name of a network interface"
        case .afterBracket: "the bracket is followed by something else than a colon and a port"
        case .port(let text) where !text.isEmpty: "the text after the colon is not a port from 1 to 65535"
        case .name(_, let error): "the name \(error.reason)"
        case .prefix(_, let maximum): "the prefix length is not a number from 0 to \(maximum)"
        case .scheme, .url, .port, .empty, .noHost, .userInfo, .unclosedBracket, .tooLong, .unreadable, .keyFile,
            .noServerName, .assignment, .insideRange:
            reason
        }
    }

    package var hint: String? {
        switch self {
        case .path: "use HOST[:PORT] or the whole https:// URL"
        case .url: "use HOST[:PORT]"
        case .inBrackets: "use brackets for IPv6 addresses only: [2001:db8::1]:443"
        case .notIPv6: "write an IPv6 address with a port as [2001:db8::1]:443"
        case .scheme("http"): "use HOST:443 or the https:// URL: plain HTTP has no certificate"
        case .scheme(let scheme): TargetScheme.hint(forUnknown: scheme)
        case .userInfo: "remove the user name and the @"
        case .name(_, let error): error.hint
        case .noServerName, .assignment: "write a target with a server name as 192.0.2.7:443=api.example.com"
        case .insideRange(let range): "use \(range) for the range that contains it"
        case .prefix, .tooLong, .unreadable, .keyFile, .empty, .noHost, .unclosedBracket, .zone, .afterBracket,
            .port:
            nil
        }
    }

    /// Returns the text in quotes, shortened to 80 characters.
    private static func quoted(_ text: String) -> String {
        text.unicodeScalars.count > 80 ? "\"\(String(text.unicodeScalars.prefix(80)))…\"" : "\"\(text)\""
    }
}

extension KeyFileLines.Kind {
    /// The reason. It follows the name of a line and "it".
    package var reason: String {
        switch self {
        case .pem: "it begins a certificate or a key in PEM"
        case .encoded: "it looks like a part of a certificate or a key"
        case .binary: "it has control characters, as a certificate or a key in DER"
        }
    }
}
