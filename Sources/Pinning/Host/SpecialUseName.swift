internal import Encodings

/// Names that the public DNS does not have, so that none of them ends in a public suffix.
package enum SpecialUseName {
    /// Why there is no public suffix at the end of a name; nil where there may be one, which takes a list to know.
    ///
    /// - Parameter name: in A-labels, lower case; no IP address.
    package static func reason(of name: String) -> String? {
        guard let dot = name.lastIndex(of: ".") else { return "\(name.quotedExcerpt) is a single label" }
        let last = String(name[dot...].dropFirst())
        return reserved.contains(last) ? "\(".\(last)".quotedExcerpt) is reserved" : nil
    }

    /// RFC 2606, section 2; RFC 6762, section 3; RFC 9476; and `internal`, which ICANN set aside for private use in 2024.
    private static let reserved: Set<String> = ["test", "example", "invalid", "localhost", "local", "alt", "internal"]
}
