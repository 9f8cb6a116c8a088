/// A text in which characters are written as escapes.
///
/// Each reader decodes the escapes of its format, and writers leave out characters, so a key that is not recognized in the file can be in
/// the text of a report or of another file.
enum UnescapedText {
    /// The text with each character of ASCII in place of its escape: `\u0041`, `\u{41}`, `\x41`, `%41`, `&#65;`, `&#x41;`, `&quot;`, and `\065`
    /// as a decimal number (RFC 1035, section 5.1), and again as an octal one. Control characters, tabs in a word, and characters that are not
    /// in ASCII are left out, also without an escape, because writers leave out some of them. Empty if nothing changes.
    ///
    /// An escaped line end is a carriage return, so the lines stay the same.
    static func texts(of text: [UInt8]) -> [[UInt8]] {
        let decimal = decoded(text, radix: 10)
        let octal = decimal.hasNumber ? decoded(text, radix: 8) : nil
        return [decimal, octal].compactMap { $0?.bytes }
    }

    /// The texts of ``texts(of:)`` with the index of each byte in the original text.
    ///
    /// - Parameter rounds: how often the text is decoded. A URL encodes what another text has encoded before.
    static func mappedTexts(of text: [UInt8], rounds: Int) -> [MappedText] {
        var current = MappedText(bytes: text, starts: Array(0...text.count))
        var texts: [MappedText] = []
        for _ in 0..<rounds {
            let decimal = decoded(current.bytes, radix: 10, keepsStarts: true)
            guard let next = current.mapping(decimal) else { break }
            texts.append(next)
            let octal = decimal.hasNumber ? decoded(current.bytes, radix: 8, keepsStarts: true) : nil
            if let octal = octal.flatMap(current.mapping) { texts.append(octal) }
            current = next
        }
        return texts
    }

    /// A decoded text, and for each of its bytes, and its end, the index in the original text.
    struct MappedText {
        let bytes: [UInt8]
        fileprivate let starts: [Int]

        /// The range of the original text that a range of decoded bytes has.
        func original(_ range: Range<Int>) -> Range<Int> { starts[range.lowerBound]..<starts[range.upperBound] }

        /// This text decoded once more; nil if nothing changes.
        fileprivate func mapping(_ output: Output) -> MappedText? {
            output.bytes.map { MappedText(bytes: $0, starts: output.starts.map { starts[$0] }) }
        }
    }

    /// Whether ``texts(of:)`` may change a text.
    static func mayHaveEscapes(_ text: Span<UInt8>) -> Bool {
        // The loop has no early exit, so that the compiler can vectorize it.
        var found: UInt8 = 0
        for index in text.indices { found |= isPlain(text[index]) ? 0 : 1 }
        return found != 0
    }

    /// Whether a letter or a digit is escaped in a text.
    static func hasEscapedLetters(_ text: ArraySlice<UInt8>) -> Bool {
        text.indices.contains { index in
            "\\&%".utf8.contains(text[index])
                && escape(text[index...], radix: 10)?.byte.map(WrittenBytes.isLetterOrDigit) == true
        }
    }

    /// A text while it is decoded.
    fileprivate struct Output {
        /// nil if the text has no escape.
        var bytes: [UInt8]?
        /// For each byte, and the end, the index in the text; without those of the bytes if they are not kept.
        var starts: [Int] = []
        /// Whether a digit follows a backslash.
        var hasNumber = false
        private let keepsStarts: Bool

        init(keepsStarts: Bool) { self.keepsStarts = keepsStarts }

        /// Appends plain text, and the byte in place of the escape that follows, if it has one.
        mutating func append(_ plain: ArraySlice<UInt8>, escape byte: UInt8? = nil) {
            if bytes == nil { bytes = [] }
            bytes?.append(contentsOf: plain)
            if let byte { bytes?.append(byte) }
            guard keepsStarts else { return }
            starts += plain.indices
            if byte != nil { starts.append(plain.endIndex) }
        }
    }

    /// - Parameters:
    ///   - radix: the base of three digits after a backslash.
    ///   - keepsStarts: whether the index of each byte is kept.
    private static func decoded(_ text: [UInt8], radix: Int, keepsStarts: Bool = false) -> Output {
        var output = Output(keepsStarts: keepsStarts)
        var (index, copied) = (0, 0)
        while let start = text[index...].firstIndex(where: { !isPlain($0) }) {
            // A string in another string has two backslashes.
            if text[start...].prefix(3).drop(while: { $0 == UInt8(ascii: "\\") }).first?.isDigit == true {
                output.hasNumber = true
            }
            let character: (byte: UInt8?, end: Int)
            if isVisible(text[start]) || text[start] == tab && !isInWord(start, of: text) {
                guard let escape = escape(text[start...], radix: radix) else {
                    index = start + 1
                    continue
                }
                character = escape
            } else {
                character = (nil, start + 1)
            }
            output.append(text[copied..<start], escape: character.byte)
            (index, copied) = (character.end, character.end)
        }
        guard output.bytes != nil else { return output }
        output.append(text[copied...])
        output.starts.append(text.count)
        return output
    }

    private static let tab = UInt8(ascii: "\t")

    /// Whether the characters on both sides of an index can be digits of one key.
    private static func isInWord(_ index: Int, of text: [UInt8]) -> Bool {
        guard index > 0, index + 1 < text.count else { return false }
        return isDigitOfKey(text[index - 1]) && isDigitOfKey(text[index + 1])
    }

    private static func isDigitOfKey(_ byte: UInt8) -> Bool {
        WrittenBytes.isLetterOrDigit(byte) || "+/-_".utf8.contains(byte)
    }

    /// Whether a byte is a blank, a line end or a visible character of ASCII.
    private static func isVisible(_ byte: UInt8) -> Bool { (0x20..<0x7F).contains(byte) || byte.endsLine }

    /// Whether a byte is visible and begins no escape.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\\"), UInt8(ascii: "&"), UInt8(ascii: "%"): false
        default: isVisible(byte)
        }
    }

    /// The byte in place of an escape; nil if the character is left out.
    private static func byte(of value: UInt32) -> UInt8? {
        switch value {
        case 0x0A, 0x0D: 0x0D
        case 0x09: 0x20
        case 0x20..<0x7F: UInt8(value)
        default: nil
        }
    }

    /// The names of characters in XML and HTML that can be a part of a key, or delimit it.
    private static let names: [(name: String, character: UInt8)] = [
        ("quot;", UInt8(ascii: "\"")), ("apos;", UInt8(ascii: "'")), ("lt;", UInt8(ascii: "<")),
        ("gt;", UInt8(ascii: ">")),
        ("amp;", UInt8(ascii: "&")), ("plus;", UInt8(ascii: "+")), ("sol;", UInt8(ascii: "/")),
        ("equals;", UInt8(ascii: "=")),
    ]

    /// The character that is escaped at the start of a text, nil if it is left out, and the index after it; nil without an escape.
    private static func escape(_ text: ArraySlice<UInt8>, radix: Int) -> (byte: UInt8?, end: Int)? {
        var rest = text.dropFirst()
        func number(_ radix: Int, _ digits: ClosedRange<Int>, end: UInt8?) -> (byte: UInt8?, end: Int)? {
            let isDigit: (UInt8) -> Bool = radix == 16 ? { Hex.value(of: $0) != nil } : { $0.isDigit }
            let number = rest.prefix(digits.upperBound).prefix(while: isDigit)
            guard number.count >= digits.lowerBound,
                let value = UInt32(String(decoding: number, as: UTF8.self), radix: radix),
                value <= (digits.upperBound == 3 ? 0xFF : 0x10FFFF)
            else { return nil }
            guard let end else { return (byte(of: value), number.endIndex) }
            return text[number.endIndex...].first == end ? (byte(of: value), number.endIndex + 1) : nil
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
            // Control characters in JSON, and in C.
            if let letter = rest.first, "tvfb".utf8.contains(letter) { return (nil, rest.startIndex + 1) }
            if drop("u{") { return number(16, 1...6, end: UInt8(ascii: "}")) }
            if drop("u") { return number(16, 4...4, end: nil) }
            return drop("x") ? number(16, 2...2, end: nil) : number(radix, 3...3, end: nil)
        default: return nil
        }
    }
}
