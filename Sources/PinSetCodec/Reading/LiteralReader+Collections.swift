internal import Encodings
internal import PropertyLists

/// Reads dictionaries and arrays.
extension LiteralReader {
    /// Reads the members of a dictionary or the values of an array up to `end`. A colon after the first item means a dictionary.
    mutating func collection(
        until end: UInt8, of arrayKey: String?, depth: Int
    ) throws(PinSetFormatError) -> PropertyListValue.Content {
        var values: [PropertyListValue] = []
        var members: [PropertyListMember] = []
        /// The number of members before the value of each key.
        var keys: [ExactText: Int] = [:]
        /// The members that a later one replaces.
        var replaced: Set<Int> = []
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
                if let earlier = keys.updateValue(members.count, forKey: ExactText(key)) {
                    // In JavaScript, the last one counts.
                    guard isJavaScript else { throw error(.keyTwice(key), at: start) }
                    if members.indices.contains(earlier), members[earlier].key.isSame(as: key) {
                        replaced.insert(earlier)
                    }
                }
                if let member { members.append(PropertyListMember(key: key, range: range, value: member)) }
            case .none where isJavaScript && end == UInt8(ascii: "}"):
                // This is a method, a spread, or a variable that is both key and value.
                offset = start
                isDictionary = true
                try skipExpression()
                guard offset > start else { throw error(.keyExpected, at: start) }
                // The members of another object replace those above.
                if !keys.isEmpty, bytes[start..<offset].starts(with: "...".utf8) { addUnread(from: start, key: nil) }
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
        if !replaced.isEmpty { members = members.enumerated().filter { !replaced.contains($0.offset) }.map(\.element) }
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
        let counts = (valueCount, sharedValues)
        var key: String?
        switch try token() {
        case .string(let text): key = isJavaScript ? text : try joined(text)
        case .name(let name) where isJavaScript: key = name
        // This constant's value lacks the letter T (TrustKit 3.0.7, TSKTrustKitConfig.m).
        case .name("kTSKExcludeSubdomainFromParentPolicy"): key = "kSKExcludeSubdomainFromParentPolicy"
        case .name(let name) where isOwnConstant(name): key = String(name.dropFirst())
        case .mark(UInt8(ascii: "[")) where isJavaScript: key = try computedKey(depth: depth)
        case .name(let name):
            if case .string(let text)? = try constant(named: name, depth: depth) { key = text } else { key = nil }
        case .unknownString: key = nil
        case .mark(UInt8(ascii: "[")) where isObjectiveC && bytes[start] != UInt8(ascii: "@"),
            .mark(UInt8(ascii: "(")) where !isJavaScript, .mark(UInt8(ascii: ".")) where !isJavaScript:
            offset = start
            key = nil
        case .mark, nil: return .none
        }
        var end = offset
        _ = try skipTrivia()
        if !isJavaScript, !isKeyEnd {
            key = nil
            if try skipKeyExpression() { end = offset }
        }
        guard take(UInt8(ascii: ":")) else {
            // A name without a colon is no key. The caller reads it again, as a value.
            (valueCount, sharedValues) = counts
            return .none
        }
        if key == nil {
            let next = offset
            offset = end
            addUnread(from: start, key: nil)
            offset = next
        }
        return .key(key)
    }

    /// Whether the byte after a simple key or value ends it.
    private var isKeyEnd: Bool { byte.map { ":,]}".utf8.contains($0) } ?? true }

    private mutating func commaExpected() throws(PinSetFormatError) -> PinSetFormatError {
        let start = offset
        let found: PinSetFormatError.Literal.Found =
            switch try token() {
            case .string, .unknownString: .string
            case .name(let name): .name(name)
            case .mark(let mark): .name(String(Unicode.Scalar(mark)))
            case nil: .end
            }
        return error(.commaExpected(found: found), at: start)
    }

    /// Skips `as [String: Any]`, `as! Foo.Bar?` or `satisfies Foo & { a: string }`.
    mutating func skipType() throws(PinSetFormatError) {
        let start = offset
        _ = try skipTrivia()
        let word = try token()
        guard word == .name("as") || isJavaScript && word == .name("satisfies") else {
            offset = start
            return
        }
        _ = take(UInt8(ascii: "!")) || take(UInt8(ascii: "?"))
        _ = try skipTrivia()
        var depth = 0
        while let byte {
            let end = offset
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "<"), UInt8(ascii: "("), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: ">"), UInt8(ascii: ")"), UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: ","), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "/"), UInt8(ascii: ";"):
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
