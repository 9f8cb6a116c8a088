/// Why a text is not JSON, and where.
package struct JSONError: Error, Hashable, Sendable {
    package let position: SourcePosition
    package let reason: Reason

    package init(position: SourcePosition, reason: Reason) {
        self.position = position
        self.reason = reason
    }

    package enum Reason: Hashable, Sendable {
        /// The text ends too soon.
        case end(expected: Expected)
        /// A character that cannot stand there; nil for bytes that are no character.
        case unexpected(Unicode.Scalar?, expected: Expected)
        /// A word where a value belongs: any but `true`, `false` and `null`.
        case word(String)
        /// Something after the value that is the whole text.
        case trailing(Unicode.Scalar?)
        /// Bytes in a string that are not UTF-8.
        case invalidUTF8
        /// The text begins with the byte-order mark of UTF-16.
        case utf16
        /// A control character in a string, which must be escaped.
        case controlCharacter(Unicode.Scalar)
        /// A backslash before a character that has no escape.
        case escape(Unicode.Scalar?)
        /// Half of a UTF-16 surrogate pair without the other.
        case loneSurrogate(UInt16)
        /// The same key twice in one object.
        case duplicateKey(String, first: SourcePosition)
        /// More arrays and objects inside each other than this.
        case tooDeep(Int)
        /// More bytes than this.
        case tooLarge(Int)
    }

    /// What could have stood there.
    package enum Expected: Hashable, Sendable {
        case value
        /// After `[`.
        case valueOrBracket
        /// After `{`.
        case keyOrBrace
        /// After a comma in an object.
        case key
        case colon
        case commaOrBracket
        case commaOrBrace
        case digit
        case hexDigit
        case quote
    }

    package var message: String {
        switch reason {
        case .end(let expected): "\(Self.text(expected)) is expected, and the text ends"
        case .unexpected(let scalar, let expected):
            "\(Self.text(expected)) is expected, not \(Self.text(scalar))"
        case .word(let word): "a value is expected, not \(word.quotedExcerpt)"
        case .trailing(let scalar): "the JSON value is complete, and \(Self.text(scalar)) follows it"
        case .invalidUTF8: "the string is not UTF-8"
        case .utf16: "the text is UTF-16, and JSON is UTF-8"
        case .controlCharacter(let scalar): "the string has the control character \(Self.text(scalar))"
        case .escape(let scalar): "\(Self.text(scalar)) is no escape after a backslash"
        case .loneSurrogate(let unit):
            "\"\\u\(String(unit, radix: 16))\" is half of a surrogate pair, and the other half is missing"
        case .duplicateKey(let key, let first): "the key \(key.quotedExcerpt) occurs twice: first on line \(first.line)"
        case .tooDeep(let limit): "more than \(limit) arrays and objects stand inside each other"
        case .tooLarge(let limit): "the text is longer than \(limit) bytes"
        }
    }

    package var hint: String? {
        switch reason {
        case .unexpected("}", .key), .unexpected("]", .value): "no comma may stand before a closing bracket"
        case .unexpected("/", _), .unexpected("#", _), .trailing("/"), .trailing("#"): "JSON has no comments"
        case .unexpected("'", _): "JSON has strings in double quotes only"
        case .unexpected(_, .key), .unexpected(_, .keyOrBrace): "keys stand in double quotes"
        case .word: "strings stand in double quotes; the only words are true, false and null"
        case .utf16: "save it as UTF-8"
        case .controlCharacter("\n"), .controlCharacter("\r"): "a string ends on the line on which it begins"
        case .controlCharacter("\t"): #"write "\t""#
        case .escape: #"write a backslash as "\\""#
        case .duplicateKey: "readers differ in which of the two they take: remove one"
        default: nil
        }
    }

    private static func text(_ expected: Expected) -> String {
        switch expected {
        case .value: "a value"
        case .valueOrBracket: #"a value or "]""#
        case .keyOrBrace: #"a key or "}""#
        case .key: "a key"
        case .colon: #"":" after the key"#
        case .commaOrBracket: #""," or "]""#
        case .commaOrBrace: #""," or "}""#
        case .digit: "a digit"
        case .hexDigit: #"a hexadecimal digit after "\u""#
        case .quote: "the string's closing quote"
        }
    }

    private static func text(_ scalar: Unicode.Scalar?) -> String {
        scalar.map { String($0).quotedExcerpt } ?? "a byte that is no character"
    }
}
