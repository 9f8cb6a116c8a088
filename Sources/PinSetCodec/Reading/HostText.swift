internal import Encodings

/// The host in a URL or in `HOST:PORT`.
package enum HostText {
    /// The host without scheme, user, port and path; nil if nothing remains.
    ///
    /// The result may not be a host name. The reader of the format checks that.
    package static func host(in text: String) -> String? {
        var rest = text[...]
        if let scheme = rest.firstRange(ofBytes: "://") { rest = rest[scheme.upperBound...] }
        rest = rest.before(anyOf: "/?#")
        if let at = rest.unicodeScalars.lastIndex(of: "@") { rest = rest[rest.unicodeScalars.index(after: at)...] }
        if let inBrackets = rest.without(prefix: "[") {
            let address = inBrackets.before(anyOf: "]")
            return address.isEmpty ? nil : String(address)
        }
        // More than one colon is an IPv6 address without brackets.
        if rest.utf8.count(where: { $0 == UInt8(ascii: ":") }) == 1 { rest = rest.before(anyOf: ":") }
        return rest.isEmpty ? nil : String(rest)
    }

    /// The host in a comment `# HOST`, which names the host of the next line; nil for prose and for a setting that is commented out.
    ///
    /// - Parameter comment: the comment with its sign.
    package static func commented(_ comment: ArraySlice<UInt8>) -> String? {
        let text = comment.dropFirst().trimmed
        guard !text.isEmpty, !text.contains(where: { $0.isWhiteSpace || "=/\"'".utf8.contains($0) }) else { return nil }
        return String(decoding: text, as: UTF8.self)
    }
}
