/// DNS names in the one form in which they are compared: A-labels, lower case, without a trailing dot.
package enum DomainName {
    /// The longest name that fits a DNS message, in bytes, and the longest label (RFC 1035, section 2.3.4).
    private static let longestName = 253
    private static let longestLabel = 63

    /// Turns a name as people write it into that form.
    ///
    /// - Throws: ``DomainNameError`` where no DNS name can look like that.
    package static func normalized(_ text: some StringProtocol) throws(DomainNameError) -> String {
        let mapped = try InternationalName.mapped(text)
        var labels = mapped.split(separator: ".", omittingEmptySubsequences: false)
        if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
        guard labels != [""] else { throw .empty }
        var result: [String] = []
        for label in labels {
            guard !label.isEmpty else { throw .emptyLabel }
            let ascii = try InternationalName.aLabel(of: label)
            guard ascii.utf8.count <= longestLabel else { throw .labelTooLong(String(label)) }
            result.append(ascii)
        }
        let name = result.joined(separator: ".")
        guard name.utf8.count <= longestName else { throw .tooLong(name.utf8.count) }
        // No top-level domain is a number (RFC 3696, section 2): this is an IPv4 address gone wrong.
        if let last = result.last, last.allSatisfy({ $0.isNumber }) { throw .badAddress }
        return name
    }
}

/// Why a text is no DNS name.
package enum DomainNameError: Error, Equatable, Sendable {
    case empty
    /// Two dots in a row, or a dot at the start.
    case emptyLabel
    /// In bytes, as A-labels.
    case tooLong(Int)
    case labelTooLong(String)
    /// One that host names may not hold.
    case character(Unicode.Scalar)
    /// All numbers at the end, but not an IPv4 address.
    case badAddress

    /// What is wrong, to be read after the name itself: "has an empty label: two dots in a row, or one at the start".
    package var reason: String {
        switch self {
        case .empty: "is empty"
        case .emptyLabel: "has an empty label: two dots in a row, or one at the start"
        case .tooLong(let count): "is \(count) bytes long, and a name has 253 at most"
        case .labelTooLong(let label): "has a label of more than 63 bytes, \"\(label.prefix(24))…\""
        case .character(" "), .character("\t"): "has white space in it"
        case .character(let scalar): "has a character that host names cannot hold: \(Self.shown(scalar))"
        case .badAddress: "is neither a host name nor an IPv4 address of four numbers from 0 to 255"
        }
    }

    private static func shown(_ scalar: Unicode.Scalar) -> String {
        let code =
            "U+" + String(repeating: "0", count: max(0, 4 - String(scalar.value, radix: 16).count))
            + String(scalar.value, radix: 16, uppercase: true)
        guard (0x21..<0x7F).contains(scalar.value) else { return code }
        return "\"\(Character(scalar))\""
    }
}
