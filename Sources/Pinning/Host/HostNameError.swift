package import Encodings

/// The reason why a text is not a host.
public struct HostNameError: Error, Hashable, Sendable {
    /// The given text.
    public let host: String
    public let reason: Reason

    public enum Reason: Error, Hashable, Sendable {
        case scheme
        case path
        case port
        /// `*.example.com` or `**.example.com`.
        case wildcard
        /// A malformed IPv6 address.
        case address
        /// A malformed DNS name.
        case name(DomainNameError)
    }

    /// What of a private key the text contains; nil for other errors.
    package var privateKeyKind: PrivateKeyKind? {
        if case .name(let error) = reason { error.privateKeyKind } else { nil }
    }

    /// One sentence: what was given and what was expected.
    public var message: String {
        // The text can be a URL or a target with a user and a password.
        var quoted = host.targetWithoutUserInfo.quotedExcerpt
        // A key that is divided into labels, or that is recognized only after the conversion to A-labels, would be shown in part.
        if privateKeyKind != nil {
            quoted = "\(String(String.UnicodeScalarView(host.unicodeScalars.prefix(4))))…".quotedExcerpt
        }
        return switch reason {
        case .scheme: "\(quoted) has a scheme, but a host is expected"
        case .path: "\(quoted) has a path, but a host is expected"
        case .port: "\(quoted) has a port, but a host is expected"
        case .wildcard: "\(quoted) is a wildcard, but a host is expected"
        case .address, .name(.badAddress): "\(quoted) is neither a host name nor an IP address"
        case .name(.empty): "the host is empty"
        case .name(let error): "the host \(quoted) \(error.reason)"
        }
    }

    /// The next step, if there is one.
    public var hint: String? {
        switch reason {
        case .scheme, .path, .port:
            bareHost.map { "write \($0.quotedExcerpt)" }
        case .wildcard:
            if host.begins(with: "**") {
                #"write \#(String(host.unicodeScalars.dropFirst(3)).quotedExcerpt) with "subdomains": "all""#
            } else {
                #"write \#(String(host.unicodeScalars.dropFirst(2)).quotedExcerpt) with "subdomains": "one""#
            }
        case .address, .name(.badAddress):
            "write IPv4 as four numbers up to 255 without leading zeros, and IPv6 as up to eight groups of hexadecimal digits"
        case .name(let error): error.hint
        }
    }
}

extension HostNameError: CustomStringConvertible {
    public var description: String { message }
}

extension HostNameError {
    /// The text without scheme, user, path and port; nil if that is not a host, or if the text contains a part of a private key.
    private var bareHost: String? {
        guard host.utf8.count <= 1024, host.withoutPrivateKeys == host else { return nil }
        var rest = Substring(host)
        rest = rest[rest.before(anyOf: ":").endIndex...].without(prefix: "://") ?? rest
        rest = rest.before(anyOf: "/")
        if let at = rest.unicodeScalars.lastIndex(of: "@") {
            rest = rest[rest.unicodeScalars.index(after: at)...]
        } else if host.utf8.hasAtSign {
            // A user is before a percent-encoded @, or a part of a password before a slash.
            return nil
        }
        if let inBrackets = rest.without(prefix: "[") {
            rest = inBrackets.before(anyOf: "]")
        } else if IPAddress(rest) == nil {
            rest = rest.before(anyOf: ":")
        }
        let bare = String(rest)
        guard (try? HostName.normalized(bare)) != nil else { return nil }
        return bare
    }
}
