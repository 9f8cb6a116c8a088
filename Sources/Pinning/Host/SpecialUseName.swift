internal import Encodings

/// Names that are not in the public DNS and therefore have no public suffix.
package enum SpecialUseName {
    /// The reason why a name does not end in a public suffix; nil if it may end in one.
    ///
    /// - Parameter name: a DNS name in A-labels, lower case.
    package static func reason(of name: String) -> String? {
        guard let dot = name.lastIndex(of: ".") else { return "\(name.quotedExcerpt) is a single label" }
        let last = String(name[dot...].dropFirst())
        return reserved.contains(last) ? "\(".\(last)".quotedExcerpt) is reserved" : nil
    }

    /// RFC 2606, section 2; RFC 6762, section 3; RFC 9476; and `internal`, which ICANN reserved for private use in 2024.
    private static let reserved: Set<String> = ["test", "example", "invalid", "localhost", "local", "alt", "internal"]
}
