internal import Encodings
internal import PinSetCodec
internal import Pinning

/// A token of Kotlin or Java source code: a word, a string, a comment or another character. White space is not a token.
struct SourceToken {
    let kind: Kind
    /// The range in the source, including quotes and comment delimiters.
    let range: Range<Int>
    /// Line number, from 1.
    let line: Int

    enum Kind: Equatable {
        /// An identifier, a keyword or a number.
        case word
        /// A string literal; nil if it is too long or not closed.
        case text(String?)
        /// A string literal with templates (`"sha256/$pin"`).
        case template([TemplatePart])
        /// Any other single character.
        case sign(UInt8)
        /// A comment to the end of the line, or between `/*` and `*/`, without the delimiters.
        case comment(String)
    }
}

extension SourceToken: JavaToken {
    var isText: Bool {
        switch kind {
        case .text, .template: true
        default: false
        }
    }

    var sign: UInt8? { if case .sign(let sign) = kind { sign } else { nil } }
}

/// A part of a string literal: its text, or the expression in a template if it is a name.
enum TemplatePart: Equatable {
    case text(String)
    /// The name, with those of its owners and dots between; nil for another expression.
    case name(String?)
}

/// Divides source code into tokens in one pass. It supports as much of Kotlin and Java as is needed to find calls with literals.
struct SourceLexer {
    private let bytes: [UInt8]
    private var offset = 0
    private var line = 1
    private var nestsComments: Bool
    /// The line of the first comment that contains another one, in a text in which comments can be nested; nil without such a comment.
    private var nestedLine: Int?
    /// The line of the first string that ends in Kotlin after a backslash; nil without such a string.
    private var escapedLine: Int?
    /// The line of the comment or string over several lines that does not end; nil without one.
    private var unclosedLine: Int?
    private var comments: [SourceToken] = []

    /// Maximum length of a literal whose value is stored. Longer literals contain neither a pin nor a host.
    private static let maximumTextLength = 4096
    private static let maximumParts = 64

    /// The tokens without comments, the comments, and why the source may be other code for its compiler.
    static func read(_ bytes: [UInt8]) -> (tokens: [SourceToken], comments: [SourceToken], SourceAmbiguity?) {
        var (nested, flat) = (
            SourceLexer(bytes: bytes, nestsComments: true), SourceLexer(bytes: bytes, nestsComments: false)
        )
        let (tokens, ambiguity) = JavaReading.tokens(of: bytes, nested: nested.reading()) { flat.reading() }
        return (tokens, nested.nestsComments ? nested.comments : flat.comments, ambiguity)
    }

    private init(bytes: [UInt8], nestsComments: Bool) { (self.bytes, self.nestsComments) = (bytes, nestsComments) }

    private mutating func reading() -> JavaReading<SourceToken> {
        var tokens: [SourceToken] = []
        while let token = next() {
            if case .comment = token.kind { comments.append(token) } else { tokens.append(token) }
        }
        return JavaReading(
            tokens, nestedLine: nestedLine, escapedLine: escapedLine, unclosedLine: unclosedLine,
            isClosed: nestsComments)
    }

    private func byte(_ distance: Int = 0) -> UInt8? {
        offset + distance < bytes.count ? bytes[offset + distance] : nil
    }

    private func has(_ first: UInt8, _ second: UInt8) -> Bool { byte() == first && byte(1) == second }

    private var hasRawQuote: Bool {
        has(UInt8(ascii: "\""), UInt8(ascii: "\"")) && byte(2) == UInt8(ascii: "\"")
    }

    private mutating func advance() {
        if bytes[offset] == UInt8(ascii: "\n") { line += 1 }
        offset += 1
    }

    private mutating func next() -> SourceToken? {
        while let byte = byte(), byte.isWhiteSpace { advance() }
        guard let byte = byte() else { return nil }
        let (start, line) = (offset, line)
        let kind: SourceToken.Kind
        switch byte {
        case UInt8(ascii: "/") where self.byte(1) == UInt8(ascii: "/"): kind = lineComment()
        case UInt8(ascii: "/") where self.byte(1) == UInt8(ascii: "*"): kind = blockComment()
        case UInt8(ascii: "\""): kind = hasRawQuote ? .text(rawText()) : text()
        case UInt8(ascii: "'"):
            skipCharacter()
            kind = .text(nil)
        case UInt8(ascii: "`"):
            guard let name = quotedName() else {
                offset += 1
                kind = .sign(byte)
                break
            }
            return SourceToken(kind: .word, range: name, line: line)
        case _ where byte.isWord:
            while let byte = self.byte(), byte.isWord { offset += 1 }
            kind = .word
        default:
            offset += 1
            kind = .sign(byte)
        }
        return SourceToken(kind: kind, range: start..<offset, line: line)
    }

    /// Reads a name in backticks, which Kotlin allows for each name; nil if the second one is not on the same line.
    ///
    /// - Returns: the range of the name, without the backticks.
    private mutating func quotedName() -> Range<Int>? {
        let start = offset + 1
        guard
            let end = bytes[start...].firstIndex(where: { $0 == UInt8(ascii: "`") || $0 == UInt8(ascii: "\n") }),
            bytes[end] == UInt8(ascii: "`")
        else { return nil }
        offset = end + 1
        return start..<end
    }

    private mutating func lineComment() -> SourceToken.Kind {
        let start = offset + 2
        while let byte = byte(), !byte.endsLine { offset += 1 }
        return .comment(String(decoding: bytes[start..<offset].trimmed, as: UTF8.self))
    }

    /// Skips a comment. Comments can be nested in Kotlin but not in Java. If a nested comment has no end, it is read again without
    /// nesting.
    private mutating func blockComment() -> SourceToken.Kind {
        let start = (offset, line)
        offset += 2
        var depth = 1
        while offset < bytes.count {
            if has(UInt8(ascii: "*"), UInt8(ascii: "/")) {
                offset += 2
                depth -= 1
                if depth == 0 {
                    return .comment(String(decoding: bytes[start.0 + 2..<offset - 2].trimmed, as: UTF8.self))
                }
            } else if nestsComments, has(UInt8(ascii: "/"), UInt8(ascii: "*")) {
                nestedLine = nestedLine ?? start.1
                offset += 2
                depth += 1
            } else {
                advance()
            }
        }
        guard nestsComments else {
            unclosedLine = start.1
            return .comment("")
        }
        // This happens at most once for each text, so that the time stays linear.
        nestsComments = false
        (offset, line) = start
        return blockComment()
    }

    /// Skips `'x'` or `'\''`. A single apostrophe, as in prose, ends at the end of its line.
    private mutating func skipCharacter() {
        offset += 1
        while let byte = byte(), byte != UInt8(ascii: "\n") {
            offset += 1
            if byte == UInt8(ascii: "'") { return }
            if byte == UInt8(ascii: "\\"), self.byte() != nil, self.byte() != UInt8(ascii: "\n") { offset += 1 }
        }
    }

    /// Reads a string between triple quotes, with its white space. Java removes the indentation and Kotlin does not.
    private mutating func rawText() -> String? {
        let first = line
        offset += 3
        let start = offset
        while offset < bytes.count {
            if hasRawQuote {
                if bytes[start..<offset].endsWithEscape { escapedLine = escapedLine ?? line }
                // In Kotlin, further quotation marks before the last three are in the string.
                while byte(3) == UInt8(ascii: "\"") { offset += 1 }
                let contents = bytes[start..<offset]
                offset += 3
                guard contents.count <= Self.maximumTextLength, !contents.contains(UInt8(ascii: "$")) else {
                    return nil
                }
                return String(decoding: contents, as: UTF8.self)
            }
            advance()
        }
        unclosedLine = first
        return nil
    }

    private mutating func text() -> SourceToken.Kind {
        offset += 1
        var parts: [TemplatePart] = []
        var output: [UInt8] = []
        var isKnown = true
        while let byte = byte(), byte != UInt8(ascii: "\n") {
            offset += 1
            switch byte {
            case UInt8(ascii: "\""):
                let text = String(decoding: output, as: UTF8.self)
                guard isKnown else { return .text(nil) }
                return parts.isEmpty ? .text(text) : .template(parts + [.text(text)])
            case UInt8(ascii: "\\"):
                if !escape(into: &output) { isKnown = false }
            case UInt8(ascii: "$") where isTemplate:
                parts += [.text(String(decoding: output, as: UTF8.self)), .name(templateName())]
                output = []
            default: output.append(byte)
            }
            if output.count > Self.maximumTextLength || parts.count > Self.maximumParts {
                (isKnown, output, parts) = (false, [], [])
            }
        }
        return .text(nil)
    }

    /// Reads the name after a dollar sign, in braces also with the names of its owners: `${Pins.ROOT}`.
    private mutating func templateName() -> String? {
        let isBraced = byte() == UInt8(ascii: "{")
        if isBraced { offset += 1 }
        let start = offset
        while let byte = byte(), byte.isWord || isBraced && byte == UInt8(ascii: ".") { offset += 1 }
        let name = bytes[start..<offset]
        let isName = !isBraced || byte() == UInt8(ascii: "}")
        if isBraced {
            while let byte = byte(), byte != UInt8(ascii: "}"), byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\"") {
                offset += 1
            }
            if byte() == UInt8(ascii: "}") { offset += 1 }
        }
        return isName && !name.isEmpty ? String(decoding: name, as: UTF8.self) : nil
    }

    /// Whether the character after a dollar sign begins a template. If not, the dollar sign is literal, even in Kotlin.
    private var isTemplate: Bool {
        guard let byte = byte() else { return false }
        return byte == UInt8(ascii: "{") || byte.isWord && !byte.isDigit
    }

    private mutating func escape(into output: inout [UInt8]) -> Bool {
        guard let byte = byte(), byte != UInt8(ascii: "\n") else { return false }
        offset += 1
        switch byte {
        case UInt8(ascii: "n"): output.append(0x0a)
        case UInt8(ascii: "r"): output.append(0x0d)
        case UInt8(ascii: "t"): output.append(0x09)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "$"): output.append(byte)
        case UInt8(ascii: "u"):
            var unit: UInt32 = 0
            for _ in 0..<4 {
                guard let digit = self.byte().flatMap(Hex.value(of:)) else { return false }
                unit = unit << 4 | UInt32(digit)
                offset += 1
            }
            guard let scalar = Unicode.Scalar(unit) else { return false }
            output.append(contentsOf: String(Character(scalar)).utf8)
        default: return false
        }
        return true
    }
}
