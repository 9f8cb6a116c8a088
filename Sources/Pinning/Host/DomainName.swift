internal import Encodings

/// DNS names in the one form in which they are compared: A-labels, lower case, without a trailing dot.
package enum DomainName {
    /// The longest name that fits a DNS message, in bytes, and the longest label (RFC 1035, section 2.3.4).
    static let maximumNameLength = 253
    static let maximumLabelLength = 63

    /// In UTF-8. Each character of a name takes a byte or more in A-labels, and is made of four characters of four bytes at
    /// most: what is longer than that is not worth a look at its characters.
    private static let maximumTextLength = maximumNameLength * 16

    /// Turns a name as people write it into that form (RFC 4343; RFC 5891, section 5).
    ///
    /// - Throws: ``DomainNameError`` where no DNS name can look like that.
    package static func normalized(_ text: some StringProtocol) throws(DomainNameError) -> String {
        let size = text.utf8.count
        guard size > 0 else { throw .empty }
        guard size <= maximumTextLength else { throw .tooLong(size) }
        // Not a string: in one, a dot and a mark behind it are one character.
        let mapped = try IDNA.mapped(text)
        var labels = mapped.split(separator: ".", omittingEmptySubsequences: false)
        if labels.last?.isEmpty == true { labels.removeLast() }
        guard !labels.isEmpty, !labels.contains(where: \.isEmpty) else { throw .emptyLabel }
        var result: [String] = []
        for label in labels { result.append(try IDNA.aLabel(of: Array(label))) }
        let name = result.joined(separator: ".")
        guard name.utf8.count <= maximumNameLength else { throw .tooLong(name.utf8.count) }
        if let last = result.last, isNumber(last) { throw .badAddress }
        return name
    }

    /// No top-level domain is a number (RFC 3696, section 2): what ends in one is an IPv4 address gone wrong, or in a spelling
    /// such as 0x7f000001, which inet_aton(3) reads and few people do.
    private static func isNumber(_ label: String) -> Bool {
        label.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            || label.hasPrefix("0x") && label.utf8.dropFirst(2).allSatisfy { Hex.value(of: $0) != nil }
    }
}
