/// Bytes that a text contains in one of the usual notations, one after the other.
///
/// Separators are read generously, because a text with a key is hidden as a whole: a reader with exact rules would leave parts of it.
struct WrittenBytes: IteratorProtocol {
    enum Form: CaseIterable {
        /// Base64 or base64url, with line ends, white space, quotes and commas between pieces of any length.
        case base64
        /// Hexadecimal digits, in pairs or in words of any length, with or without `0x` or `\x`.
        case hexadecimal
        /// Words of two bytes with the last byte first, as `od -x` and `hexdump` print them on most machines.
        case swappedWords
        /// Decimal numbers up to 255, or signed as in Java.
        case decimal
        /// Octal numbers of three digits.
        case octal
        /// A string: each byte is a character, or escaped as in `\x02`, `\u0002` or `\2`.
        case characters
    }

    /// The digits of an offset in the output of od and hexdump.
    private static let digitsOfOffset = 7

    let text: [UInt8]
    let form: Form
    /// Whether each line begins with an offset.
    let hasOffsets: Bool
    /// The index after the last character of the last byte.
    private(set) var end: Int
    /// The index of the first digit of base64, or of hexadecimal digits, after the last separator.
    private(set) var startOfPiece: Int
    /// The bits of base64 that are no whole byte yet, and their number.
    private var bits: UInt32 = 0
    private var bitCount = 0
    /// The second byte of a word.
    private var pending: UInt8?

    init(_ text: [UInt8], from start: Int, as form: Form, hasOffsets: Bool = false) {
        (self.text, self.form, end, startOfPiece, self.hasOffsets) = (text, form, start, start, hasOffsets)
    }

    /// Whether the text ends after the last byte, so that a continuation of the text could continue the bytes.
    var isAtEnd: Bool { endOfGap == text.count }

    /// The index after the separators that follow the last byte.
    var endOfGap: Int {
        switch form {
        case .base64: afterGap(end, isNumber: false)
        case .characters: end
        case .hexadecimal, .swappedWords, .decimal, .octal: afterGap(end, isNumber: true)
        }
    }

    /// The digits of base64, or the hexadecimal digits, after the last separator: the index after them, and their number.
    var piece: (end: Int, digits: Int) { piece(atMost: .max) }

    /// - Parameter maximum: the number of digits after which the others are not counted.
    func piece(atMost maximum: Int) -> (end: Int, digits: Int) {
        guard form != .base64 else {
            let (end, count) = Self.base64Digits(text[startOfPiece...], atMost: maximum)
            return (end, count)
        }
        let digits = text[startOfPiece...].prefix(maximum).prefix { Hex.value(of: $0) != nil }
        return (digits.endIndex, digits.count)
    }

    mutating func next() -> UInt8? {
        switch form {
        case .base64: nextOfBase64()
        case .hexadecimal: nextOfHexadecimal()
        case .swappedWords: nextOfWords()
        case .decimal: number(digits: 1...3, radix: 10)
        case .octal: number(digits: 3...3, radix: 8)
        case .characters: nextCharacter()
        }
    }

    func byte(_ index: Int) -> UInt8? { text.indices.contains(index) ? text[index] : nil }

    // MARK: Base64

    private mutating func nextOfBase64() -> UInt8? {
        while bitCount < 8 {
            guard let digit = nextDigit() else { return nil }
            bits = (bits << 6 | UInt32(digit)) & 0xFFFF
            bitCount += 6
        }
        bitCount -= 8
        return UInt8(truncatingIfNeeded: bits >> UInt32(bitCount))
    }

    private mutating func nextDigit() -> UInt8? {
        if let digit = base64Digit(at: end), !isBoundary(end) {
            end = digit.end
            return digit.value
        }
        let start = afterGap(end, isNumber: false)
        guard start > end, let digit = base64Digit(at: start), !isBoundary(start) else { return nil }
        // A word of one letter is no piece of a key. A line can have one digit.
        let isBlank = text[end..<start].allSatisfy { $0 == 0x20 || $0 == 0x09 }
        if isBlank, digit.end == start + 1, base64Digit(at: digit.end) == nil { return nil }
        (startOfPiece, end) = (start, digit.end)
        return digit.value
    }

    private func base64Digit(at index: Int) -> (value: UInt8, end: Int)? {
        guard let first = byte(index) else { return nil }
        // Most digits are not escaped.
        return Self.base64Value(of: first).map { ($0, index + 1) } ?? Self.base64Digit(text[index...])
    }

    /// The digit at the start of a text, which can be escaped as in JSON (`\u002B`, `\/`) or in a URL (`%2B`), and the index after it.
    static func base64Digit(_ text: ArraySlice<UInt8>) -> (value: UInt8, end: Int)? {
        guard let first = text.first else { return nil }
        if let value = base64Value(of: first) { return (value, text.startIndex + 1) }
        guard let escaped = escapedByte(text) else { return nil }
        return base64Value(of: escaped.byte).map { ($0, escaped.end) }
    }

    /// The index after the digits at the start of a text, and their number.
    static func base64Digits(_ text: ArraySlice<UInt8>, atMost maximum: Int = .max) -> (end: Int, count: Int) {
        var (end, count) = (text.startIndex, 0)
        while count < maximum, let digit = base64Digit(text[end...]) { (end, count) = (digit.end, count + 1) }
        return (end, count)
    }

    /// Whether a line of PEM, or the end of a comment in XML, begins at an index. A dash is a digit of base64url.
    private func isBoundary(_ index: Int) -> Bool {
        byte(index) == UInt8(ascii: "-")
            && ["-----END ", "-----BEGIN ", "-->"].contains { text[index...].starts(with: $0.utf8) }
    }

    /// The character at the start of a text that is escaped as in JSON or in a URL, and the index after it.
    static func escapedByte(_ text: ArraySlice<UInt8>) -> (byte: UInt8, end: Int)? {
        var digits = text.dropFirst()
        switch text.first {
        case UInt8(ascii: "%"): break
        case UInt8(ascii: "\\"):
            // A string in another string has two backslashes.
            if digits.first == UInt8(ascii: "\\") { digits = digits.dropFirst() }
            if digits.first == UInt8(ascii: "/") { return (UInt8(ascii: "/"), digits.startIndex + 1) }
            guard digits.starts(with: "u00".utf8) else { return nil }
            digits = digits.dropFirst(3)
        default: return nil
        }
        guard let byte = try? Hex.decode(digits.prefix(2)).first, digits.count > 1 else { return nil }
        return (byte, digits.startIndex + 2)
    }

    static func base64Value(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }

    // MARK: Numbers

    private mutating func nextOfHexadecimal() -> UInt8? {
        // Digits that follow the last byte directly belong to the same word.
        if let high = digit(end), let low = digit(end + 1) {
            end += 2
            return high << 4 | low
        }
        if let high = digit(end), digit(end - 1) != nil {
            // A word of an odd number of digits ends within a byte, and the next word begins with the rest of it.
            end += 1
            let next = startOfNumber()
            guard next > end, let low = digit(next) else { return nil }
            (startOfPiece, end) = (next, next + 1)
            return high << 4 | low
        }
        let start = startOfNumber()
        guard start > end || isStart(end), let high = digit(start) else { return nil }
        startOfPiece = start
        if let low = digit(start + 1) {
            end = start + 2
            return high << 4 | low
        }
        // Some programs print bytes up to 15 with one digit.
        guard byte(start + 1).map({ !Self.isLetterOrDigit($0) && $0 != UInt8(ascii: ".") }) ?? false else { return nil }
        end = start + 1
        return high
    }

    private func digit(_ index: Int) -> UInt8? { byte(index).flatMap(Hex.value) }

    private mutating func nextOfWords() -> UInt8? {
        if let byte = pending {
            pending = nil
            return byte
        }
        let start = startOfNumber()
        guard start > end || isStart(end), start + 4 <= text.count,
            let word = try? Hex.decode(text[start..<(start + 4)]), digit(start + 4) == nil
        else { return nil }
        end = start + 4
        pending = word[0]
        return word[1]
    }

    private mutating func number(digits: ClosedRange<Int>, radix: Int) -> UInt8? {
        var start = startOfNumber()
        guard start > end || isStart(end) else { return nil }
        let isNegative = radix == 10 && byte(start) == UInt8(ascii: "-")
        if isNegative { start += 1 }
        let number = text[min(start, text.count)...].prefix(4).prefix { $0.isDigit }
        guard digits.contains(number.count), !Self.isFraction(text[number.endIndex...]),
            let value = Int(String(decoding: number, as: UTF8.self), radix: radix), value <= (isNegative ? 128 : 255)
        else { return nil }
        end = number.endIndex
        return UInt8(truncatingIfNeeded: isNegative ? -value : value)
    }

    /// Whether no other digit is directly before a number.
    private func isStart(_ index: Int) -> Bool { byte(index - 1).map { !Self.isLetterOrDigit($0) } ?? true }

    /// The index of the first digit of the next number, after its prefix; the end of the last number if no separator follows it.
    private func startOfNumber() -> Int {
        var index = afterGap(end, isNumber: true)
        if hasOffsets {
            let offset = text[index...].prefix(16).prefix { Hex.value(of: $0) != nil }
            let isOnNextLine = text[end..<index].contains { $0 == 0x0A || $0 == UInt8(ascii: "\\") }
            // In a message, blanks can be in place of line ends. An offset of od has seven digits, and no word of bytes has an odd number.
            let isOffset = isOnNextLine ? offset.count >= 4 : offset.count == Self.digitsOfOffset
            index = isOffset ? afterGap(offset.endIndex, isNumber: true) : index
        }
        if byte(index) == UInt8(ascii: "0"), byte(index + 1)?.lowercased == UInt8(ascii: "x"), digit(index + 2) != nil {
            index += 2
        } else if byte(index)?.lowercased == UInt8(ascii: "x"), let before = byte(index - 1),
            "\\#".utf8.contains(before)
        {
            index += 1
        }
        return index
    }

    // MARK: Strings

    private mutating func nextCharacter() -> UInt8? {
        guard let first = byte(end) else { return nil }
        guard first == UInt8(ascii: "\\") else {
            // U+0080 to U+00FF, if the bytes were read as ISO 8859-1.
            if first == 0xC2 || first == 0xC3, let second = byte(end + 1) {
                end += 2
                return (first & 3) << 6 | second & 0x3F
            }
            guard first < 0x80 else { return nil }
            end += 1
            return first
        }
        var start = end + 1
        while byte(start) == UInt8(ascii: "\\") { start += 1 }
        switch byte(start) {
        case UInt8(ascii: "x"): return escape(of: 2, from: start + 1, radix: 16)
        case UInt8(ascii: "u"):
            guard text[min(start + 1, text.count)...].starts(with: "00".utf8) else { return nil }
            return escape(of: 2, from: start + 3, radix: 16)
        case UInt8(ascii: "n"): return character(0x0A, to: start + 1)
        case UInt8(ascii: "r"): return character(0x0D, to: start + 1)
        case UInt8(ascii: "t"): return character(0x09, to: start + 1)
        case UInt8(ascii: "b"): return character(0x08, to: start + 1)
        case UInt8(ascii: "f"): return character(0x0C, to: start + 1)
        case let digit? where digit.isDigit:
            let count = text[start...].prefix(3).prefix { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }.count
            return escape(of: count, from: start, radix: 8)
        case let other?: return character(other, to: start + 1)
        case nil: return nil
        }
    }

    private mutating func escape(of count: Int, from start: Int, radix: Int) -> UInt8? {
        let digits = text[min(start, text.count)...].prefix(count)
        guard digits.count == count, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: radix) else {
            return nil
        }
        end = digits.endIndex
        return value
    }

    private mutating func character(_ byte: UInt8, to end: Int) -> UInt8 {
        self.end = end
        return byte
    }
}
