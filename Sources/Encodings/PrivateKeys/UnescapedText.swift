/// A text in which characters are written as escapes.
///
/// Each reader decodes the escapes of its format, so a key that is not recognized in the file can be in the decoded text.
enum UnescapedText {
    /// The text with each printable character of ASCII in place of its escape: `\u0041`, `\u{41}`, `\x41`, `%41`, `&#65;`, `&#x41;`, `&quot;`,
    /// and `\065` as a decimal number (RFC 1035, section 5.1), and again as an octal one. Empty if it has no such escape.
    ///
    /// No other escape is decoded, so the lines stay the same.
    static func texts(of text: [UInt8]) -> [[UInt8]] {
        let decimal = bytes(of: text, radix: 10)
        let octal = decimal.hasNumber ? bytes(of: text, radix: 8).text : nil
        return [decimal.text, octal].compactMap { $0 }
    }

    /// Whether a letter or a digit is escaped in a text.
    static func hasEscapedLetters(_ text: ArraySlice<UInt8>) -> Bool {
        text.indices.contains { index in
            "\\&%".utf8.contains(text[index])
                && escape(text[index...], radix: 10).map { WrittenBytes.isLetterOrDigit($0.byte) } == true
        }
    }

    /// - Parameter radix: the base of three digits after a backslash.
    /// - Returns: the decoded text, nil if it has no escape; and whether a digit follows a backslash in it.
    private static func bytes(of text: [UInt8], radix: Int) -> (text: [UInt8]?, hasNumber: Bool) {
        var output: [UInt8]?
        var hasNumber = false
        var (index, copied) = (0, 0)
        while let start = text[index...].firstIndex(where: {
            $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "%")
        }) {
            if text[start] == UInt8(ascii: "\\"), text[(start + 1)...].first?.isDigit == true { hasNumber = true }
            guard let escape = escape(text[start...], radix: radix) else {
                index = start + 1
                continue
            }
            if output == nil { output = [] }
            output?.append(contentsOf: text[copied..<start])
            output?.append(escape.byte)
            (index, copied) = (escape.end, escape.end)
        }
        output?.append(contentsOf: text[copied...])
        return (output, hasNumber)
    }

    /// The names of characters in XML and HTML that can be a part of a key, or delimit it.
    private static let names: [(name: String, character: UInt8)] = [
        ("quot;", UInt8(ascii: "\"")), ("apos;", UInt8(ascii: "'")), ("lt;", UInt8(ascii: "<")),
        ("gt;", UInt8(ascii: ">")),
        ("amp;", UInt8(ascii: "&")), ("plus;", UInt8(ascii: "+")), ("sol;", UInt8(ascii: "/")),
        ("equals;", UInt8(ascii: "=")),
    ]

    /// The character that is escaped at the start of a text, and the index after it.
    private static func escape(_ text: ArraySlice<UInt8>, radix: Int) -> (byte: UInt8, end: Int)? {
        var rest = text.dropFirst()
        func number(_ radix: Int, _ digits: ClosedRange<Int>, end: UInt8?) -> (byte: UInt8, end: Int)? {
            let isDigit: (UInt8) -> Bool = radix == 16 ? { Hex.value(of: $0) != nil } : { $0.isDigit }
            let number = rest.prefix(digits.upperBound).prefix(while: isDigit)
            guard number.count >= digits.lowerBound,
                let byte = UInt8(String(decoding: number, as: UTF8.self), radix: radix), (0x21..<0x7F).contains(byte)
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
            if let name = names.first(where: { drop($0.name) }) { return (name.character, rest.startIndex) }
            guard drop("#") else { return nil }
            return drop("x") ? number(16, 1...8, end: UInt8(ascii: ";")) : number(10, 1...8, end: UInt8(ascii: ";"))
        case UInt8(ascii: "\\"):
            // A string in another string has two backslashes.
            _ = drop("\\")
            if drop("u{") { return number(16, 1...6, end: UInt8(ascii: "}")) }
            if drop("u") { return number(16, 4...4, end: nil) }
            return drop("x") ? number(16, 2...2, end: nil) : number(radix, 3...3, end: nil)
        default: return nil
        }
    }
}
