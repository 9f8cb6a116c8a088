/// A recursive-descent parser of the bytes of a text. `JSONParser+Strings.swift` reads strings.
struct JSONParser {
    let bytes: [UInt8]
    let maximumDepth: Int
    /// Whether a duplicate key in an object is an error.
    let refusesDuplicateKeys: Bool
    var offset = 0
    var line = 1
    /// The value from which the column of `offset` is computed: the offset of the first byte of the line, minus 1, plus the number
    /// of UTF-8 continuation bytes before `offset` in the line.
    var lineOrigin = -1

    init(bytes: [UInt8], maximumDepth: Int, refusesDuplicateKeys: Bool = true) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        self.refusesDuplicateKeys = refusesDuplicateKeys
    }

    mutating func document() throws(JSONError) -> JSONValue {
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) {
            offset = 3
            lineOrigin = 2
        }
        let root = try value(depth: 0, expected: .value)
        skipWhiteSpace()
        guard offset == bytes.count else { throw error(.trailing(scalar)) }
        return root
    }

    /// The position of `offset`.
    var position: SourcePosition { SourcePosition(line: line, column: offset - lineOrigin) }

    /// The byte at `offset`.
    var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    func error(_ reason: JSONError.Reason) -> JSONError { JSONError(position: position, reason: reason) }

    /// The error if `expected` is not at `offset`.
    func error(expected: JSONError.Expected) -> JSONError {
        error(offset < bytes.count ? .unexpected(scalar, expected: expected) : .end(expected: expected))
    }

    /// The character at `offset`; nil at the end and if the bytes are not UTF-8.
    var scalar: Unicode.Scalar? {
        var decoder = UTF8()
        var rest = bytes[offset...].makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&rest) else { return nil }
        return scalar
    }

    private mutating func skipWhiteSpace() {
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "\n"):
                line += 1
                lineOrigin = offset
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
                break
            default:
                return
            }
            offset += 1
        }
    }

    private mutating func value(depth: Int, expected: JSONError.Expected) throws(JSONError) -> JSONValue {
        skipWhiteSpace()
        let (start, startOffset) = (position, offset)
        let content: JSONValue.Content
        guard let byte else { throw error(expected: expected) }
        switch byte {
        case UInt8(ascii: "{"): content = try object(depth: depth + 1)
        case UInt8(ascii: "["): content = try array(depth: depth + 1)
        case UInt8(ascii: "\""): content = .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): content = .number(try number())
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): content = try word()
        default: throw error(expected: expected)
        }
        return JSONValue(content, at: start, range: startOffset..<offset)
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONValue.Content {
        guard depth <= maximumDepth else { throw error(.tooDeep(maximumDepth)) }
        offset += 1
        var members: [JSONMember] = []
        var indices: [ArraySlice<UInt8>: Int] = [:]
        skipWhiteSpace()
        if byte == UInt8(ascii: "}") {
            offset += 1
            return .object(members)
        }
        while true {
            skipWhiteSpace()
            let (start, startOffset) = (position, offset)
            guard byte == UInt8(ascii: "\"") else { throw error(expected: members.isEmpty ? .keyOrBrace : .key) }
            let key = try stringBytes()
            // Compare bytes: Swift's strings treat two Unicode spellings of "é" as equal, but these are different keys.
            if let first = indices.updateValue(members.count, forKey: key), refusesDuplicateKeys {
                let key = String(decoding: key, as: UTF8.self)
                throw JSONError(position: start, reason: .duplicateKey(key, first: members[first].position))
            }
            let keyRange = startOffset..<offset
            skipWhiteSpace()
            guard byte == UInt8(ascii: ":") else { throw error(expected: .colon) }
            offset += 1
            let value = try value(depth: depth, expected: .value)
            members.append(
                JSONMember(key: String(decoding: key, as: UTF8.self), at: start, range: keyRange, value: value))
            skipWhiteSpace()
            switch byte {
            case UInt8(ascii: ","): offset += 1
            case UInt8(ascii: "}"):
                offset += 1
                return .object(members)
            default: throw error(expected: .commaOrBrace)
            }
        }
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSONValue.Content {
        guard depth <= maximumDepth else { throw error(.tooDeep(maximumDepth)) }
        offset += 1
        var values: [JSONValue] = []
        skipWhiteSpace()
        if byte == UInt8(ascii: "]") {
            offset += 1
            return .array(values)
        }
        while true {
            values.append(try value(depth: depth, expected: values.isEmpty ? .valueOrBracket : .value))
            skipWhiteSpace()
            switch byte {
            case UInt8(ascii: ","): offset += 1
            case UInt8(ascii: "]"):
                offset += 1
                return .array(values)
            default: throw error(expected: .commaOrBracket)
            }
        }
    }

    private mutating func word() throws(JSONError) -> JSONValue.Content {
        let word = bytes[offset...].prefix { byte in
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & ~0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        let content: JSONValue.Content
        switch String(decoding: word, as: UTF8.self) {
        case "true": content = .bool(true)
        case "false": content = .bool(false)
        case "null": content = .null
        case let other: throw error(.word(other))
        }
        offset += word.count
        return content
    }

    /// Reads a number without leading zeros, bare point or plus sign (RFC 8259, section 6).
    private mutating func number() throws(JSONError) -> String {
        let start = offset
        if byte == UInt8(ascii: "-") { offset += 1 }
        if byte == UInt8(ascii: "0") { offset += 1 } else { try digits() }
        if byte == UInt8(ascii: ".") {
            offset += 1
            try digits()
        }
        if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
            offset += 1
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { offset += 1 }
            try digits()
        }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private mutating func digits() throws(JSONError) {
        let start = offset
        while let byte, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { offset += 1 }
        guard offset > start else { throw error(expected: .digit) }
    }
}
