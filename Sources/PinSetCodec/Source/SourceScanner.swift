internal import Encodings

/// Separates source code into tokens in one pass.
struct SourceScanner {
    private let bytes: [UInt8]
    private let language: SourceText.Language
    private var offset = 0
    private var line = 1
    /// For each kind of quote, an offset: no string of that kind that begins before it is closed. It keeps the scan linear.
    private var unclosedUntil: [UInt8: Int] = [:]
    private var hasUnclosedComment = false
    /// The line of the first comment or string over several lines that does not end; nil without one.
    private var unclosedLine: Int?
    /// Finds the regular expressions of JavaScript.
    private var regularExpressions = RegularExpressionFinder()
    /// Whether a comment can contain another one.
    private var nestsComments: Bool
    /// The line of the first comment that contains another one; nil without such a comment.
    private var nestedLine: Int?
    /// The line of the first string that ends in Kotlin after a backslash; nil without such a string.
    private var escapedLine: Int?

    /// - Returns: also why a source in Java, Kotlin or Python may be other code for its compiler or interpreter.
    static func tokens(
        of bytes: [UInt8], language: SourceText.Language
    ) -> ([SourceText.Token], SourceAmbiguity?) {
        func scanner(nestsComments: Bool) -> SourceScanner {
            SourceScanner(bytes: bytes, language: language, nestsComments: nestsComments)
        }
        var nested = scanner(nestsComments: language.nestsComments)
        let reading = nested.reading()
        if language == .python {
            let words = reading.tokens.filter { $0.kind == .word }.map(\.range)
            return (reading.tokens, SourceAmbiguity(inPython: bytes, words: words))
        }
        guard language == .java else { return (reading.tokens, nil) }
        return JavaReading.tokens(of: bytes, nested: reading) {
            var flat = scanner(nestsComments: false)
            return flat.reading()
        }
    }

    private init(bytes: [UInt8], language: SourceText.Language, nestsComments: Bool) {
        (self.bytes, self.language, self.nestsComments) = (bytes, language, nestsComments)
    }

    private mutating func reading() -> JavaReading<SourceText.Token> {
        var tokens: [SourceText.Token] = []
        while let token = next() { tokens.append(token) }
        return JavaReading(
            tokens, nestedLine: nestedLine, escapedLine: escapedLine, unclosedLine: unclosedLine,
            isClosed: nestsComments)
    }

    private func byte(_ distance: Int = 0) -> UInt8? {
        offset + distance < bytes.count ? bytes[offset + distance] : nil
    }

    private mutating func next() -> SourceText.Token? {
        skipTrivia()
        guard let byte = byte() else { return nil }
        let (start, line) = (offset, self.line)
        if language == .java || language == .swift, let name = quotedName() {
            return SourceText.Token(kind: .word, range: name, line: line)
        }
        let kind: SourceText.Kind
        if language == .javaScript, byte == UInt8(ascii: "/"),
            let end = regularExpressions.end(in: bytes, at: offset)
        {
            offset = end
            kind = .text(nil)
        } else if let prefix = stringPrefix() {
            offset += prefix.length
            if let text = string(prefix) {
                kind = text
            } else {
                offset = start + 1
                kind = prefix.length > 0 ? word(from: start) : .sign(byte)
            }
        } else if byte.isWord || byte == UInt8(ascii: "$") && language == .javaScript {
            kind = word(from: start)
        } else {
            offset += 1
            kind = .sign(byte)
        }
        if language == .javaScript {
            switch kind {
            case .word: regularExpressions.addWord(bytes[start..<offset], end: offset)
            case .text: regularExpressions.addValue(end: offset)
            case .sign(let sign): regularExpressions.addSign(sign, end: offset)
            }
        }
        return SourceText.Token(kind: kind, range: start..<offset, line: line)
    }

    /// Reads a name in backticks, which Kotlin allows for each name, and Swift for keywords; nil without the second one on the same line.
    ///
    /// - Returns: the range of the name, without the backticks.
    private mutating func quotedName() -> Range<Int>? {
        let start = offset + 1
        guard byte() == UInt8(ascii: "`"),
            let end = bytes[start...].firstIndex(where: { $0 == UInt8(ascii: "`") || $0 == UInt8(ascii: "\n") }),
            bytes[end] == UInt8(ascii: "`")
        else { return nil }
        offset = end + 1
        return start..<end
    }

    private mutating func word(from start: Int) -> SourceText.Kind {
        while let byte = byte(), byte.isWord || byte == UInt8(ascii: "$") && language == .javaScript { offset += 1 }
        return .word
    }

    // MARK: White space and comments

    private mutating func skipTrivia() {
        while let byte = byte() {
            if byte.isWhiteSpace {
                if byte == UInt8(ascii: "\n") { line += 1 }
                offset += 1
            } else if language == .javaScript, JavaScript.hasLineSeparator(bytes, at: offset) {
                offset += JavaScript.lineSeparatorLength
            } else if byte == UInt8(ascii: "#"), language == .python || language == .configuration {
                skipLine()
            } else if byte == UInt8(ascii: "/"), self.byte(1) == UInt8(ascii: "/"), language != .python {
                skipLine()
            } else if byte == UInt8(ascii: "/"), self.byte(1) == UInt8(ascii: "*"),
                language != .python, language != .configuration, !hasUnclosedComment
            {
                skipBlockComment()
                if hasUnclosedComment { return }
            } else {
                return
            }
        }
    }

    private mutating func skipLine() {
        while let byte = byte(), !byte.endsLine {
            if language == .javaScript, JavaScript.hasLineSeparator(bytes, at: offset) { return }
            offset += 1
        }
    }

    private mutating func skipBlockComment() {
        let start = (offset, line)
        offset += 2
        var depth = 1
        while offset < bytes.count {
            if byte() == UInt8(ascii: "*"), byte(1) == UInt8(ascii: "/") {
                offset += 2
                depth -= 1
                if depth == 0 { return }
                continue
            }
            if nestsComments, byte() == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") {
                nestedLine = nestedLine ?? start.1
                offset += 2
                depth += 1
                continue
            }
            if byte() == UInt8(ascii: "\n") { line += 1 }
            offset += 1
        }
        (offset, line) = start
        guard nestsComments else {
            hasUnclosedComment = true
            unclosedLine = unclosedLine ?? line
            return
        }
        // This happens at most once for each text, so that the time stays linear.
        nestsComments = false
        skipBlockComment()
    }

    // MARK: Strings

    private struct Prefix {
        var length = 0
        var isRaw = false
        var isBytes = false
        var interpolates = false
        let quote: UInt8
    }

    /// The letters before a quote, if a string begins here.
    private func stringPrefix() -> Prefix? {
        var length = 0
        var prefix: [UInt8] = []
        if language == .python || language == .dart {
            while length < 2, let letter = byte(length)?.lowercased, "rbfu".utf8.contains(letter) {
                prefix.append(letter)
                length += 1
            }
        }
        guard let quote = byte(length), isQuote(quote) else { return nil }
        let (r, b, f) = (UInt8(ascii: "r"), UInt8(ascii: "b"), UInt8(ascii: "f"))
        let isRaw = prefix.contains(r) || language == .swift && offset > 0 && bytes[offset - 1] == UInt8(ascii: "#")
        return Prefix(
            length: length, isRaw: isRaw, isBytes: prefix.contains(b),
            interpolates: prefix.contains(f) || (language == .dart || language == .java) && !isRaw
                || quote == UInt8(ascii: "`"),
            quote: quote)
    }

    private func isQuote(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""): true
        case UInt8(ascii: "'"): language != .swift
        case UInt8(ascii: "`"): language == .javaScript
        default: false
        }
    }

    /// - Returns: nil if the string is not closed.
    private mutating func string(_ prefix: Prefix) -> SourceText.Kind? {
        let quote = prefix.quote
        let isTriple =
            language != .javaScript && language != .configuration && byte(1) == quote && byte(2) == quote
        // Kotlin knows no escapes in these strings. Java does, so the value of a string with a backslash is unknown.
        let isKotlin = isTriple && language == .java
        let isMultiline = isTriple || quote == UInt8(ascii: "`")
        // Triple quotes have a separate entry in `unclosedUntil`.
        let kind = isTriple ? quote | 0x80 : quote
        if let limit = unclosedUntil[kind], offset < limit { return nil }
        let start = (offset, line)
        offset += isTriple ? 3 : 1
        var output: [UInt8] = []
        var isKnown = true
        let rawEnd =
            prefix.isRaw && language == .swift ? RawStringEnd(in: bytes, openingQuote: start.0) : nil
        while let byte = byte() {
            if let rawEnd, byte == quote {
                if let end = rawEnd.index(after: offset, in: bytes) {
                    offset = end
                    return .text(isKnown && output.count <= SourceText.maximumTextLength ? output : nil)
                }
            } else if byte == quote, !isTriple || self.byte(1) == quote && self.byte(2) == quote {
                if isKotlin {
                    if bytes[(start.0 + 3)..<offset].endsWithEscape { escapedLine = escapedLine ?? line }
                    // Further quotation marks before the last three are in the string.
                    while self.byte(3) == quote {
                        output.append(quote)
                        offset += 1
                    }
                }
                offset += isTriple ? 3 : 1
                return .text(isKnown && output.count <= SourceText.maximumTextLength ? output : nil)
            }
            if byte == UInt8(ascii: "\n") {
                guard isMultiline else { break }
                line += 1
            }
            offset += 1
            if isKotlin, byte == UInt8(ascii: "\\") {
                isKnown = false
            } else if byte == UInt8(ascii: "\\"), !prefix.isRaw {
                if !escape(into: &output) { isKnown = false }
            } else {
                if byte == UInt8(ascii: "$") && prefix.interpolates
                    || byte == UInt8(ascii: "{") && prefix.interpolates
                        && language == .python
                {
                    isKnown = false
                }
                if output.count <= SourceText.maximumTextLength { output.append(byte) }
            }
        }
        unclosedUntil[kind] = offset
        (offset, line) = start
        if isTriple { unclosedLine = unclosedLine ?? line }
        return nil
    }

    private var escapes: StringEscape.Language? {
        switch language {
        case .javaScript: .javaScript
        case .swift: .swift
        default: nil
        }
    }

    /// Decodes the escape after a backslash.
    ///
    /// - Returns: false for an escape that is not supported.
    private mutating func escape(into output: inout [UInt8]) -> Bool {
        guard let byte = byte() else { return false }
        if let escapes {
            if let escape = StringEscape.decode(in: bytes, at: offset - 1, language: escapes) {
                line += bytes[offset..<escape.end].count { $0 == UInt8(ascii: "\n") }
                offset = escape.end
                if output.count <= SourceText.maximumTextLength { output += escape.text }
                return true
            }
            if byte != UInt8(ascii: "\n") { offset += 1 }
            return false
        }
        if byte == UInt8(ascii: "\n") { return false }
        offset += 1
        switch byte {
        case UInt8(ascii: "n"): output.append(0x0a)
        case UInt8(ascii: "r"): output.append(0x0d)
        case UInt8(ascii: "t"): output.append(0x09)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "$"), UInt8(ascii: "/"),
            UInt8(ascii: "`"):
            output.append(byte)
        case UInt8(ascii: "x"):
            guard let high = self.byte().flatMap(Hex.value(of:)), let low = self.byte(1).flatMap(Hex.value(of:)) else {
                return false
            }
            offset += 2
            output.append(high << 4 | low)
        default: return false
        }
        return true
    }
}

extension SourceText.Token: JavaToken {
    package var isText: Bool { if case .text = kind { true } else { false } }

    package var sign: UInt8? { if case .sign(let sign) = kind { sign } else { nil } }
}
