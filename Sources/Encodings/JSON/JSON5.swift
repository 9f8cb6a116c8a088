/// Checks texts in JSON5 (JSON5 1.0.0, json5.org).
package enum JSON5 {
    /// Maximum nesting depth of arrays and objects.
    static let maximumDepth = 256

    /// Checks a text. Equal keys are allowed, and readers use the last one (JSON5 1.0.0, section 3).
    ///
    /// - Parameter path: the keys from the outermost object to a value.
    /// - Returns: the first key on the path that an object contains again; nil without such a key.
    /// - Throws: if the text is not JSON5.
    package static func repeatedKey(
        in bytes: [UInt8], on path: [String]
    ) throws(JSONError) -> (key: String, position: SourcePosition)? {
        var checker = JSON5Checker(bytes)
        try checker.document(path[...])
        return checker.repeated.map { ($0.key, SourcePosition(of: $0.offset, in: bytes)) }
    }
}

private struct JSON5Checker {
    private let bytes: [UInt8]
    private var offset = 0
    /// The first key on the path that occurs again, and its second offset.
    private(set) var repeated: (key: String, offset: Int)?

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    /// The character at `offset`; nil at the end and if the bytes are not UTF-8.
    private var scalar: Unicode.Scalar? {
        var decoder = UTF8()
        var rest = bytes[offset...].makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&rest) else { return nil }
        return scalar
    }

    private func error(_ reason: JSONError.Reason, at start: Int? = nil) -> JSONError {
        JSONError(position: SourcePosition(of: start ?? offset, in: bytes), reason: reason)
    }

    private func error(expected: JSONError.Expected) -> JSONError {
        error(offset < bytes.count ? .unexpected(scalar, expected: expected) : .end(expected: expected))
    }

    mutating func document(_ path: ArraySlice<String>) throws(JSONError) {
        try value(depth: 0, expected: .value, on: path)
        try skipTrivia()
        guard offset == bytes.count else { throw error(.trailing(scalar)) }
    }

    /// Skips white space and comments.
    private mutating func skipTrivia() throws(JSONError) {
        while let scalar {
            if scalar == "/" {
                let start = offset
                let rest = bytes[(offset + 1)...]
                if rest.first == UInt8(ascii: "/") {
                    // A comment can contain bytes that are not UTF-8.
                    while offset < bytes.count, !(self.scalar.map(Self.endsLine) ?? false) {
                        offset += self.scalar.map { UTF8.width($0) } ?? 1
                    }
                } else if rest.first == UInt8(ascii: "*") {
                    guard let end = rest.dropFirst().firstRange(ignoringCase: "*/") else {
                        throw error(.unexpected("/", expected: .value), at: start)
                    }
                    offset = end.upperBound
                } else {
                    return
                }
            } else if Self.endsLine(scalar) || "\t\u{b}\u{c}\u{feff}".unicodeScalars.contains(scalar)
                || scalar.properties.generalCategory == .spaceSeparator
            {
                offset += UTF8.width(scalar)
            } else {
                return
            }
        }
    }

    private static func endsLine(_ scalar: Unicode.Scalar) -> Bool {
        ["\n", "\r", "\u{2028}", "\u{2029}"].contains(scalar)
    }

    /// - Parameter path: the keys of the path below the value; empty outside the path.
    private mutating func value(
        depth: Int, expected: JSONError.Expected, on path: ArraySlice<String> = []
    ) throws(JSONError) {
        try skipTrivia()
        switch byte {
        case UInt8(ascii: "{"): try object(depth: depth + 1, on: path)
        case UInt8(ascii: "["): try array(depth: depth + 1)
        case UInt8(ascii: "\""), UInt8(ascii: "'"): _ = try string()
        case let byte? where byte.isDigit || "+-.".utf8.contains(byte): try number()
        case .some where isNameStart:
            let start = offset
            let word = try name()
            guard ["null", "true", "false", "Infinity", "NaN"].contains(word) else {
                throw error(.word(word), at: start)
            }
        default: throw error(expected: expected)
        }
    }

    private mutating func object(depth: Int, on path: ArraySlice<String>) throws(JSONError) {
        guard depth <= JSON5.maximumDepth else { throw error(.tooDeep(JSON5.maximumDepth)) }
        offset += 1
        var (hasKeys, isKnown) = (false, false)
        while true {
            try skipTrivia()
            if byte == UInt8(ascii: "}") { break }
            let start = offset
            let key: String
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                key = try string()
            } else {
                guard isNameStart else { throw error(expected: hasKeys ? .key : .keyOrBrace) }
                key = try name()
            }
            hasKeys = true
            let isOnPath = path.first.map { key.isSame(as: $0) } ?? false
            if isOnPath, isKnown { repeated = repeated ?? (key, start) }
            isKnown = isKnown || isOnPath
            try skipTrivia()
            guard byte == UInt8(ascii: ":") else { throw error(expected: .colon) }
            offset += 1
            try value(depth: depth, expected: .value, on: isOnPath ? path.dropFirst() : [])
            try skipTrivia()
            if byte == UInt8(ascii: "}") { break }
            guard byte == UInt8(ascii: ",") else { throw error(expected: .commaOrBrace) }
            offset += 1
        }
        offset += 1
    }

    private mutating func array(depth: Int) throws(JSONError) {
        guard depth <= JSON5.maximumDepth else { throw error(.tooDeep(JSON5.maximumDepth)) }
        offset += 1
        while true {
            try skipTrivia()
            if byte == UInt8(ascii: "]") { break }
            try value(depth: depth, expected: .valueOrBracket)
            try skipTrivia()
            if byte == UInt8(ascii: "]") { break }
            guard byte == UInt8(ascii: ",") else { throw error(expected: .commaOrBracket) }
            offset += 1
        }
        offset += 1
    }

    /// Reads a number: decimal with or without digits on one side of the point, hexadecimal, `Infinity` or `NaN`.
    private mutating func number() throws(JSONError) {
        if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { offset += 1 }
        if isNameStart {
            let start = offset
            let word = try name()
            guard word == "Infinity" || word == "NaN" else { throw error(.word(word), at: start) }
            return
        }
        if byte == UInt8(ascii: "0") {
            offset += 1
            if byte == UInt8(ascii: "x") || byte == UInt8(ascii: "X") {
                offset += 1
                guard byte.flatMap(Hex.value(of:)) != nil else { throw error(expected: .hexDigit) }
                while byte.flatMap(Hex.value(of:)) != nil { offset += 1 }
                return
            }
        } else if byte != UInt8(ascii: ".") {
            try digits()
        }
        if byte == UInt8(ascii: ".") {
            offset += 1
            // "5." is a number, and "." is not.
            if bytes[..<(offset - 1)].last?.isDigit ?? false {
                while byte?.isDigit ?? false { offset += 1 }
            } else {
                try digits()
            }
        }
        if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
            offset += 1
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { offset += 1 }
            try digits()
        }
    }

    private mutating func digits() throws(JSONError) {
        guard byte?.isDigit ?? false else { throw error(expected: .digit) }
        while byte?.isDigit ?? false { offset += 1 }
    }

    /// Whether a name of JavaScript can begin at `offset` (ECMAScript 5.1, section 7.6).
    private var isNameStart: Bool {
        guard let scalar else { return false }
        return scalar == "$" || scalar == "_" || scalar == "\\" || scalar.properties.isIDStart
    }

    private mutating func name() throws(JSONError) -> String {
        var name = ""
        while let scalar {
            if scalar == "\\" {
                offset += 1
                guard byte == UInt8(ascii: "u") else { throw error(.escape(self.scalar)) }
                offset += 1
                name.unicodeScalars.append(try hex(digits: 4))
                continue
            }
            guard
                scalar == "$" || scalar == "_" || scalar == "\u{200c}" || scalar == "\u{200d}"
                    || scalar.properties.isIDContinue
            else { break }
            name.unicodeScalars.append(scalar)
            offset += UTF8.width(scalar)
        }
        return name
    }

    private mutating func string() throws(JSONError) -> String {
        let quote = scalar
        var text = ""
        offset += 1
        while offset < bytes.count {
            guard let scalar else { throw error(.invalidUTF8) }
            if scalar == "\n" || scalar == "\r" { throw error(.controlCharacter(scalar)) }
            offset += UTF8.width(scalar)
            if scalar == quote { return text }
            if scalar == "\\" { try escape(into: &text) } else { text.unicodeScalars.append(scalar) }
        }
        throw error(.end(expected: .quote))
    }

    /// Reads an escape. A backslash before a line break joins two lines, and before another character means this character.
    private mutating func escape(into text: inout String) throws(JSONError) {
        guard let scalar else { throw error(.end(expected: .quote)) }
        let isDigit = ("0"..."9").contains(scalar)
        offset += UTF8.width(scalar)
        if scalar == "x" || scalar == "u" {
            text.unicodeScalars.append(try hex(digits: scalar == "x" ? 2 : 4))
        } else if isDigit, scalar != "0" || byte?.isDigit ?? false {
            throw error(.escape(scalar), at: offset - 1)
        } else if scalar == "\r", byte == UInt8(ascii: "\n") {
            offset += 1
        } else if !Self.endsLine(scalar) {
            text.unicodeScalars.append(Self.escapes[scalar] ?? scalar)
        }
    }

    private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
        "b": "\u{8}", "f": "\u{c}", "n": "\n", "r": "\r", "t": "\t", "v": "\u{b}", "0": "\0",
    ]

    /// The character of a hexadecimal escape. Half of a surrogate pair becomes U+FFFD.
    private mutating func hex(digits: Int) throws(JSONError) -> Unicode.Scalar {
        var value: UInt32 = 0
        for _ in 0..<digits {
            guard let digit = byte.flatMap(Hex.value(of:)) else { throw error(expected: .hexDigit) }
            value = value << 4 | UInt32(digit)
            offset += 1
        }
        return Unicode.Scalar(value) ?? "\u{fffd}"
    }
}
