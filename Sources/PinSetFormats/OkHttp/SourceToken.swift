internal import Encodings
internal import PinSetCodec
internal import Pinning

/// One word, text or sign of Kotlin or Java source; blanks are left out.
struct SourceToken {
    let kind: Kind
    /// In the source, quotes and comment signs included.
    let range: Range<Int>
    /// From 1.
    let line: Int

    enum Kind: Equatable {
        /// An identifier, a keyword or a number.
        case word
        /// A string literal. The value is nil where it cannot be known: it has a template (`"$name"`).
        case text(String?)
        /// Any other single character.
        case sign(UInt8)
        /// To the end of the line, or between `/*` and `*/`; without those signs.
        case comment(String)
    }
}

/// Takes source apart: enough of Kotlin and Java to find calls with literals, and never more than one pass.
struct SourceLexer {
    private let bytes: [UInt8]
    private var offset = 0
    private var line = 1
    private var nestsComments = true

    /// Longer literals hold no pin and no host: their value is not kept.
    private static let longestText = 4096

    static func tokens(of bytes: [UInt8]) -> [SourceToken] {
        var lexer = SourceLexer(bytes: bytes)
        var tokens: [SourceToken] = []
        while let token = lexer.next() { tokens.append(token) }
        return tokens
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

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
        case UInt8(ascii: "\""): kind = .text(hasRawQuote ? rawText() : text())
        case UInt8(ascii: "'"):
            skipCharacter()
            kind = .text(nil)
        case _ where byte.isWord:
            while let byte = self.byte(), byte.isWord { offset += 1 }
            kind = .word
        default:
            offset += 1
            kind = .sign(byte)
        }
        return SourceToken(kind: kind, range: start..<offset, line: line)
    }

    private mutating func lineComment() -> SourceToken.Kind {
        let start = offset + 2
        while let byte = byte(), byte != UInt8(ascii: "\n") { offset += 1 }
        return .comment(String(decoding: bytes[start..<offset].trimmed, as: UTF8.self))
    }

    /// Kotlin's stand inside each other and Java's do not: where reading them as Kotlin's finds no end, they are Java's.
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
                offset += 2
                depth += 1
            } else {
                advance()
            }
        }
        guard nestsComments else { return .comment("") }
        // Once for a text, so that reading stays linear.
        nestsComments = false
        (offset, line) = start
        return blockComment()
    }

    /// `'x'` or `'\''`; a lone apostrophe, as in other text, ends with its line.
    private mutating func skipCharacter() {
        offset += 1
        while let byte = byte(), byte != UInt8(ascii: "\n") {
            offset += 1
            if byte == UInt8(ascii: "'") { return }
            if byte == UInt8(ascii: "\\"), self.byte() != nil, self.byte() != UInt8(ascii: "\n") { offset += 1 }
        }
    }

    /// Between three quotes. Kotlin keeps it as it stands; Java takes the indentation off, which no pin has.
    private mutating func rawText() -> String? {
        offset += 3
        let start = offset
        while offset < bytes.count {
            if hasRawQuote {
                let contents = bytes[start..<offset].trimmed
                offset += 3
                guard contents.count <= Self.longestText, !contents.contains(UInt8(ascii: "$")) else { return nil }
                return String(decoding: contents, as: UTF8.self)
            }
            advance()
        }
        return nil
    }

    private mutating func text() -> String? {
        offset += 1
        var output: [UInt8] = []
        var isKnown = true
        while let byte = byte(), byte != UInt8(ascii: "\n") {
            offset += 1
            switch byte {
            case UInt8(ascii: "\""):
                return isKnown ? String(decoding: output, as: UTF8.self) : nil
            case UInt8(ascii: "\\"):
                if !escape(into: &output) { isKnown = false }
            case UInt8(ascii: "$") where isTemplate: isKnown = false
            default: output.append(byte)
            }
            if output.count > Self.longestText { (isKnown, output) = (false, []) }
        }
        return nil
    }

    /// What follows a dollar sign. One before anything else stands for itself, in Kotlin too.
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
