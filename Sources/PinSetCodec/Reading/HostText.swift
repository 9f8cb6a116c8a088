internal import Encodings

/// The host in a URL or in `HOST:PORT`.
package enum HostText {
    /// The host without scheme, user, port and path; nil if nothing remains.
    ///
    /// The result may not be a host name. The reader of the format checks that.
    package static func host(in text: String) -> String? {
        var rest = text[...]
        if let scheme = rest.range(of: "://") { rest = rest[scheme.upperBound...] }
        rest = rest.prefix { !"/?#".contains($0) }
        if let at = rest.lastIndex(of: "@") { rest = rest[at...].dropFirst() }
        if rest.first == "[" {
            let address = rest.dropFirst().prefix { $0 != "]" }
            return address.isEmpty ? nil : String(address)
        }
        // More than one colon is an IPv6 address without brackets.
        if rest.utf8.count(where: { $0 == UInt8(ascii: ":") }) == 1, let colon = rest.firstIndex(of: ":") {
            rest = rest[..<colon]
        }
        return rest.isEmpty ? nil : String(rest)
    }
}

extension Substring {
    /// The first occurrence of an ASCII text.
    fileprivate func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
