internal import Encodings

/// Normalizes DNS names: A-labels, lower case, without a trailing dot.
package enum DomainName {
    /// Maximum lengths of a name and of a label in bytes (RFC 1035, section 2.3.4).
    static let maximumNameLength = 253
    static let maximumLabelLength = 63

    /// Maximum length in bytes of the UTF-8 text of a name. Each character of a name needs at least one byte in A-labels, and
    /// decomposes into at most four characters of four bytes.
    private static let maximumTextLength = maximumNameLength * 16

    /// Normalizes a name (RFC 4343; RFC 5891, section 5).
    ///
    /// - Throws: ``DomainNameError`` if the text is not a DNS name.
    package static func normalized(_ text: some StringProtocol) throws(DomainNameError) -> String {
        let size = text.utf8.count
        guard size > 0 else { throw .empty }
        guard size <= maximumTextLength else { throw .tooLong(size) }
        // A key in base64 is not recognized in lower case. A key in digits can have characters that the mapping removes or replaces.
        try checkIsPublic(String(text))
        // The result is not a string, because in a string a dot and a following combining mark are one character.
        let mapped = try IDNA.mapped(text)
        var labels = mapped.split(separator: ".", omittingEmptySubsequences: false)
        if labels.last?.isEmpty == true { labels.removeLast() }
        guard !labels.isEmpty, !labels.contains(where: { $0.isEmpty }) else { throw .emptyLabel }
        var result: [String] = []
        for label in labels { result.append(try IDNA.aLabel(of: Array(label))) }
        let name = result.joined(separator: ".")
        guard name.utf8.count <= maximumNameLength else { throw .tooLong(name.utf8.count) }
        if let last = result.last, isNumber(last) { throw .badAddress }
        try checkIsPublic(name)
        return name
    }

    /// - Throws: if a text contains a private key.
    private static func checkIsPublic(_ text: String) throws(DomainNameError) {
        if let kind = text.privateKeyKind { throw DomainNameError(kind) }
    }

    /// The name with its A-labels in Unicode, for people; nil if no label can be shown in Unicode.
    ///
    /// A label is kept as it is in two cases: its Unicode form does not convert back to the same A-label, or it contains a
    /// right-to-left letter, which would change the order of the whole line (RFC 5893, section 1.3).
    package static func unicode(of name: String) -> String? {
        // Swift compares two strings with many combining marks in quadratic time.
        guard name.utf8.count <= maximumNameLength else { return nil }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        let shown = labels.map { unicode(ofLabel: $0) ?? String($0) }.joined(separator: ".")
        return shown == name ? nil : shown
    }

    private static func unicode(ofLabel label: Substring) -> String? {
        guard label.hasPrefix("xn--"), let scalars = Punycode.decode(label.dropFirst(4)),
            !scalars.contains(where: \.isRightToLeft),
            (try? IDNA.mapped(String(String.UnicodeScalarView(scalars)))) == scalars,
            (try? IDNA.aLabel(of: scalars)) == String(label)
        else { return nil }
        return String(String.UnicodeScalarView(scalars))
    }

    /// Whether a label is a number, as in 0x7f000001. No top-level domain is a number (RFC 3696, section 2). So a name that ends in
    /// a number is a malformed IPv4 address, or an address in a form that only inet_aton(3) accepts.
    private static func isNumber(_ label: String) -> Bool {
        label.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            || label.hasPrefix("0x") && label.utf8.dropFirst(2).allSatisfy { Hex.value(of: $0) != nil }
    }
}

extension Unicode.Scalar {
    /// Whether the character is in a block of scripts that are written from right to left (Unicode Standard Annex #9, table 4, and
    /// DerivedBidiClass.txt: the ranges whose default class is R or AL).
    fileprivate var isRightToLeft: Bool {
        switch value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }
}
