/// A text in which digits of base64 are written as escapes.
///
/// Each reader decodes the escapes of its format, so a key that is not recognized in the file can be in the decoded text.
enum UnescapedText {
    /// The text with each letter, digit or sign of base64 in place of its escape: `\u0041`, `\u{41}`, `\x41`, `&#65;`, `&#x41;`, `%41`, or
    /// `\065` as in a zone (RFC 1035, section 5.1). Nil if it has no such escape.
    ///
    /// No other escape is decoded, so the lines stay the same.
    static func bytes(of text: [UInt8]) -> [UInt8]? {
        var output: [UInt8]?
        var (index, copied) = (0, 0)
        while let start = text[index...].firstIndex(where: {
            $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "%")
        }) {
            guard let escape = escape(text[start...]) else {
                index = start + 1
                continue
            }
            if output == nil { output = [] }
            output?.append(contentsOf: text[copied..<start])
            output?.append(escape.byte)
            (index, copied) = (escape.end, escape.end)
        }
        output?.append(contentsOf: text[copied...])
        return output
    }

    /// The digit of base64 that is escaped at the start of a text, and the index after it.
    private static func escape(_ text: ArraySlice<UInt8>) -> (byte: UInt8, end: Int)? {
        var rest = text.dropFirst()
        func number(_ radix: Int, _ digits: ClosedRange<Int>, end: UInt8?) -> (byte: UInt8, end: Int)? {
            let isDigit: (UInt8) -> Bool = radix == 16 ? { Hex.value(of: $0) != nil } : { $0.isDigit }
            let number = rest.prefix(digits.upperBound).prefix(while: isDigit)
            guard number.count >= digits.lowerBound,
                let byte = UInt8(String(decoding: number, as: UTF8.self), radix: radix),
                WrittenBytes.base64Value(of: byte) != nil
            else { return nil }
            guard let end else { return (byte, number.endIndex) }
            return text[number.endIndex...].first == end ? (byte, number.endIndex + 1) : nil
        }
        func drop(_ prefix: String) -> Bool {
            guard rest.starts(withIgnoringCase: prefix) else { return false }
            rest = rest.dropFirst(prefix.utf8.count)
            return true
        }
        switch text.first {
        case UInt8(ascii: "%"): return number(16, 2...2, end: nil)
        case UInt8(ascii: "&"):
            guard drop("#") else { return nil }
            return drop("x") ? number(16, 1...8, end: UInt8(ascii: ";")) : number(10, 1...8, end: UInt8(ascii: ";"))
        case UInt8(ascii: "\\"):
            // A string in another string has two backslashes.
            _ = drop("\\")
            if drop("u{") { return number(16, 1...6, end: UInt8(ascii: "}")) }
            if drop("u") { return number(16, 4...4, end: nil) }
            return drop("x") ? number(16, 2...2, end: nil) : number(10, 3...3, end: nil)
        default: return nil
        }
    }
}
