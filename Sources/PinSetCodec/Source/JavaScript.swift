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
