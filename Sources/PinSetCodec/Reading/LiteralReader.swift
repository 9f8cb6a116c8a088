internal import Encodings
internal import Pinning
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

    package internal(set) var unread: [Expression] = []

    let bytes: [UInt8]
    let format: PinSetFormat
    let language: Language
    /// Whether the text is Objective-C: only there, a dictionary begins with `@{`.
    let isObjectiveC: Bool
    let lines: SourceLineIndex
    var offset = 0
    /// The offset of each constant's value; nil for a name that has two values.
    var constants: [String: Int?] = [:]
    /// The names to which the text gives a value that is no literal, also as declarations of other types.
    var unknownNames: Set<String> = []
    /// The names before a dot that can mean a type or an object of this text.
    var owners: Set = ["self", "Self", "this"]
    /// The end of each long pair of brackets, by the offset of the opening one. An expression can be skipped without reading it all:
    /// nested functions would otherwise take quadratic time.
    var ends: [Int: Int] = [:]
    /// The end of each regular expression of JavaScript, by its offset.
    var regularExpressions: [Int: Int] = [:]
    /// Finds the regular expressions in the first pass over JavaScript; nil otherwise.
    var finder: RegularExpressionFinder?
    /// The last range of a template in which no regular expression is closed.
    var unclosedInTemplate = 0..<0
    /// The ends of the constants whose values were read, by their offsets.
    var constantEnds: [Int: Int] = [:]
    /// The offset of the first comment or string over several lines that does not end. The text after it is not read.
    var unclosed: Int?
    /// Number of bytes in brackets that were skipped.
    var skippedBytes = 0
    /// The values of the constants that were needed until now, by their offsets. Each use of a constant shares its value.
    var evaluations: [Int: Evaluation] = [:]
    /// Number of strings in the text.
    var literals = 0
    /// Number of values that were read, with the values in constants. Long texts count as several values.
    var valueCount = 0
    /// Number of values in constants, counted for each use after the first one. The limit prevents that constants which contain each
    /// other expand to any amount of values.
    var sharedValues = 0
    /// The greatest depth of a value since the start of a constant, and whether a value was too deep.
    var (deepest, isTooDeep) = (0, false)
    /// Number of bytes that were read more than once, to evaluate constants and to try braces that are not objects. The limit
    /// prevents a run time that grows with the square of the text's size.
    var repeated = 0
    let maximumRepeated: Int
    /// The error of the first limit that the text exceeds, or of a word that a backslash divides. The reader ends there, because
    /// what it omits could be pins.
    var limitError: PinSetFormatError?
    /// Whether errors are ignored. Then no position is computed, which saves time.
    var isProbing = true

    static let maximumDepth = 16
    static let maximumSharedValues = 1 << 20

    package init(_ bytes: [UInt8], format: PinSetFormat, language: Language) {
        (self.bytes, self.format, self.language) = (bytes, format, language)
        isObjectiveC = if case .swift = language { bytes.has("@{") } else { false }
        lines = SourceLineIndex(bytes)
        maximumRepeated = 16 * bytes.count + (1 << 20)
        if isJavaScript { finder = RegularExpressionFinder() }
        findConstants()
        finder = nil
        (offset, isProbing) = (0, false)
        // The compiler sees a word there that this reader does not.
        if isObjectiveC, let start = dividedName() {
            let position = SourcePosition(of: start, in: bytes)
            limitError = PinSetFormatError(.literal(.dividedName), format: format, at: position)
        }
    }

    /// Whether the bytes are text and contain the key.
    package static func isLikely(_ bytes: [UInt8], key: String) -> Bool {
        bytes.has(key) && !bytes.contains(0) && !PropertyList.isLikely(bytes)
    }

    /// The values of all members with this key. The key can be a string or a constant with the name `k` and the key.
    ///
    /// - Throws: if there is no such member, if one has a syntax error and no other can be read, or if the text exceeds a limit.
    package mutating func values(of key: String) throws(PinSetFormatError) -> [PropertyListValue] {
        var values: [PropertyListValue] = []
        var problem: PinSetFormatError?
        var dropped: [(start: Int, end: Int)] = []
        while offset < bytes.count, limitError == nil {
            // The rest of the text may contain syntax that this reader does not know, such as a string over several lines.
            isProbing = true
            _ = try? skipTrivia()
            let start = offset
            let token = try? token()
            isProbing = false
            guard let token else { continue }
            let isName = isJavaScript ? token == .name(key) : token == .name("k\(key)")
            guard token.isString(key) || isName else { continue }
            let (next, skipped) = (offset, skippedBytes)
            isProbing = problem != nil
            let count = unread.count
            do throws(PinSetFormatError) {
                var separator = try self.token()
                // `configuration[kTSKPinnedDomains] = …`
                let isSubscript = !isJavaScript && separator == .mark(UInt8(ascii: "]"))
                if isSubscript { separator = try self.token() }
                let isAssignment = separator == .mark(UInt8(ascii: "=")) && byte != UInt8(ascii: "=")
                // In JavaScript, the value of a variable with the name of the key counts too.
                if separator == .mark(UInt8(ascii: ":")) && !isSubscript
                    || isAssignment && (isJavaScript || isSubscript)
                {
                    if let value = try value(of: key, depth: 1) { values.append(value) }
                    continue
                }
            } catch {
                problem = problem ?? error
                addRepeated(offset - next - (skippedBytes - skipped))
                unread.removeLast(max(0, unread.count - count))
                dropped.append((start, next))
            }
            offset = next
        }
        try checkLimits(of: values)
        guard !values.isEmpty else { throw problem ?? error(.missingKey(key)) }
        for (start, end) in dropped { addUnread(from: start, to: end, key: key) }
        addUnclosed()
        return values
    }

    /// Moves to the start of the text and calls ``values(of:)``. Returns an empty array if no value can be read.
    ///
    /// - Throws: if the text exceeds a limit.
    package mutating func valuesFromStart(of key: String) throws(PinSetFormatError) -> [PropertyListValue] {
        offset = 0
        do throws(PinSetFormatError) {
            return try values(of: key)
        } catch {
            if let limitError { throw limitError }
            return []
        }
    }

    /// Returns the objects in the text for which `isWanted` returns true, without the objects inside them. Members outside these objects that
    /// look like those of a pin set are added to ``unread``, because their objects can have a syntax that this reader does not know.
    ///
    /// - Parameter keys: the keys of such members, besides lists of pins.
    /// - Throws: if the text exceeds a limit.
    package mutating func objects(
        withKeys keys: [String], where isWanted: (PropertyListValue) -> Bool
    ) throws(PinSetFormatError) -> [PropertyListValue] {
        var values: [PropertyListValue] = []
        var dropped: [(start: Int, end: Int, key: String)] = []
        isProbing = true
        defer { isProbing = false }
        while offset < bytes.count, limitError == nil {
            _ = try? skipTrivia()
            let start = offset
            guard let token = try? token() else { continue }
            guard token == .mark(UInt8(ascii: "{")) else {
                if let key = pinKey(token, keys) { dropped.append((start, offset, key)) }
                continue
            }
            let (next, count, shared, skipped) = (offset, unread.count, sharedValues, skippedBytes)
            offset -= 1
            if let value = try? value(of: nil, depth: 1), isWanted(value) {
                values.append(value)
            } else {
                // The search in the object took time for the shared values, too.
                addRepeated(offset - next - (skippedBytes - skipped) + sharedValues - shared)
                sharedValues = shared
                offset = next
                unread.removeLast(max(0, unread.count - count))
            }
        }
        try checkLimits(of: values)
        guard !values.isEmpty else { return values }
        let constants = mergedConstants()
        for (start, end, key) in dropped where !constants.contains(start) { addUnread(from: start, to: end, key: key) }
        addUnclosed()
        return values
    }

    /// The key that a token is, if its value looks like pins, or like a part of a pin set with one of `keys`. Types and variables have the
    /// same keys.
    private mutating func pinKey(_ token: Token, _ keys: [String]) -> String? {
        let key: String
        switch token {
        case .string(let text): key = text
        case .name(let name): key = name
        case .unknownString, .mark: return nil
        }
        let next = offset
        defer { offset = next }
        guard (try? self.token()) == .mark(UInt8(ascii: ":")), let value = try? self.token() else { return nil }
        switch value {
        case .mark(UInt8(ascii: "[")):
            guard case .string(let text)? = try? self.token() else { return nil }
            let pin = text.without(prefix: "sha256/").map(String.init) ?? text
            return keys.contains(key) || (try? Pin(spelling: pin)) != nil ? key : nil
        case .mark(UInt8(ascii: "{")):
            guard keys.contains(key), case .string? = try? self.token() else { return nil }
            return key
        case .name(let name): return keys.contains(key) && (constants[name] ?? nil) != nil ? key : nil
        default: return nil
        }
    }

    var isJavaScript: Bool { if case .javaScript = language { true } else { false } }

    typealias Comment = (text: String, start: Int)

    func error(_ problem: PinSetFormatError.Literal, at start: Int? = nil) -> PinSetFormatError {
        let position = isProbing ? nil : SourcePosition(of: start ?? offset, in: bytes)
        return PinSetFormatError(.literal(problem), format: format, at: position)
    }

    /// Nil for an expression, which is added to ``unread``.
    mutating func value(of key: String?, depth: Int) throws(PinSetFormatError) -> PropertyListValue? {
        guard depth <= Self.maximumDepth else {
            isTooDeep = true
            throw error(.tooDeep(maximum: Self.maximumDepth))
        }
        (valueCount, deepest) = (valueCount + 1, max(deepest, depth))
        _ = try skipTrivia()
        let (start, count) = (offset, unread.count)
        let content: PropertyListValue.Content?
        switch try token() {
        case .string(let text):
            content = try joined(text).map { PropertyListValue.Content.string($0) }
            if let content, case .string(let text) = content {
                valueCount += text.utf8.count / SourceText.lengthPerValue
            }
        case .name("true"), .name("YES"): content = .bool(true)
        case .name("false"), .name("NO"): content = .bool(false)
        case .mark(UInt8(ascii: "[")) where isObjectiveC && bytes[start] != UInt8(ascii: "@"):
            content = try message(at: start, of: key, depth: depth)
        case .mark(UInt8(ascii: "(")) where isObjectiveC && bytes[start] == UInt8(ascii: "@"):
            content = try literal(before: UInt8(ascii: ")"))
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
        case .mark, .unknownString: content = nil
        }
        let end = offset
        if content != nil { try skipType() }
        // The caller reads the comments after the value.
        let next = offset
        _ = try skipTrivia()
        let isComplete = endsExpression(from: next)
        offset = next
        guard let content, isComplete else {
            unread.removeLast(max(0, unread.count - count))
            offset = start
            try skipExpression()
            addUnread(from: start, key: key)
            return nil
        }
        return PropertyListValue(
            content, sourceRanges: .init(range: start..<end, inner: start..<end, attributesEnd: start))
    }
}
