/// Line ends in a text, also escaped ones (`\n`).
enum LineEnd {
    /// Whether a byte can be the first one of white space or of an escaped line end.
    static func canBegin(with byte: UInt8) -> Bool { byte.isWhiteSpace || byte == UInt8(ascii: "\\") }

    /// The index after the line end at the start of a text; nil if the text does not begin with one.
    static func end(at text: ArraySlice<UInt8>) -> Int? {
        switch text.first {
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"): text.startIndex + 1
        case UInt8(ascii: "\\"):
            text.dropFirst().first.flatMap { "nrt".utf8.contains($0) ? text.startIndex + 2 : nil }
        default: nil
        }
    }

    /// The index after the white space and the escaped line ends at the start of a text.
    static func skip(_ text: ArraySlice<UInt8>) -> Int {
        var rest = text
        while let first = rest.first {
            if first.isWhiteSpace {
                rest = rest.dropFirst()
            } else if let end = end(at: rest) {
                rest = text[end...]
            } else {
                break
            }
        }
        return rest.startIndex
    }

    /// The index after the white space and the line ends at the start of a text, and after what other programs put before a line.
    static func skipLines(_ text: ArraySlice<UInt8>) -> Int {
        var index = text.startIndex
        while index < text.endIndex {
            if let end = end(at: text[index...]) {
                index = afterPrefix(of: text[end...])
            } else if text[index].isWhiteSpace {
                index += 1
            } else {
                break
            }
        }
        return index
    }

    /// The index after what separates a name from the numbers on the next line: white space, line ends, quotes, backslashes, and what
    /// other programs put before a line.
    static func skipToNumbers(_ text: ArraySlice<UInt8>) -> Int {
        var rest = text.prefix(maximumGap)
        while let first = rest.first {
            if let end = end(at: rest) {
                rest = rest[min(afterPrefixOfNumbers(text[end...]), rest.endIndex)...]
            } else if first.isWhiteSpace || "\"'\\".utf8.contains(first) {
                rest = rest.dropFirst()
            } else {
                break
            }
        }
        return rest.startIndex
    }

    /// The characters between a name and numbers.
    private static let maximumGap = 64
    /// The characters of a prefix.
    private static let maximumPrefix = 16

    /// The index after the characters that a mail, a listing or a comment has before each line (`> `, ` 12| `, `// `). A line of base64 can
    /// follow.
    static func afterPrefix(of text: ArraySlice<UInt8>) -> Int {
        var rest = text.prefix(maximumPrefix)
        var end = text.startIndex
        while true {
            rest = rest.drop(while: isBlank)
            let digits = rest.prefix(while: \.isDigit)
            let marks = rest[digits.endIndex...].prefix { ">|#*;:.)]!%".utf8.contains($0) }
            let signs = rest.prefix { "/+-".utf8.contains($0) }
            if !marks.isEmpty {
                rest = rest[marks.endIndex...]
            } else if case let word = digits.isEmpty ? signs : digits, !word.isEmpty,
                rest[word.endIndex...].first.map(isBlank) == true
            {
                rest = rest[word.endIndex...]
            } else {
                return end
            }
            end = rest.startIndex
        }
    }

    /// The same before a line of numbers, in which digits and most signs are a part of the numbers. Only a number of a listing with a bar
    /// (` 12| `), and signs of a mail or a comment (`> `, `// `), cannot be one.
    static func afterPrefixOfNumbers(_ text: ArraySlice<UInt8>) -> Int {
        var rest = text.prefix(maximumPrefix)
        var end = text.startIndex
        while true {
            rest = rest.drop(while: isBlank)
            let digits = rest.prefix(while: \.isDigit)
            let gap = rest[digits.endIndex...].prefix(while: isBlank)
            let marks = rest[gap.endIndex...].prefix { "|>/#*%!".utf8.contains($0) }
            guard !marks.isEmpty, digits.isEmpty || marks.first == UInt8(ascii: "|") else { return end }
            rest = rest[marks.endIndex...]
            end = rest.startIndex
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
