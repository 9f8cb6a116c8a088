internal import Encodings
package import PropertyLists

/// Reads the values of one key in literals of source code: dictionaries, arrays, strings, numbers, `true` and `false`. In Swift a type
/// may follow after `as`; Objective-C has `@{ … }`, `@[ … ]` and `@YES`; JavaScript has keys without quotes, and three kinds of quotes.
///
/// Strings can be joined with `+`. The names of constants that the same text defines are replaced by their values. Any other
/// expression is left out and listed in ``unread``. The rest of the text is skipped.
package struct LiteralReader {
    package enum Language: Sendable {
        /// Swift and Objective-C. A key without quotes is the name of a constant. If that name begins with the prefix, it is the
        /// letter `k` followed by the key: with the prefix `kTSK`, `kTSKPinnedDomains` means `TSKPinnedDomains`.
        case swift(constantPrefix: String)
        /// JavaScript and TypeScript. A name as a key is the key itself.
        case javaScript
    }

    /// An expression that only the compiler can evaluate.
    package struct Expression: Hashable, Sendable {
        package let text: String
        /// The key of the expression, or of the array that contains it; nil if the expression is itself a key.
        package let key: String?
        /// From 1.
        package let line: Int
    }

    package private(set) var unread: [Expression] = []

    let bytes: [UInt8]
    private let format: PinSetFormat
    private let language: Language
    private let lines: SourceLineIndex
    var offset = 0
    /// The offset of each constant's value; nil for a name that has two values.
    var constants: [String: Int?] = [:]
    /// Number of bytes that were read more than once, to evaluate constants and to try braces that are not objects. The limit
    /// prevents a run time that grows with the square of the text's size.
    private var repeated = 0
    private let maximumRepeated: Int
    /// Whether errors are ignored. Then no position is computed, which saves time.
    private var isProbing = true

    private static let maximumDepth = 16
    private static let maximumExpression = 60

    package init(_ bytes: [UInt8], format: PinSetFormat, language: Language) {
        (self.bytes, self.format, self.language) = (bytes, format, language)
        lines = SourceLineIndex(bytes)
        maximumRepeated = 16 * bytes.count
        findConstants()
        (offset, isProbing) = (0, false)
    }

    /// Whether the bytes are text and contain the key.
    package static func isLikely(_ bytes: [UInt8], key: String) -> Bool {
        bytes.has(key) && !bytes.contains(0) && !PropertyList.isLikely(bytes)
    }

    /// The values of all members with this key. The key can be a string or a constant with the name `k` and the key.
    ///
    /// - Throws: if there is no such member, or if one has a syntax error and no other can be read.
    package mutating func values(of key: String) throws(PinSetFormatError) -> [PropertyListValue] {
        var values: [PropertyListValue] = []
        var problem: PinSetFormatError?
        while offset < bytes.count, repeated < maximumRepeated {
            // The rest of the text may contain syntax that this reader does not know, such as a string over several lines.
            isProbing = true
            let token = try? token()
            isProbing = false
            guard let token else { continue }
            let isName = isJavaScript ? token == .name(key) : token == .name("k\(key)")
            guard token.isString(key) || isName else { continue }
            let next = offset
            isProbing = problem != nil
            do throws(PinSetFormatError) {
                let separator = try self.token()
                // In JavaScript, the value of a variable with the name of the key counts too.
                if separator == .mark(UInt8(ascii: ":")) || isJavaScript && separator == .mark(UInt8(ascii: "=")) {
                    if let value = try value(of: key, depth: 1) { values.append(value) }
                    continue
                }
            } catch {
                problem = problem ?? error
                repeated += max(1, offset - next)
            }
            offset = next
        }
        guard !values.isEmpty else { throw problem ?? error(.missingKey(key)) }
        return values
    }

    /// Moves to the start of the text and calls ``values(of:)``. Use it if the reader has already read a part of the text.
    package mutating func valuesFromStart(of key: String) throws(PinSetFormatError) -> [PropertyListValue] {
        offset = 0
        return try values(of: key)
    }

    /// Returns the objects in the text for which `isWanted` returns true, without the objects inside them.
    package mutating func objects(where isWanted: (PropertyListValue) -> Bool) -> [PropertyListValue] {
        var values: [PropertyListValue] = []
        isProbing = true
        defer { isProbing = false }
        while offset < bytes.count, repeated < maximumRepeated {
            guard let token = try? token(), token == .mark(UInt8(ascii: "{")) else { continue }
            let (next, count) = (offset, unread.count)
            offset -= 1
            if let value = try? value(of: nil, depth: 1), isWanted(value) {
                values.append(value)
            } else {
                repeated += max(1, offset - next)
                offset = next
                unread.removeLast(unread.count - count)
            }
        }
        return values
    }

    var isJavaScript: Bool { if case .javaScript = language { true } else { false } }

    enum Token: Equatable {
        case string(String)
        case name(String)
        case mark(UInt8)
    }

    typealias Comment = (text: String, start: Int)

    func error(_ problem: PinSetFormatError.Literal, at start: Int? = nil) -> PinSetFormatError {
        let position = isProbing ? nil : SourcePosition(of: start ?? offset, in: bytes)
        return PinSetFormatError(.literal(problem), format: format, at: position)
    }

    // MARK: Values

    /// Nil for an expression, which is added to ``unread``.
    private mutating func value(of key: String?, depth: Int) throws(PinSetFormatError) -> PropertyListValue? {
        guard depth <= Self.maximumDepth else { throw error(.tooDeep(maximum: Self.maximumDepth)) }
        _ = try skipTrivia()
        let (start, count) = (offset, unread.count)
        let content: PropertyListValue.Content?
        switch try token() {
        case .string(let text): content = try joined(text).map { PropertyListValue.Content.string($0) }
        case .name("true"), .name("YES"): content = .bool(true)
        case .name("false"), .name("NO"): content = .bool(false)
        case .mark(UInt8(ascii: "[")): content = try collection(until: UInt8(ascii: "]"), of: key, depth: depth)
        case .mark(UInt8(ascii: "{")): content = try collection(until: UInt8(ascii: "}"), of: key, depth: depth)
        case .name(let name):
            if let integer = Int128(name) {
                content = .integer(integer)
            } else {
                content = try constant(named: name, depth: depth)
            }
        case .mark(UInt8(ascii: "]")), .mark(UInt8(ascii: "}")), .mark(UInt8(ascii: ",")), nil:
            throw error(.valueExpected, at: start)
        case .mark: content = nil
        }
        let end = offset
        if content != nil { try skipType() }
        // The caller reads the comments after the value.
        let next = offset
        _ = try skipTrivia()
        let isComplete = endsExpression
        offset = next
        guard let content, isComplete else {
            unread.removeLast(unread.count - count)
            offset = start
            try skipExpression()
            addUnread(from: start, key: key)
            return nil
        }
        return PropertyListValue(content, sourceRanges: .init(range: start..<end, inner: start..<end))
    }

    /// Joins a string with the strings after it: with `+`, or in Objective-C also without a sign. Nil if something else is joined.
    private mutating func joined(_ first: String) throws(PinSetFormatError) -> String? {
        var text = first
        while true {
            let end = offset
            _ = try skipTrivia()
            let hasPlus = take(UInt8(ascii: "+"))
            let isLiteral = byte == UInt8(ascii: "@") && byte(at: 1) == UInt8(ascii: "\"")
            guard hasPlus || isLiteral else {
                offset = end
                return text
            }
            guard case .string(let next) = try token() else { return nil }
            text += next
        }
    }

    /// The value of a constant, written as `NAME` or `Type.NAME`; nil if no such constant is defined.
    private mutating func constant(named name: String, depth: Int) throws(PinSetFormatError) -> PropertyListValue
        .Content?
    {
        var last = name
        while byte == UInt8(ascii: "."), byte(at: 1).map(Self.isNameByte) ?? false {
            offset += 1
            guard case .name(let member) = try token() else { return nil }
            last = member
        }
        guard let start = constants[last] ?? nil, repeated < maximumRepeated else { return nil }
        let (end, count, wasProbing) = (offset, unread.count, isProbing)
        (offset, isProbing) = (start, true)
        let value = try? value(of: nil, depth: depth + 1)
        isProbing = wasProbing
        repeated += max(1, offset - start)
        offset = end
        guard unread.count == count else {
            unread.removeLast(unread.count - count)
            return nil
        }
        return value?.content
    }

    /// Whether the next byte ends a value in a dictionary, an array or a statement.
    private var endsExpression: Bool {
        guard let byte else { return true }
        // After a line break, a name or a brace belongs to the next statement.
        return ",]});:@#".utf8.contains(byte) || Self.isNameByte(byte) || isJavaScript && "\"'`/".utf8.contains(byte)
    }

    /// Skips the rest of an expression up to the comma or the bracket after it.
    private mutating func skipExpression() throws(PinSetFormatError) {
        var depth = 0
        while true {
            _ = try skipTrivia()
            guard let byte else { return }
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: ";"): if depth == 0 { return }
            case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "("): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ")"):
                guard depth > 0 else { return }
                depth -= 1
            default: break
            }
            _ = try token()
        }
    }

    private mutating func addUnread(from start: Int, key: String?) {
        let text = String(decoding: bytes[start..<offset].trimmed.prefix(Self.maximumExpression), as: UTF8.self)
        unread.append(Expression(text: text, key: key, line: lines.line(of: start)))
    }

    // MARK: Collections

    /// Reads the members of a dictionary or the values of an array up to `end`. A colon after the first item means a dictionary.
    private mutating func collection(
        until end: UInt8, of arrayKey: String?, depth: Int
    ) throws(PinSetFormatError) -> PropertyListValue.Content {
        var values: [PropertyListValue] = []
        var members: [PropertyListMember] = []
        var keys: Set<ExactText> = []
        var isDictionary = false
        var label = try skipTrivia().last?.text
        // An empty dictionary in Swift is written `[:]`.
        if take(UInt8(ascii: ":")) {
            isDictionary = true
            _ = try skipTrivia()
        }
        while !take(end) {
            let start = offset
            var value: PropertyListValue?
            switch try key(depth: depth + 1) {
            case .key(let key):
                isDictionary = true
                guard let key else {
                    _ = try self.value(of: nil, depth: depth + 1)
                    break
                }
                let range = start..<offset
                let member = try self.value(of: key, depth: depth + 1)
                guard keys.insert(ExactText(key)).inserted else { throw error(.keyTwice(key), at: start) }
                if let member { members.append(PropertyListMember(key: key, range: range, value: member)) }
            case .none where isJavaScript && end == UInt8(ascii: "}"):
                // This is a method, a spread, or a variable that is both key and value.
                offset = start
                isDictionary = true
                try skipExpression()
                guard offset > start else { throw error(.keyExpected, at: start) }
            case .none:
                guard !isDictionary else { throw error(.keyExpected, at: start) }
                offset = start
                value = try self.value(of: arrayKey, depth: depth + 1)
                value?.comment = label
                if let value { values.append(value) }
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
                if isOnLine, value != nil, values.last?.comment == nil {
                    values[values.count - 1].comment = comment.text
                } else {
                    label = comment.text
                }
            }
            guard hasComma || byte == end else { throw try commaExpected() }
        }
        return isDictionary || members.isEmpty && values.isEmpty && end == UInt8(ascii: "}")
            ? .dictionary(members) : .array(values)
    }

    private func isOwnConstant(_ name: String) -> Bool {
        if case .swift(let prefix) = language { name.hasPrefix(prefix) } else { false }
    }

    /// The text of the key `[NAME]`; nil for another expression in the brackets.
    private mutating func computedKey(depth: Int) throws(PinSetFormatError) -> String? {
        let value = try value(of: nil, depth: depth)
        let isRead = value?.string != nil
        if !isRead, value == nil, !unread.isEmpty { unread.removeLast() }
        _ = try skipTrivia()
        _ = take(UInt8(ascii: "]"))
        return value?.string
    }

    private enum Key {
        /// Nil for an expression, which is added to ``unread``.
        case key(String?)
        case none
    }

    /// Reads a key and the colon after it.
    ///
    /// - Parameter depth: the depth that a value would have here. A constant can contain a collection that uses the constant as a
    ///   key.
    private mutating func key(depth: Int) throws(PinSetFormatError) -> Key {
        let start = offset
        let key: String?
        switch try token() {
        case .string(let text): key = text
        case .name(let name) where isJavaScript: key = name
        // This constant's value lacks the letter T (TrustKit 3.0.7, TSKTrustKitConfig.m).
        case .name("kTSKExcludeSubdomainFromParentPolicy"): key = "kSKExcludeSubdomainFromParentPolicy"
        case .name(let name) where isOwnConstant(name): key = String(name.dropFirst())
        case .mark(UInt8(ascii: "[")) where isJavaScript: key = try computedKey(depth: depth)
        case .name(let name):
            if case .string(let text)? = try constant(named: name, depth: depth) { key = text } else { key = nil }
        case .mark, nil: return .none
        }
        let end = offset
        _ = try skipTrivia()
        guard take(UInt8(ascii: ":")) else { return .none }
        if key == nil {
            let next = offset
            offset = end
            addUnread(from: start, key: nil)
            offset = next
        }
        return .key(key)
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
}
