/// Reads flow collections and quoted scalars of YAML, which include JSON.
struct YAMLFlow {
    private let bytes: [UInt8]
    private(set) var offset: Int
    private var line: Int
    /// An offset on the line whose column is known, so that the columns of a long line are counted only once.
    private var counted: (offset: Int, column: Int)

    init(_ bytes: [UInt8], at offset: Int, line: Int, lineStart: Int) {
        (self.bytes, self.offset, self.line) = (bytes, offset, line)
        counted = (lineStart, 1)
    }

    private var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func position() -> SourcePosition {
        let end = max(counted.offset, min(offset, bytes.count))
        counted = (end, counted.column + bytes[counted.offset..<end].count { $0 & 0xc0 != 0x80 })
        return SourcePosition(line: line, column: counted.column)
    }

    private mutating func error(_ message: String) -> YAMLError {
        YAMLError(position: position(), message: message)
    }

    /// Skips white space, line breaks and comments.
    private mutating func skip() {
        while let byte {
            if byte == UInt8(ascii: "\n") {
                offset += 1
                (line, counted) = (line + 1, (offset, 1))
            } else if byte.isWhiteSpace {
                offset += 1
            } else if byte == UInt8(ascii: "#"), offset == 0 || bytes[offset - 1].isWhiteSpace {
                while let byte = self.byte, byte != UInt8(ascii: "\n") { offset += 1 }
            } else {
                return
            }
        }
    }

    /// - Throws: if the line contains more text that is not a comment.
    mutating func checkEndOfLine() throws(YAMLError) {
        while let byte, byte != UInt8(ascii: "\n") {
            if byte == UInt8(ascii: "#") { break }
            guard byte.isWhiteSpace else { throw error("unexpected text after the end of the value") }
            offset += 1
        }
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\n") { offset += 1 }
    }

    mutating func value(depth: Int) throws(YAMLError) -> YAMLValue {
        guard depth < YAMLReader.maximumDepth else {
            throw error("collections are nested more than \(YAMLReader.maximumDepth) levels deep")
        }
        skip()
        let start = position()
        switch byte {
        case UInt8(ascii: "{"): return YAMLValue(.mapping(try mapping(depth: depth)), at: start)
        case UInt8(ascii: "["): return YAMLValue(.sequence(try sequence(depth: depth)), at: start)
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            guard let text = try quoted() else { throw error("a quoted scalar over several lines is not supported") }
            return YAMLValue(.scalar(text, isPlain: false), at: start)
        case UInt8(ascii: "*"):
            _ = plain()
            return YAMLValue(.unsupported("an alias"), at: start)
        case UInt8(ascii: "&"), UInt8(ascii: "!"):
            throw error("anchors and tags in flow collections are not supported")
        case nil: throw error("expected a value, found the end of the text")
        default:
            return YAMLValue(.scalar(plain(), isPlain: true), at: start)
        }
    }

    /// Reads a plain scalar up to a character that ends it in a flow collection.
    private mutating func plain() -> String {
        let start = offset
        while let byte, !",[]{}\n".utf8.contains(byte) {
            if byte == UInt8(ascii: ":") {
                let next = offset + 1 < bytes.count ? bytes[offset + 1] : UInt8(ascii: " ")
                if next.isWhiteSpace || ",[]{}".utf8.contains(next) { break }
            }
            if byte == UInt8(ascii: "#"), offset > start, bytes[offset - 1].isWhiteSpace { break }
            offset += 1
        }
        return String(decoding: bytes[start..<offset].trimmed, as: UTF8.self)
    }

    private mutating func sequence(depth: Int) throws(YAMLError) -> [YAMLValue] {
        offset += 1
        var values: [YAMLValue] = []
        while true {
            skip()
            if byte == UInt8(ascii: "]") {
                offset += 1
                return values
            }
            values.append(try value(depth: depth + 1))
            skip()
            switch byte {
            case UInt8(ascii: ","): offset += 1
            case UInt8(ascii: "]"): break
            default: throw error("expected \",\" or \"]\"")
            }
        }
    }

    private mutating func mapping(depth: Int) throws(YAMLError) -> [YAMLMember] {
        offset += 1
        var members: [YAMLMember] = []
        var known: Set<ExactText> = []
        while true {
            skip()
            if byte == UInt8(ascii: "}") {
                offset += 1
                return members
            }
            let start = position()
            let key: String
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                guard let text = try quoted() else { throw error("a quoted key over several lines is not supported") }
                key = text
            } else {
                key = plain()
                guard !key.isEmpty else { throw error("expected a key") }
            }
            guard known.insert(ExactText(key)).inserted else {
                throw YAMLError(position: start, message: "the key \(key.withoutUserInfo.quotedExcerpt) occurs twice")
            }
            skip()
            guard byte == UInt8(ascii: ":") else { throw error("expected \":\" after the key") }
            offset += 1
            skip()
            if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") {
                members.append(
                    YAMLMember(key: key, at: start, value: YAMLValue(.scalar("", isPlain: true), at: position())))
            } else {
                members.append(YAMLMember(key: key, at: start, value: try value(depth: depth + 1)))
            }
            skip()
            switch byte {
            case UInt8(ascii: ","): offset += 1
            case UInt8(ascii: "}"): break
            default: throw error("expected \",\" or \"}\"")
            }
        }
    }

    /// Reads a quoted scalar.
    ///
    /// - Returns: nil if it does not end on the line on which it begins.
    mutating func quoted() throws(YAMLError) -> String? {
        guard let quote = byte else { return nil }
        let isDouble = quote == UInt8(ascii: "\"")
        offset += 1
        var output: [UInt8] = []
        while let byte, byte != UInt8(ascii: "\n") {
            offset += 1
            if byte == quote {
                guard !isDouble, self.byte == quote else { return String(decoding: output, as: UTF8.self) }
                // In a single-quoted scalar, two single quotes mean one.
                offset += 1
                output.append(quote)
            } else if isDouble, byte == UInt8(ascii: "\\") {
                try escape(into: &output)
            } else {
                output.append(byte)
            }
        }
        return nil
    }

    private mutating func escape(into output: inout [UInt8]) throws(YAMLError) {
        guard let byte else { throw error("the text ends inside an escape") }
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: " "): output.append(byte)
        case UInt8(ascii: "n"): output.append(0x0a)
        case UInt8(ascii: "r"): output.append(0x0d)
        case UInt8(ascii: "t"): output.append(0x09)
        case UInt8(ascii: "0"): output.append(0)
        case UInt8(ascii: "x"): try scalar(digits: 2, into: &output)
        case UInt8(ascii: "u"): try scalar(digits: 4, into: &output)
        default: throw error("the escape is not supported")
        }
    }

    private mutating func scalar(digits: Int, into output: inout [UInt8]) throws(YAMLError) {
        var value: UInt32 = 0
        for _ in 0..<digits {
            guard let digit = byte.flatMap(Hex.value(of:)) else { throw error("expected a hexadecimal digit") }
            value = value << 4 | UInt32(digit)
            offset += 1
        }
        guard let scalar = Unicode.Scalar(value) else { throw error("half of a surrogate pair is not supported") }
        output += Array(String(Character(scalar)).utf8)
    }
}
