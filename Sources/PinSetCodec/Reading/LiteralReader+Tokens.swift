internal import Encodings
internal import XMLDocuments

/// Reads the words, strings, signs and comments of source code.
extension LiteralReader {
    enum Token: Equatable {
        case string(String)
        /// A string whose text is not known without its context.
        case unknownString
        case name(String)
        case mark(UInt8)
    }

    var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    func byte(at distance: Int) -> UInt8? {
        offset + distance < bytes.count ? bytes[offset + distance] : nil
    }

    mutating func take(_ mark: UInt8) -> Bool {
        guard byte == mark else { return false }
        offset += 1
        return true
    }

    /// Reads the next token; nil at the end of the text. Skips the `@` of Objective-C.
    mutating func token() throws(PinSetFormatError) -> Token? {
        _ = try skipTrivia()
        while take(UInt8(ascii: "@")) {}
        guard let byte else { return nil }
        if byte == UInt8(ascii: "\"") || isJavaScript && "'`".utf8.contains(byte) {
            return try string().map { .string($0) } ?? .unknownString
        }
        if isJavaScript, byte == UInt8(ascii: "/"), let end = regularExpressionEnd() {
            offset = end
            return .mark(UInt8(ascii: "?"))
        }
        let name = nameWithEscapes()
        guard name.isEmpty else { return .name(name) }
        // This is a part of a name, like the character outside ASCII itself.
        if isJavaScript, let escape = JavaScript.escape(in: bytes, at: offset), escape.value >= 0x80 {
            offset = escape.end
            return .mark(UInt8(ascii: "?"))
        }
        offset += 1
        // Bytes outside ASCII occur only in text, so the token has no meaning for this reader.
        return .mark(byte < 0x80 ? byte : UInt8(ascii: "?"))
    }

    /// Reads a name or a number, and decodes the escapes of JavaScript in it. Returns an empty text if none begins here.
    private mutating func nameWithEscapes() -> String {
        var name = ""
        while true {
            let start = offset
            while let byte, Self.isNameByte(byte) { offset += 1 }
            name += String(decoding: bytes[start..<offset], as: UTF8.self)
            guard isJavaScript, let escape = JavaScript.escape(in: bytes, at: offset),
                let character = UInt8(exactly: escape.value), Self.isNameByte(character)
            else { return name }
            name.unicodeScalars.append(Unicode.Scalar(character))
            offset = escape.end
        }
    }

    /// The end of the regular expression that begins here; nil if the `/` is another sign. The first pass over the text finds
    /// all of them, because only that pass reads each token once and in order.
    private mutating func regularExpressionEnd() -> Int? {
        if let end = finder?.end(in: bytes, at: offset) { regularExpressions[offset] = end }
        return regularExpressions[offset]
    }

    /// Adds a token that the first pass read.
    mutating func addToFinder(_ token: Token) {
        switch token {
        case .name(let name): finder?.addWord(name.utf8, end: offset)
        // Any other mark stands for a regular expression or a character outside ASCII.
        case .mark(let mark) where bytes[offset - 1] == mark: finder?.addSign(mark, end: offset)
        case .string, .unknownString, .mark: finder?.addValue(end: offset)
        }
    }

    static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"):
            true
        default: false
        }
    }

    /// Skips white space and comments. Returns the comments that are not empty.
    mutating func skipTrivia() throws(PinSetFormatError) -> [Comment] {
        var comments: [Comment] = []
        func add(_ text: ArraySlice<UInt8>, _ start: Int) {
            guard let label = XMLText.label(ofComment: String(decoding: text, as: UTF8.self)) else { return }
            comments.append((label, start))
        }
        while let byte {
            if XMLReader.isWhiteSpace(byte) {
                offset += 1
            } else if isJavaScript, JavaScript.hasLineSeparator(bytes, at: offset) {
                offset += JavaScript.lineSeparatorLength
            } else if byte == UInt8(ascii: "#"), !isJavaScript, beginsDirective {
                while let byte = self.byte, !byte.endsLine { offset += 1 }
            } else if byte == UInt8(ascii: "/"), self.byte(at: 1) == UInt8(ascii: "/") {
                let start = offset
                skipLineComment()
                add(bytes[(start + 2)..<offset], start)
            } else if byte == UInt8(ascii: "/"), self.byte(at: 1) == UInt8(ascii: "*") {
                let start = offset
                try skipBlockComment()
                add(bytes[(start + 2)..<max(start + 2, offset - 2)], start)
            } else {
                break
            }
        }
        return comments
    }

    /// Whether a line such as `#if DEBUG` or `#endif` begins here. The code between such lines is read as if they were not there.
    private var beginsDirective: Bool {
        guard
            ["if", "else", "elif", "endif", "pragma"].contains(where: { bytes[(offset + 1)...].starts(with: $0.utf8) })
        else { return false }
        var index = offset - 1
        while index >= 0, bytes[index] == UInt8(ascii: " ") || bytes[index] == UInt8(ascii: "\t") { index -= 1 }
        return index < 0 || bytes[index].endsLine
    }

    /// Skips a comment to the end of its line. In Objective-C, a backslash at the end joins the line with the next one before
    /// comments are found.
    private mutating func skipLineComment() {
        while let byte {
            if isObjectiveC, let end = lineJoinEnd(at: offset) {
                offset = end
                continue
            }
            if byte.endsLine || isJavaScript && JavaScript.hasLineSeparator(bytes, at: offset) { return }
            offset += 1
        }
    }

    /// The end of a backslash with a line end after it, which join two lines (ISO C11, section 5.1.1.2); nil without one.
    /// White space can be between them (clang, `Lexer::getEscapedNewLineSize`).
    func lineJoinEnd(at index: Int) -> Int? {
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\\") else { return nil }
        var end = index + 1
        while end < bytes.count, bytes[end].isWhiteSpace, !bytes[end].endsLine { end += 1 }
        guard end < bytes.count, bytes[end].endsLine else { return nil }
        let isPair = end + 1 < bytes.count && bytes[end + 1].endsLine && bytes[end + 1] != bytes[end]
        return end + (isPair ? 2 : 1)
    }

    /// The offset of the first backslash that divides a word of Objective-C over two lines; nil without one.
    func dividedName() -> Int? {
        var index = 1
        while index < bytes.count {
            let start = index
            while let end = lineJoinEnd(at: index) { index = end }
            if index > start, index < bytes.count, Self.isNameByte(bytes[start - 1]), Self.isNameByte(bytes[index]) {
                return start
            }
            index += 1
        }
        return nil
    }

    /// Skips a block comment. Only Swift allows block comments inside block comments.
    mutating func skipBlockComment() throws(PinSetFormatError) {
        let start = offset
        let isNested = !isJavaScript && !isObjectiveC
        var depth = 0
        while let byte {
            if byte == UInt8(ascii: "/"), self.byte(at: 1) == UInt8(ascii: "*"), depth == 0 || isNested {
                (depth, offset) = (depth + 1, offset + 2)
            } else if byte == UInt8(ascii: "*"), self.byte(at: 1) == UInt8(ascii: "/") {
                (depth, offset) = (depth - 1, offset + 2)
                if depth == 0 { return }
            } else {
                offset += 1
            }
        }
        unclosed = unclosed ?? start
        throw error(.unclosedComment, at: start)
    }
}

extension LiteralReader.Token {
    func isString(_ text: String) -> Bool { if case .string(let own) = self { own.isSame(as: text) } else { false } }
}
