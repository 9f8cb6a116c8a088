/// The end of a string of Swift with number signs: `#"…"#`, `##"…"##`, `#"""…"""#` (The Swift Programming Language, "Extended String
/// Delimiters").
struct RawStringEnd {
    let isMultiline: Bool
    private let signs: Int

    /// - Parameter start: the offset of the first quotation mark, after the number signs.
    init(in bytes: [UInt8], openingQuote start: Int) {
        signs = bytes[..<start].reversed().prefix { $0 == UInt8(ascii: "#") }.count
        isMultiline = bytes[start...].starts(with: "\"\"\"".utf8)
    }

    /// The offset after the end, if it begins at an offset inside the string.
    func index(after offset: Int, in bytes: [UInt8]) -> Int? {
        let quotes = isMultiline ? 3 : 1
        // The opening quotation marks of a string over several lines are skipped one by one.
        guard bytes.count - offset >= quotes + signs,
            bytes[offset..<(offset + quotes)].allSatisfy({ $0 == UInt8(ascii: "\"") }),
            bytes[(offset + quotes)..<(offset + quotes + signs)].allSatisfy({ $0 == UInt8(ascii: "#") })
        else { return nil }
        return offset + quotes + signs
    }
}
