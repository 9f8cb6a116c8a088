/// A text in which the percent-encoded delimiters `:`, `/`, `?`, `#` and `@` of URLs are decoded (RFC 3986, section 2.1), also if they are
/// encoded several times, as in a URL within the query of another one. The characters that NFKC replaces by `@` are decoded, too.
struct DelimiterDecodedText {
    /// The original text.
    private let original: [UInt8]
    /// The text with decoded delimiters.
    let bytes: [UInt8]
    /// For each decoded byte, how often it was encoded; empty if there is no encoded delimiter.
    private let levels: [UInt8]
    /// For each decoded byte, its index in the original text; empty if there is no encoded delimiter.
    private let starts: [Int]

    /// - Parameter everyByte: Whether all encoded bytes are decoded, and only these.
    init(_ text: [UInt8], everyByte: Bool = false) {
        original = text
        guard text.contains(where: { $0 == UInt8(ascii: "%") || $0 == Self.firstByteOfWideAtSign }) else {
            (bytes, levels, starts) = (text, [], [])
            return
        }
        var (bytes, levels, starts): ([UInt8], [UInt8], [Int]) = ([], [], [])
        var index = 0
        while index < text.count {
            starts.append(index)
            let found = everyByte ? Self.encodedByte(in: text, at: index) : Self.delimiter(in: text, at: index)
            if let (byte, level, end) = found {
                bytes.append(byte)
                levels.append(level)
                index = end
            } else {
                bytes.append(text[index])
                levels.append(0)
                index += 1
            }
        }
        (self.bytes, self.levels, self.starts) = (bytes, levels, starts)
    }

    /// How often the byte at this index was encoded.
    func level(at index: Int) -> UInt8 { index < levels.count ? levels[index] : 0 }

    /// The original text of a range of decoded bytes.
    func original(_ range: Range<Int>) -> ArraySlice<UInt8> {
        original[originalIndex(range.lowerBound)..<originalIndex(range.upperBound)]
    }

    /// The index in the original text of a decoded byte, or of the end.
    func originalIndex(_ index: Int) -> Int {
        starts.isEmpty ? index : index < starts.count ? starts[index] : original.count
    }

    /// The delimiter that is encoded at an index, how often, and the index after it; nil for any other text.
    private static func delimiter(
        in text: [UInt8], at index: Int
    ) -> (byte: UInt8, level: UInt8, end: Int)? {
        if text[index] == firstByteOfWideAtSign, let sign = wideAtSigns.first(where: text[index...].starts) {
            return (UInt8(ascii: "@"), 0, index + sign.count)
        }
        guard let (byte, level, end) = encodedByte(in: text, at: index) else { return nil }
        if byte == firstByteOfWideAtSign, let second = encodedByte(in: text, at: end),
            let third = encodedByte(in: text, at: second.end), wideAtSigns.contains([byte, second.byte, third.byte])
        {
            return (UInt8(ascii: "@"), max(level, second.level, third.level), third.end)
        }
        guard ":/?#@".utf8.contains(byte), byte != UInt8(ascii: "@") || !isAddress(before: index, in: text) else {
            return nil
        }
        return (byte, level, end)
    }

    /// The percent-encoded byte at an index, how often it is encoded, and the index after it; nil for any other text.
    private static func encodedByte(in text: [UInt8], at index: Int) -> (byte: UInt8, level: UInt8, end: Int)? {
        guard index < text.count, text[index] == UInt8(ascii: "%") else { return nil }
        var digits = index + 1
        var level: UInt8 = 1
        // %25 is a percent sign.
        while text[digits...].starts(with: "25".utf8), level < .max {
            digits += 2
            level += 1
        }
        guard digits + 1 < text.count, let high = Hex.value(of: text[digits]), let low = Hex.value(of: text[digits + 1])
        else { return nil }
        return (high << 4 | low, level, digits + 2)
    }

    /// U+FF20 (fullwidth commercial at) and U+FE6B (small commercial at) in UTF-8.
    private static let wideAtSigns: [[UInt8]] = [[0xEF, 0xBC, 0xA0], [0xEF, 0xB9, 0xAB]]
    fileprivate static let firstByteOfWideAtSign: UInt8 = 0xEF

    /// Whether an IPv6 address is before an index, so that a number there is its zone, as in `fe80::1%40`.
    private static func isAddress(before index: Int, in text: [UInt8]) -> Bool {
        let address = text[..<index].reversed().prefix { Hex.value(of: $0) != nil || ":.".utf8.contains($0) }
        let start = index - address.count
        guard start == 0 || !text[start - 1].isLetterOrDigit else { return false }
        // `contains` of a text in another one would link the whole module _StringProcessing (see Docs/performance.md).
        let colons = text[start..<index].indices.filter { text[$0] == UInt8(ascii: ":") }
        return colons.count >= 7 || zip(colons, colons.dropFirst()).contains { $0 + 1 == $1 }
    }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }
}

extension Collection<UInt8> {
    /// Whether a text in UTF-8 has an `@`, also percent-encoded (`%40`, `%2540`) or as U+FF20 or U+FE6B, so that a user and a password may
    /// precede it.
    package var hasAtSign: Bool {
        if contains(UInt8(ascii: "@")) { return true }
        let mayHaveAtSign = contains { $0 == UInt8(ascii: "%") || $0 == DelimiterDecodedText.firstByteOfWideAtSign }
        return mayHaveAtSign && DelimiterDecodedText(Array(self)).bytes.contains(UInt8(ascii: "@"))
    }
}
