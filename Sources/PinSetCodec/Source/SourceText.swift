package import Encodings

/// The tokens of source code in JavaScript, Dart, Python, Java, Kotlin or Swift, or of a configuration in a similar syntax.
///
/// The tokens suffice to find calls and literals. All other code is skipped without interpretation.
package struct SourceText: Sendable {
    package enum Language: Sendable {
        /// JavaScript, TypeScript, and JSON with comments.
        case javaScript
        case dart
        case python
        /// Java and Kotlin.
        case java
        case swift
        /// Comments begin with `#` or `//`; keys and values need no quotes.
        case configuration

        /// Whether a comment can contain another one: in Dart, Kotlin and Swift, but not in Java.
        var nestsComments: Bool { [.dart, .java, .swift].contains(self) }
    }

    package struct Token: Sendable {
        package let kind: Kind
        /// Byte offsets in the source; a string includes its quotes.
        package let range: Range<Int>
        /// From 1.
        package let line: Int
    }

    package enum Kind: Equatable, Sendable {
        /// A name, a keyword or a number.
        case word
        /// A string; nil if it contains an interpolation or is longer than ``maximumTextLength``.
        case text([UInt8]?)
        case sign(UInt8)
    }

    /// Longer strings contain neither a host nor a pin.
    static let maximumTextLength = 4096
    /// This number of bytes of text in a constant counts as one more value, because each use takes time for the text.
    static let lengthPerValue = 16

    package let bytes: [UInt8]
    package let tokens: [Token]
    private let language: Language
    /// For Java, Kotlin and Python, why the source may be other code for its compiler or interpreter; nil if it is not.
    package let ambiguity: SourceAmbiguity?
    /// The index of the closing bracket for each opening bracket.
    private let closing: [Int: Int]
    /// The index of the innermost open bracket for each token; -1 outside brackets.
    private let parents: [Int]

    package init(_ bytes: [UInt8], language: Language) {
        (self.bytes, self.language) = (bytes, language)
        (tokens, ambiguity) = SourceScanner.tokens(of: bytes, language: language)
        var closing: [Int: Int] = [:]
        var parents: [Int] = []
        parents.reserveCapacity(tokens.count)
        var open: [Int] = []
        for (index, token) in tokens.enumerated() {
            switch token.kind {
            case .sign(UInt8(ascii: "(")), .sign(UInt8(ascii: "[")), .sign(UInt8(ascii: "{")):
                parents.append(open.last ?? -1)
                open.append(index)
            case .sign(UInt8(ascii: ")")), .sign(UInt8(ascii: "]")), .sign(UInt8(ascii: "}")):
                if let start = open.popLast() { closing[start] = index }
                parents.append(open.last ?? -1)
            default: parents.append(open.last ?? -1)
            }
        }
        (self.closing, self.parents) = (closing, parents)
    }

    package func isSign(_ index: Int, _ sign: Unicode.Scalar) -> Bool {
        tokens.indices.contains(index) && tokens[index].kind == .sign(UInt8(ascii: sign))
    }

    /// The name, keyword or number at an index.
    package func word(_ index: Int) -> String? {
        guard tokens.indices.contains(index), tokens[index].kind == .word else { return nil }
        return String(decoding: bytes[tokens[index].range], as: UTF8.self)
    }

    /// The value of the string at an index.
    package func text(_ index: Int) -> String? {
        guard tokens.indices.contains(index), case .text(let text?) = tokens[index].kind else { return nil }
        return String(validating: text, as: UTF8.self)
    }

    package func isWord(_ index: Int, _ text: String) -> Bool {
        guard tokens.indices.contains(index), tokens[index].kind == .word else { return false }
        return bytes[tokens[index].range].elementsEqual(text.utf8)
    }

    /// The indices of the tokens that are this name, either as a word or as a string.
    package func indices(of name: String) -> [Int] {
        let name = Array(name.utf8)
        return tokens.indices.filter { index in
            switch tokens[index].kind {
            case .word: bytes[tokens[index].range].elementsEqual(name)
            case .text(let text): text == name
            case .sign: false
            }
        }
    }

    package func closingBracket(of index: Int) -> Int? { closing[index] }

    /// The index of the innermost bracket around a token; nil outside brackets.
    package func openBracket(around index: Int) -> Int? {
        guard parents.indices.contains(index), parents[index] >= 0 else { return nil }
        return parents[index]
    }

    /// The comment that follows a token on the same line, after closing brackets and commas; nil without a comment.
    package func comment(after index: Int) -> String? {
        guard tokens.indices.contains(index) else { return nil }
        let rest = bytes[tokens[index].range.upperBound...].drop { " \t)],;".utf8.contains($0) }
        guard rest.starts(with: "//".utf8) else { return nil }
        let text = rest.dropFirst(2).prefix { !$0.endsLine }.trimmed
        return text.isEmpty || text.count > Self.maximumTextLength ? nil : String(decoding: text, as: UTF8.self)
    }

    /// Whether a string or a comment of several lines begins before a byte offset and ends after it.
    package func isInTextOrComment(_ offset: Int) -> Bool {
        let before = tokens.last { $0.range.lowerBound < offset }
        guard (before?.range.upperBound ?? 0) <= offset else { return true }
        var rest = bytes[(before?.range.upperBound ?? 0)..<offset]
        var depth = 0
        while !rest.isEmpty {
            if depth == 0, rest.starts(with: "//".utf8) {
                rest = rest.drop { !$0.endsLine }
            } else if rest.starts(with: "/*".utf8), depth == 0 || language.nestsComments {
                (depth, rest) = (depth + 1, rest.dropFirst(2))
            } else if rest.starts(with: "*/".utf8), depth > 0 {
                (depth, rest) = (depth - 1, rest.dropFirst(2))
            } else {
                rest = rest.dropFirst()
            }
        }
        return depth > 0
    }

    package func position(of index: Int) -> SourcePosition? {
        guard tokens.indices.contains(index) else { return nil }
        let token = tokens[index]
        var start = token.range.lowerBound
        while start > 0, bytes[start - 1] != UInt8(ascii: "\n") {
            // A column far to the right does not help the reader.
            guard token.range.lowerBound - start < Self.maximumTextLength else {
                return SourcePosition(line: token.line, column: 1)
            }
            start -= 1
        }
        let column = bytes[start..<token.range.lowerBound].count { $0 & 0xc0 != 0x80 } + 1
        return SourcePosition(line: token.line, column: column)
    }

    /// The source text of a range of tokens, for a message.
    package func source(of range: Range<Int>) -> String {
        guard let first = tokens[range.clamped(to: tokens.indices)].first,
            let last = tokens[range.clamped(to: tokens.indices)].last
        else { return "" }
        return String(decoding: bytes[first.range.lowerBound..<last.range.upperBound].prefix(4096), as: UTF8.self)
            .boundedWithoutPrivateKeys
    }
}
