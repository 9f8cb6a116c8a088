/// Why a text is not a host that pins can be set for, with the sentences for it.
public struct HostNameError: Error, Hashable, Sendable {
    /// What was given.
    public let host: String
    public let reason: Reason

    public enum Reason: Error, Hashable, Sendable {
        case empty
        case scheme
        case path
        case port
        case whiteSpace
        /// `*.example.com` or `**.example.com`.
        case wildcard
        /// Two dots with nothing between them, or a dot at the start.
        case emptyLabel
        /// A label of this many characters.
        case longLabel(Int)
        /// A name of this many characters.
        case long(Int)
        /// An international name that is not written as A-labels.
        case notASCII
        /// A character that no host name has; the offset counts UTF-8 bytes.
        case character(offset: Int)
        /// Something like an IP address, and not one.
        case address
    }

    /// One sentence: what was given and what was expected.
    public var message: String {
        let quoted = host.quoted
        return switch reason {
        case .empty: "a host is expected, and there is nothing"
        case .scheme: "\(quoted) has a scheme, and pins are set for a host"
        case .path: "\(quoted) has a path, and pins are set for a host"
        case .port: "\(quoted) has a port, and pins are set for a host"
        case .whiteSpace: "the host \(quoted) has white space"
        case .wildcard: "\(quoted) is a wildcard, and pins are set for a host"
        case .emptyLabel: "the host \(quoted) has an empty label"
        case .longLabel(let count): "the host \(quoted) has a label of \(count) characters, and a label has 63 at most"
        case .long(let count): "the host \(quoted) has \(count) characters, and a name has 253 at most"
        case .notASCII: "the host \(quoted) is not in ASCII"
        case .character(let offset): "the host \(quoted) has \(character(at: offset)), which no host name has"
        case .address: "\(quoted) is neither a host name nor an IP address"
        }
    }

    /// The next step, where there is one.
    public var hint: String? {
        switch reason {
        case .scheme, .path, .port:
            bareHost.map { "write \($0.quoted)" }
        case .whiteSpace: "remove the white space"
        case .wildcard:
            host.hasPrefix("**.")
                ? #"write \#(String(host.dropFirst(3)).quoted) with "subdomains": "all""#
                : #"write \#(String(host.dropFirst(2)).quoted) with "subdomains": "one""#
        case .emptyLabel: "labels stand between single dots"
        case .notASCII: #"write the form that the DNS has, with "xn--""#
        case .address:
            "IPv4 is four numbers up to 255 without leading zeros; IPv6 is up to eight groups of hexadecimal digits"
        case .empty, .longLabel, .long, .character: nil
        }
    }
}

extension HostNameError: CustomStringConvertible {
    public var description: String { message }
}

extension HostNameError {
    /// What is left without scheme, path and port; nil where that is no host either.
    private var bareHost: String? {
        var rest = Substring(host)
        if let scheme = rest.indices.first(where: { rest[$0...].hasPrefix("://") }) {
            rest = rest[scheme...].dropFirst(3)
        }
        rest = rest.prefix { $0 != "/" }
        if rest.hasPrefix("[") {
            rest = rest.dropFirst().prefix { $0 != "]" }
        } else if let colon = rest.firstIndex(of: ":"), IPAddress(rest) == nil {
            rest = rest[..<colon]
        }
        let bare = String(rest)
        guard (try? HostName.normalized(bare)) != nil else { return nil }
        return bare
    }

    private func character(at offset: Int) -> String {
        String(host.unicodeScalars[host.utf8.index(host.startIndex, offsetBy: offset)]).quoted
    }
}
