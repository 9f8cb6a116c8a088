package import Encodings

/// Finds one key of a dictionary literal in source text, and reads its value: dictionaries, arrays, strings, `true` and `false`,
/// each optionally followed by `as` and a type. It also reads the syntax of Objective-C: `@{ … }`, `@[ … ]`, `@YES`.
///
/// The reader skips all other text. A value that only a compiler can compute, such as a name or a call, is an error with its
/// position, so that no pin is lost.
package struct SwiftLiteralReader {
    private let bytes: [UInt8]
    private let format: PinSetFormat
    /// Prefix of constants that are named as their keys are, but for its first letter: `kTSK` of `TSKPinnedDomains`.
    private let constantPrefix: String
    private var offset = 0

    private static let maximumDepth = 16

    package init(_ bytes: [UInt8], format: PinSetFormat, constantPrefix: String) {
        (self.bytes, self.format, self.constantPrefix) = (bytes, format, constantPrefix)
    }

    /// Whether the bytes are text that contains the key.
    package static func isLikely(_ bytes: [UInt8], key: String) -> Bool {
        bytes.has(key) && !bytes.contains(0) && !PropertyList.isLikely(bytes)
    }

    /// The value of the first member with this key. The key can be a string, or the constant with the name `k` and the key.
    package mutating func value(of key: String) throws(PinSetFormatError) -> PropertyListValue {
        while offset < bytes.count {
            // Other parts of the text can contain unsupported syntax, such as a multi-line string.
            guard let token = try? token() else { continue }
            guard token == .string(key) || token == .name("k\(key)") else { continue }
            let next = offset
            if try self.token() == .mark(UInt8(ascii: ":")) { return try value(depth: 1) }
            offset = next
        }
        throw error(.missingKey(key))
    }

    private enum Token: Equatable {
        case string(String)
        case name(String)
        case mark(UInt8)
    }

    private typealias Comment = (text: String, start: Int)

    private func error(_ problem: PinSetFormatError.Literal, at start: Int? = nil) -> PinSetFormatError {
        PinSetFormatError(.literal(problem), format: format, at: SourcePosition(of: start ?? offset, in: bytes))
    }

    private mutating func value(depth: Int) throws(PinSetFormatError) -> PropertyListValue {
        guard depth <= Self.maximumDepth else {
            throw error(.tooDeep(maximum: Self.maximumDepth))
        }
        _ = try skipTrivia()
        let start = offset
        let content: PropertyListValue.Content
        switch try token() {
        case .string(let text): content = .string(text)
        case .name("true"), .name("YES"): content = .bool(true)
        case .name("false"), .name("NO"): content = .bool(false)
        case .mark(UInt8(ascii: "[")): content = try collection(until: UInt8(ascii: "]"), depth: depth)
        case .mark(UInt8(ascii: "{")): content = try collection(until: UInt8(ascii: "}"), depth: depth)
        case .name(let name):
            throw error(.name(name), at: start)
        case .mark, nil: throw error(.valueExpected, at: start)
        }
        let end = offset
        try skipType()
        return PropertyListValue(content, sourceRanges: .init(range: start..<end, inner: start..<end))
    }

    /// Reads members or values up to `end`. A colon distinguishes members from values.
    private mutating func collection(
        until end: UInt8, depth: Int
    ) throws(PinSetFormatError) -> PropertyListValue.Content {
        var values: [PropertyListValue] = []
        var members: [PropertyListMember] = []
        var keys: Set<String> = []
        var label = try skipTrivia().last?.text
        // The empty dictionary, `[:]`.
        let isEmptyDictionary = take(UInt8(ascii: ":"))
        if isEmptyDictionary { _ = try skipTrivia() }
        while !take(end) {
            let start = offset
            if let member = try member(depth: depth), values.isEmpty, !isEmptyDictionary {
                guard keys.insert(member.key).inserted else {
                    throw error(.keyTwice(member.key), at: start)
                }
                members.append(member)
            } else {
                guard members.isEmpty, !isEmptyDictionary else { throw error(.keyExpected, at: start) }
                offset = start
                var value = try value(depth: depth + 1)
                value.comment = label
                values.append(value)
            }
            label = nil
            let valueEnd = offset
            var comments = try skipTrivia()
            let hasComma = take(UInt8(ascii: ","))
            if hasComma { comments += try skipTrivia() }
            var isOnLine = true
            var reached = valueEnd
            for comment in comments {
                isOnLine = isOnLine && !bytes[reached..<comment.start].contains(UInt8(ascii: "\n"))
                reached = comment.start
                if isOnLine, let last = values.last, last.comment == nil {
                    values[values.count - 1].comment = comment.text
                } else {
                    label = comment.text
                }
            }
            guard hasComma || byte == end else { throw try commaExpected() }
        }
        return members.isEmpty && !isEmptyDictionary && end != UInt8(ascii: "}") || !values.isEmpty
            ? .array(values) : .dictionary(members)
    }

    /// Reads a member. Returns nil if the next tokens are not a key with a colon; some tokens may have been read.
    private mutating func member(depth: Int) throws(PinSetFormatError) -> PropertyListMember? {
        let start = offset
        let key: String
        switch try token() {
        case .string(let text): key = text
        // The value of this constant has no T (TrustKit 3.0.7, TSKTrustKitConfig.m).
        case .name("kTSKExcludeSubdomainFromParentPolicy"): key = "kSKExcludeSubdomainFromParentPolicy"
        case .name(let name): key = name.hasPrefix(constantPrefix) ? String(name.dropFirst()) : name
        case .mark, nil: return nil
        }
        let end = offset
        _ = try skipTrivia()
        guard take(UInt8(ascii: ":")) else { return nil }
        return PropertyListMember(key: key, range: start..<end, value: try value(depth: depth + 1))
    }

    /// Skips `as [String: Any]` or `as! Foo.Bar?`.
    private mutating func skipType() throws(PinSetFormatError) {
        let start = offset
        _ = try skipTrivia()
        guard try token() == .name("as") else {
            offset = start
            return
        }
        _ = take(UInt8(ascii: "!")) || take(UInt8(ascii: "?"))
        _ = try skipTrivia()
        var depth = 0
        while let byte {
            let end = offset
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "<"), UInt8(ascii: "("): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: ">"), UInt8(ascii: ")"): depth -= 1
            case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "/"):
                if depth == 0 { return }
            default: break
            }
            guard depth >= 0 else {
                offset = end
                return
            }
            offset += 1
        }
    }

    private mutating func commaExpected() throws(PinSetFormatError) -> PinSetFormatError {
        let start = offset
        let found: PinSetFormatError.Literal.Found =
            switch try token() {
            case .string: .string
            case .name(let name): .name(name)
            case .mark(let mark): .name(String(Unicode.Scalar(mark)))
            case nil: .end
            }
        return error(.commaExpected(found: found), at: start)
    }
}

extension SwiftLiteralReader {
    private var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private func byte(at distance: Int) -> UInt8? {
        offset + distance < bytes.count ? bytes[offset + distance] : nil
    }

    private mutating func take(_ mark: UInt8) -> Bool {
        guard byte == mark else { return false }
        offset += 1
        return true
    }

    /// The next token; nil at the end. The `@` of Objective-C is not a token.
    private mutating func token() throws(PinSetFormatError) -> Token? {
        _ = try skipTrivia()
        while take(UInt8(ascii: "@")) {}
        guard let byte else { return nil }
        if byte == UInt8(ascii: "\"") { return .string(try string()) }
        guard Self.isNameByte(byte) else {
            offset += 1
            // Characters outside ASCII occur only in text.
            return .mark(byte < 0x80 ? byte : UInt8(ascii: "?"))
        }
        let start = offset
        while let byte = self.byte, Self.isNameByte(byte) { offset += 1 }
        return .name(String(decoding: bytes[start..<offset], as: UTF8.self))
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Skips white space and comments. Returns the comments that are not empty.
    private mutating func skipTrivia() throws(PinSetFormatError) -> [Comment] {
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

    /// Skips a comment. Comments can be nested in Swift.
    private mutating func skipBlockComment() throws(PinSetFormatError) {
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

    /// Reads a string on one line. It does not decode escapes, but an escaped quote does not end the string.
    private mutating func string() throws(PinSetFormatError) -> String {
        let start = offset
        offset += 1
        if byte == UInt8(ascii: "\""), byte(at: 1) == UInt8(ascii: "\"") { return try linesOfString(from: start) }
        var text: [UInt8] = []
        while let byte, byte != UInt8(ascii: "\n") {
            offset += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = self.byte else { break }
                offset += 1
                switch escaped {
                case UInt8(ascii: "\""), UInt8(ascii: "\\"): text.append(escaped)
                // Base64 and host names need no other escape. Other escapes stay unchanged, so the text is not a valid pin.
                default: text += [byte, escaped]
                }
            default: text.append(byte)
            }
        }
        throw error(.unclosedString, at: start)
    }

    /// Skips a string between triple quotes. No host and no pin is written in this way.
    private mutating func linesOfString(from start: Int) throws(PinSetFormatError) -> String {
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
