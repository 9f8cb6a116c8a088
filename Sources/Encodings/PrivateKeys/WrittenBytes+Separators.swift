extension WrittenBytes {
    /// Separators of a longer text are no separators. The limit keeps the work linear.
    private static let maximumGap = 64

    /// Conversions of a number in Kotlin.
    private static let conversions = [".toByte()", ".toUByte()"]

    /// Whether a text after a number continues it: a number with a fraction, a version or an IP address.
    static func isFraction(_ text: ArraySlice<UInt8>) -> Bool {
        text.first == UInt8(ascii: ".") && !conversions.contains { text.starts(with: $0.utf8) }
    }

    /// The words in which C, C++, C#, Go, Java, Kotlin, PowerShell, Rust and Swift name a type of byte, and the words of casts to it.
    private static let types: Set = [
        "as", "bitpattern", "byte", "char", "const", "i8", "int", "int8", "int8_t", "jbyte", "sbyte", "signed",
        "static_cast", "std", "truncatingifneeded", "u8", "u_char", "ubyte", "uchar", "uint8", "uint8_t", "unchecked",
        "unsigned",
    ]

    /// The index after the separators that begin at an index.
    func afterGap(_ start: Int, isNumber: Bool) -> Int {
        let limit = min(text.count, start + Self.maximumGap)
        var index = start
        while index < limit {
            if let end = LineEnd.end(at: text[index...]) {
                if isNumber {
                    index = LineEnd.afterPrefixOfNumbers(text[end...])
                } else {
                    // The percent sign of an escaped digit is no prefix.
                    index = Self.escapedByte(text[end...]) == nil ? LineEnd.afterPrefix(of: text[end...]) : end
                }
                continue
            }
            let first = text[index]
            switch first {
            case UInt8(ascii: "\\"):
                if !isNumber, byte(index + 1) == UInt8(ascii: "u") {
                    guard let end = endOfEscapedGap(index) else { return index }
                    index = end
                } else {
                    index += 1
                }
            case UInt8(ascii: "%") where !isNumber:
                guard let end = endOfEscapedGap(index) else { return index }
                index = end
            case UInt8(ascii: "+") where !isNumber:
                // Between two quotes, it joins strings.
                guard let next = byte(index + 1), next.isWhiteSpace || Self.isQuote(next), index > start else {
                    return index
                }
                index += 1
            case UInt8(ascii: "-") where isNumber:
                let isSign = byte(index + 1)?.isDigit == true && (index == 0 || !text[index - 1].isDigit)
                guard !isSign || form != .decimal else { return index }
                index += 1
            case UInt8(ascii: ":"), UInt8(ascii: ";"), UInt8(ascii: "|"), UInt8(ascii: "+"), UInt8(ascii: "("),
                UInt8(ascii: ")"), UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "#"), UInt8(ascii: "_"),
                UInt8(ascii: ">"), UInt8(ascii: "*"):
                guard isNumber else { return index }
                index += 1
            case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "<"):
                guard isNumber, isBracketOfType(index, after: start) else { return index }
                index += 1
            case UInt8(ascii: "."):
                guard isNumber, let cast = Self.conversions.first(where: { text[index...].starts(with: $0.utf8) })
                else { return index }
                index += cast.utf8.count
            default:
                if isNumber, let end = endOfSuffix(index, after: start) ?? endOfType(index) {
                    index = end
                } else if first == UInt8(ascii: ",") || first.isWhiteSpace || Self.isQuote(first) {
                    index += 1
                } else {
                    return index
                }
            }
        }
        return min(index, text.count)
    }

    /// The index after an escaped separator (`%0A`); nil for another character.
    private func endOfEscapedGap(_ index: Int) -> Int? {
        guard let escaped = Self.escapedByte(text[index...]), escaped.byte.isWhiteSpace || Self.isQuote(escaped.byte)
        else {
            return nil
        }
        return escaped.end
    }

    private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

    static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        byte.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    /// The index after the suffix of a number, as in `1u`, `1u8` and `1i8`; nil if none is there.
    private func endOfSuffix(_ index: Int, after start: Int) -> Int? {
        guard index == start else { return nil }
        if text[index...].starts(with: "i8".utf8) { return index + 2 }
        guard byte(index)?.lowercased == UInt8(ascii: "u") else { return nil }
        guard let next = byte(index + 1), Self.isLetterOrDigit(next) else { return index + 1 }
        return next == UInt8(ascii: "8") ? index + 2 : nil
    }

    /// Whether a bracket belongs to a cast, as in `[byte]1`, `byte{1}, byte{2}` and `static_cast<char>(1)`. Others divide lists and objects.
    private func isBracketOfType(_ index: Int, after start: Int) -> Bool {
        switch text[index] {
        case UInt8(ascii: "["): endOfType(index + 1) != nil
        case UInt8(ascii: "}"):
            index == start
                && endOfType(
                    text[(index + 1)...].prefix(8).drop { $0 == UInt8(ascii: ",") || $0.isWhiteSpace }.startIndex)
                    != nil
        default: index > start && Self.isLetterOrDigit(text[index - 1])
        }
    }

    /// The index after a word of ``types``; nil for another word.
    private func endOfType(_ index: Int) -> Int? {
        guard byte(index).map(Self.isLetterOrDigit) ?? false, byte(index - 1).map(Self.isLetterOrDigit) != true
        else { return nil }
        let word = text[index...].prefix(20).prefix { Self.isLetterOrDigit($0) || $0 == UInt8(ascii: "_") }
        return Self.types.contains(String(decoding: word, as: UTF8.self).lowercased()) ? word.endIndex : nil
    }
}
