internal import Encodings

/// Decodes the escapes in strings of source code.
enum StringEscape {
    enum Language { case javaScript, swift, objectiveC }

    /// The text of the escape at an index.
    ///
    /// Sources: ECMAScript, section 12.9.4; The Swift Programming Language, "Special Characters in String Literals"; ISO C11, section
    /// 6.4.4.4, in which clang reads an unknown escape as its character.
    ///
    /// - Parameter index: the index of a backslash.
    /// - Returns: nil for an escape that is an error, or whose text depends on more than the source.
    static func decode(in bytes: [UInt8], at index: Int, language: Language) -> (text: [UInt8], end: Int)? {
        guard index + 1 < bytes.count else { return nil }
        let end = index + 2
        switch (bytes[index + 1], language) {
        case (UInt8(ascii: "n"), _): return ([0x0a], end)
        case (UInt8(ascii: "r"), _): return ([0x0d], end)
        case (UInt8(ascii: "t"), _): return ([0x09], end)
        case (UInt8(ascii: "\""), _), (UInt8(ascii: "'"), _), (UInt8(ascii: "\\"), _): return ([bytes[index + 1]], end)
        case (UInt8(ascii: "0"), .javaScript):
            // With more digits this is an octal number, which only old code can have.
            return end < bytes.count && bytes[end].isDigit ? nil : ([0], end)
        case (UInt8(ascii: "0"), .swift): return ([0], end)
        case (let digit, .javaScript) where digit.isDigit: return nil
        case (let digit, .objectiveC) where isOctal(digit):
            return byte(number(in: bytes, at: index + 1, radix: 8, 1...3))
        case (UInt8(ascii: "x"), .javaScript): return number(in: bytes, at: end, radix: 16, 2...2)
        case (UInt8(ascii: "x"), .objectiveC): return byte(number(in: bytes, at: end, radix: 16, 1...Int.max))
        case (UInt8(ascii: "u"), .javaScript):
            return JavaScript.escape(in: bytes, at: index).flatMap { text(of: $0.value, end: $0.end) }
        case (UInt8(ascii: "u"), .swift):
            guard end < bytes.count, bytes[end] == UInt8(ascii: "{"),
                let escape = number(in: bytes, at: end + 1, radix: 16, 1...8),
                escape.end < bytes.count, bytes[escape.end] == UInt8(ascii: "}")
            else { return nil }
            return (escape.text, escape.end + 1)
        case (UInt8(ascii: "u"), .objectiveC): return number(in: bytes, at: end, radix: 16, 4...4)
        case (UInt8(ascii: "U"), .objectiveC): return number(in: bytes, at: end, radix: 16, 8...8)
        case (_, .swift): return nil
        case (UInt8(ascii: "b"), _): return ([0x08], end)
        case (UInt8(ascii: "f"), _): return ([0x0c], end)
        case (UInt8(ascii: "v"), _): return ([0x0b], end)
        case (UInt8(ascii: "a"), .objectiveC): return ([0x07], end)
        case (UInt8(ascii: "e"), .objectiveC), (UInt8(ascii: "E"), .objectiveC): return ([0x1b], end)
        case (let byte, .javaScript) where byte.endsLine:
            let isPair = byte == 0x0d && end < bytes.count && bytes[end] == 0x0a
            return ([], isPair ? end + 1 : end)
        case (_, .javaScript) where JavaScript.hasLineSeparator(bytes, at: index + 1):
            return ([], index + 1 + JavaScript.lineSeparatorLength)
        case (let byte, _): return byte.endsLine ? nil : ([byte], end)
        }
    }

    private static func isOctal(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(byte) }

    /// A number beyond ASCII is a byte of C, and not a character.
    private static func byte(_ escape: (text: [UInt8], end: Int)?) -> (text: [UInt8], end: Int)? {
        escape?.text.count == 1 ? escape : nil
    }

    /// The character with a number whose digits begin at an index.
    private static func number(
        in bytes: [UInt8], at index: Int, radix: UInt32, _ count: ClosedRange<Int>
    ) -> (text: [UInt8], end: Int)? {
        var value: UInt32 = 0
        var end = index
        while end < bytes.count, end - index < count.upperBound, let digit = Hex.value(of: bytes[end]), digit < radix {
            value = min(value * radix + UInt32(digit), 0x11_0000)
            end += 1
        }
        return end - index < count.lowerBound ? nil : text(of: value, end: end)
    }

    private static func text(of value: UInt32, end: Int) -> (text: [UInt8], end: Int)? {
        Unicode.Scalar(value).map { (Array(String(Character($0)).utf8), end) }
    }
}
