/// A syntax error in a JSON text, with its position.
package struct JSONError: Error, Hashable, Sendable {
    package let position: SourcePosition
    package let reason: Reason

    package init(position: SourcePosition, reason: Reason) {
        self.position = position
        self.reason = reason
    }

    package enum Reason: Hashable, Sendable {
        /// The text ends too early.
        case end(expected: Expected)
        /// A character that is not allowed here; nil for bytes that are not UTF-8.
        case unexpected(Unicode.Scalar?, expected: Expected)
        /// A word instead of a value, other than `true`, `false` and `null`.
        case word(String)
        /// More text after the complete value.
        case trailing(Unicode.Scalar?)
        /// Bytes in a string that are not UTF-8.
        case invalidUTF8
        /// The text begins with the UTF-16 byte-order mark.
        case utf16
        /// A control character in a string without an escape.
        case controlCharacter(Unicode.Scalar)
        /// A backslash before a character that cannot be escaped.
        case escape(Unicode.Scalar?)
        /// One half of a UTF-16 surrogate pair without the other half.
        case loneSurrogate(UInt16)
        /// A duplicate key in an object.
        case duplicateKey(String, first: SourcePosition)
        /// The nesting depth is greater than this limit.
        case tooDeep(Int)
        /// The text has more bytes than this limit.
        case tooLarge(Int)
    }

    /// The syntax that the parser expected.
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
        case .end(let expected): "expected \(Self.text(expected)), found the end of the text"
        case .unexpected(let scalar, let expected):
            "expected \(Self.text(expected)), found \(Self.text(scalar))"
        case .word(let word): "expected a value, found \(Self.shown(word).quotedExcerpt)"
        case .trailing(let scalar): "expected the end of the text after the JSON value, found \(Self.text(scalar))"
        case .invalidUTF8: "the string is not UTF-8"
        case .utf16: "the text is UTF-16, expected UTF-8"
        case .controlCharacter(let scalar):
            "the string contains the control character \(Self.text(scalar)) without an escape"
        case .escape(let scalar): "unknown escape: a backslash and \(Self.text(scalar))"
        case .loneSurrogate(let unit):
            "\"\\u\(String(unit, radix: 16))\" is half of a surrogate pair, but the other half is missing"
        case .duplicateKey(let key, let first):
            "duplicate key \(key.withoutUserInfo.quotedExcerpt): first on line \(first.line)"
        case .tooDeep(let limit): "arrays and objects are nested deeper than \(limit) levels"
        case .tooLarge(let limit): "the text is longer than \(limit) bytes"
        }
    }

    package var hint: String? {
        switch reason {
        case .unexpected("}", .key), .unexpected("]", .value): "remove the comma before the closing bracket"
        case .unexpected("/", _), .unexpected("#", _), .trailing("/"), .trailing("#"):
            "remove the comment: JSON has no comments"
        case .unexpected("'", _): "use double quotes"
        case .unexpected(_, .key), .unexpected(_, .keyOrBrace): "write keys in double quotes"
        case .word: "write strings in double quotes; the only words without quotes are true, false and null"
        case .utf16: "save it as UTF-8"
        case .controlCharacter("\n"), .controlCharacter("\r"): "close the string on the line on which it begins"
        case .controlCharacter("\t"): #"write "\t""#
        case .escape: #"write a backslash as "\\""#
        case .duplicateKey: "remove one: readers differ in which value they use"
        default: nil
        }
    }

    /// A short word, or the start of another text: the first line of a file that is not JSON can be a part of a private key in base64.
    private static func shown(_ word: String) -> String {
        let isWord = word.utf8.count <= 9 && word.utf8.dropFirst().allSatisfy { $0 >= UInt8(ascii: "a") }
        return word.utf8.count <= 4 || isWord ? word : word.prefix(4) + "…"
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
        scalar.map { String($0).quotedExcerpt } ?? "a byte that is not UTF-8"
    }
}
