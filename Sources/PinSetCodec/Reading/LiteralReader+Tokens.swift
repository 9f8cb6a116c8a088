internal import Encodings
internal import XMLDocuments

/// Reads the words, strings, signs and comments of source code.
extension LiteralReader {
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
        if byte == UInt8(ascii: "\"") { return .string(try string()) }
        if isJavaScript, byte == UInt8(ascii: "'") || byte == UInt8(ascii: "`") {
            let text = try string()
            // The value of a template with an expression is unknown here.
            return byte == UInt8(ascii: "`") && text.has("${") ? .mark(byte) : .string(text)
        }
        guard Self.isNameByte(byte) else {
            offset += 1
            // Bytes outside ASCII occur only in text, so the token has no meaning for this reader.
            return .mark(byte < 0x80 ? byte : UInt8(ascii: "?"))
        }
        let start = offset
        while let byte = self.byte, Self.isNameByte(byte) { offset += 1 }
        return .name(String(decoding: bytes[start..<offset], as: UTF8.self))
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
            } else if byte == UInt8(ascii: "/"), self.byte(at: 1) == UInt8(ascii: "/") {
                let start = offset
                while let byte = self.byte, byte != UInt8(ascii: "\n") { offset += 1 }
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

    /// Skips a block comment. Swift allows block comments inside block comments.
    mutating func skipBlockComment() throws(PinSetFormatError) {
        let start = offset
        var depth = 0
        while let byte {
            if byte == UInt8(ascii: "/"), self.byte(at: 1) == UInt8(ascii: "*") {
                (depth, offset) = (depth + 1, offset + 2)
            } else if byte == UInt8(ascii: "*"), self.byte(at: 1) == UInt8(ascii: "/") {
                (depth, offset) = (depth - 1, offset + 2)
                if depth == 0 { return }
            } else {
                offset += 1
            }
        }
        throw error(.unclosedComment, at: start)
    }

    /// Reads a string on one line. Apart from quotes and backslashes, escapes are not decoded.
    mutating func string() throws(PinSetFormatError) -> String {
        let start = offset
        let quote = byte ?? UInt8(ascii: "\"")
        offset += 1
        if !isJavaScript, byte == UInt8(ascii: "\""), byte(at: 1) == UInt8(ascii: "\"") {
            return try multilineString(from: start)
        }
        var text: [UInt8] = []
        while let byte, byte != UInt8(ascii: "\n") || quote == UInt8(ascii: "`") {
            offset += 1
            switch byte {
            case quote: return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = self.byte else { break }
                offset += 1
                switch escaped {
                case quote, UInt8(ascii: "\""), UInt8(ascii: "\\"): text.append(escaped)
                // Base64 and host names need no other escapes. Keeping the backslash ensures that the text is not misread.
                default: text += [byte, escaped]
                }
            default: text.append(byte)
            }
        }
        throw error(.unclosedString, at: start)
    }

    /// Skips a string between triple quotes. Hosts and pins are not written in such strings.
    mutating func multilineString(from start: Int) throws(PinSetFormatError) -> String {
        offset += 2
        let first = offset
        while offset < bytes.count {
            if bytes[offset...].starts(with: "\"\"\"".utf8) {
                offset += 3
                return String(decoding: bytes[first..<offset - 3], as: UTF8.self)
            }
            offset += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        offset = bytes.count
        throw error(.unclosedString, at: start)
    }
}

extension LiteralReader.Token {
    func isString(_ text: String) -> Bool { if case .string(let own) = self { own.isSame(as: text) } else { false } }
}
