package import Encodings
package import PropertyLists

/// Recognizes JavaScript and TypeScript.
package enum JavaScript {
    private static let words = [
        "require(", "export ", "module.exports", " from '", " from \"", "=>", "const ", "await ",
    ]

    /// Words before a name in other languages that have some of ``words``: Kotlin, Swift, C#. In a string or a comment of JavaScript
    /// they have no meaning.
    private static let otherKeywords: Set<String> = ["fun", "func", "val", "namespace"]

    /// Number of bytes of U+2028 and U+2029.
    static let lineSeparatorLength = 3

    /// Whether U+2028 or U+2029 is at an index. They end a line (ECMAScript, section 12.3).
    static func hasLineSeparator(_ bytes: [UInt8], at index: Int) -> Bool {
        bytes[index] == 0xe2
            && (bytes[index...].starts(with: [0xe2, 0x80, 0xa8]) || bytes[index...].starts(with: [0xe2, 0x80, 0xa9]))
    }

    /// The escape `\u0048` or `\u{48}` at an index; nil without one. In a name it is the character itself (ECMAScript, section
    /// 12.7).
    static func escape(in bytes: [UInt8], at index: Int) -> (value: UInt32, end: Int)? {
        guard index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u") else {
            return nil
        }
        var value: UInt32 = 0
        var end = index + 2
        let isBraced = end < bytes.count && bytes[end] == UInt8(ascii: "{")
        if isBraced { end += 1 }
        let first = end
        while end < bytes.count, isBraced || end < first + 4, let digit = Hex.value(of: bytes[end]) {
            value = value << 4 | UInt32(digit)
            guard value <= 0x10_ffff else { return nil }
            end += 1
        }
        if isBraced {
            guard end > first, end < bytes.count, bytes[end] == UInt8(ascii: "}") else { return nil }
            end += 1
        } else {
            guard end == first + 4 else { return nil }
        }
        return (value: value, end: end)
    }

    package static func isLikely(_ bytes: [UInt8]) -> Bool {
        guard words.contains(where: bytes.has), !bytes.contains(0) else { return false }
        let others = otherKeywords.map { $0 + " " } + ["#import", "import 'package:", "CertificatePinner"]
        guard others.contains(where: bytes.has) else { return true }
        let source = SourceText(bytes, language: .javaScript)
        return !source.tokens.indices.contains { index in
            guard let word = source.word(index) else { return false }
            return switch word {
            case "CertificatePinner": true
            case "import": source.isSign(index - 1, "#") || source.text(index + 1)?.hasPrefix("package:") ?? false
            default: otherKeywords.contains(word) && source.word(index + 1) != nil
            }
        }
    }
}

extension PinSetCodec {
    /// The literals of JavaScript as JSON values. Adds a warning for each expression whose value is not in the text.
    package static func literals(
        of bytes: [UInt8], _ warnings: inout ConversionWarnings,
        reading: (inout LiteralReader) throws(PinSetFormatError) -> [PropertyListValue]
    ) throws(PinSetFormatError) -> [JSONValue] {
        var reader = LiteralReader(bytes, format: format, language: .javaScript)
        let values = try reading(&reader)
        for expression in reader.unread {
            warnings.add(.valueNotLiteral(expression.text, key: expression.key, line: expression.line))
        }
        let lines = SourceLineIndex(bytes)
        return values.map { JSONValue(literal: $0, in: lines) }
    }
}
