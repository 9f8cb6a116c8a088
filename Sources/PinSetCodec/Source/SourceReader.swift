internal import Encodings

/// Reads literals in source code. The name of a constant of the same file is replaced by the constant's value.
package struct SourceReader {
    package let source: SourceText
    private let language: SourceText.Language
    /// The index of the first token of each constant's value; nil for a name with several values.
    let constants: [String: Int?]
    /// The values of the constants that were needed until now, by their first tokens. Each use of a constant shares its value.
    var evaluations: [Int: Evaluation] = [:]
    /// Number of values that may still be read. Values in brackets that are searched again and again would otherwise take quadratic
    /// time.
    private var budget: Int
    private let maximumValues: Int
    /// Number of values in constants, counted for each use after the first one. The limit prevents that constants which contain each
    /// other expand to any amount of values.
    var sharedValues = 0
    /// Number of values that were read, with the values in constants. Long texts count as several values.
    var valueCount = 0
    /// The greatest depth of a value since the start of a constant, and whether a value was too deep.
    var (deepest, isTooDeep) = (0, false)
    /// The first limit that the source exceeds. All values that are read after it are unknown.
    var limit: Limit?

    static let maximumDepth = 32

    package init(_ bytes: [UInt8], language: SourceText.Language) {
        self.language = language
        source = SourceText(bytes, language: language)
        constants = Self.constants(of: source)
        maximumValues = 1000 + 40 * source.tokens.count
        budget = maximumValues
    }

    private static let keywords = ["const", "let", "var", "final", "static", "late"]

    /// Finds the constants: the names before `=`, with or without a type between: `NAME: string[] =`, `const NAME =`.
    private static func constants(of source: SourceText) -> [String: Int?] {
        var constants: [String: Int?] = [:]
        for index in source.tokens.indices
        where source.isSign(index, "=") && !source.isSign(index + 1, "=") && !source.isSign(index + 1, ">") {
            if ["=", "!", "<", ">"].contains(where: { source.isSign(index - 1, $0) }) { continue }
            var name = source.word(index - 1)
            var before = index - 1
            for _ in 0..<8 {
                let isType = source.word(before) != nil || source.isSign(before, "[") || source.isSign(before, "]")
                guard isType, !keywords.contains(where: { source.isWord(before, $0) }) else { break }
                before -= 1
                if source.isSign(before, ":"), let typed = source.word(before - 1) { name = typed }
            }
            guard let name else { continue }
            let isKnown = constants[name] != nil || constants.keys.contains(name)
            // With `+=` or a second value, the value is unknown.
            let isUnique = !isKnown && !source.isSign(index - 1, "+")
            constants.updateValue(isUnique ? index + 1 : nil, forKey: name)
        }
        return constants
    }

    /// The value that begins at a token.
    package mutating func literal(at index: Int) -> SourceLiteral { expression(at: index, depth: 0) }

    /// The calls of a function or method with this name, in the order of the text. Declarations of it are left out.
    package mutating func calls(of name: String) -> [SourceCall] {
        var calls: [SourceCall] = []
        for index in source.indices(of: name) where source.word(index) != nil && source.isSign(index + 1, "(") {
            // In a declaration, a type or a keyword precedes the name.
            let isDeclaration =
                source.word(index - 1) != nil && source.tokens[index - 1].line == source.tokens[index].line
                && !["return", "await", "try", "else", "in"].contains(where: { source.isWord(index - 1, $0) })
            if isDeclaration { continue }
            calls.append(SourceCall(index: index, arguments: members(in: index + 1)))
        }
        return calls
    }

    /// The members of the brackets that open at a token.
    package mutating func members(in open: Int) -> [SourceLiteral.Member] {
        guard let end = source.closingBracket(of: open) else { return [] }
        return members(from: open + 1, to: end, depth: 0)
    }

    /// The key of the object that opens at a token: `key: {`, `"key": {`, `[NAME]: {`.
    package mutating func key(before open: Int) -> SourceLiteral? {
        guard source.isSign(open - 1, ":") else { return nil }
        return key(endingAt: open - 2, depth: 0)
    }

    private mutating func key(endingAt index: Int, depth: Int) -> SourceLiteral? {
        if source.isSign(index, "]"), let open = opening(of: index) {
            let literal = expression(at: open + 1, depth: depth)
            // A computed key is the value of an expression, not its name.
            return literal.text == nil ? value(.unknown, open + 1..<index) : literal
        }
        guard source.tokens.indices.contains(index) else { return nil }
        if let word = source.word(index) { return value(.name(word), index..<index + 1) }
        if case .text(let text?) = source.tokens[index].kind, beginsKey(index) {
            return value(.text(text), index..<index + 1)
        }
        return value(.unknown, index..<index + 1)
    }

    /// Whether a string is a whole key, and not the end of an expression such as `"a." + "b"`.
    private func beginsKey(_ index: Int) -> Bool {
        guard index > 0 else { return true }
        let isFirstOnLine = source.tokens[index - 1].line < source.tokens[index].line
        switch source.tokens[index - 1].kind {
        case .sign(let sign): return "{[(,;<@".utf8.contains(sign) || isFirstOnLine && sign != UInt8(ascii: "+")
        case .word: return isFirstOnLine
        // In Dart and Python, adjacent strings are one string.
        case .text: return isFirstOnLine && language != .dart && language != .python
        }
    }

    /// The opening bracket of a short computed key.
    private func opening(of close: Int) -> Int? {
        (1...16).lazy.map { close - $0 }.first { source.closingBracket(of: $0) == close }
    }

    /// Arguments must not change the reader: Swift copies `self` before it evaluates them, and each change would then copy all values of
    /// constants.
    private func value(_ content: SourceLiteral.Content, _ range: Range<Int>) -> SourceLiteral {
        let index = min(range.lowerBound, source.tokens.count - 1)
        return SourceLiteral(content: content, range: range, line: index >= 0 ? source.tokens[index].line : 1)
    }

    /// One value and what follows it up to the end of the expression.
    mutating func expression(at start: Int, depth: Int) -> SourceLiteral {
        guard depth < Self.maximumDepth else {
            isTooDeep = true
            return value(.unknown, start..<start + 1)
        }
        guard hasBudget(at: start) else { return value(.unknown, start..<start + 1) }
        budget -= 1
        (valueCount, deepest) = (valueCount + 1, max(deepest, depth))
        var literal = term(at: start, depth: depth)
        var index = literal.range.upperBound
        // Adjacent strings are one string in Dart and Python, and `+` joins strings.
        while case .text(let left) = literal.content {
            let next = source.isSign(index, "+") ? index + 1 : index
            guard source.tokens.indices.contains(next), case .text(let right?) = source.tokens[next].kind,
                left.count + right.count <= SourceText.maximumTextLength
            else { break }
            index = next + 1
            valueCount += right.count / SourceText.lengthPerValue
            literal = value(.text(left + right), start..<index)
        }
        return endsExpression(index) ? literal : value(.unknown, start..<end(of: index))
    }

    /// Whether the expression ends here, so that no operator changes its value.
    private func endsExpression(_ index: Int) -> Bool {
        guard source.tokens.indices.contains(index) else { return true }
        switch source.tokens[index].kind {
        case .sign(let sign): return ",;)]}".utf8.contains(sign)
        case .word:
            // This is `as const` in TypeScript, or the next statement.
            return source.isWord(index, "as") || source.isWord(index, "satisfies")
                || source.tokens[index].line > source.tokens[index - 1].line
        case .text: return source.tokens[index].line > source.tokens[index - 1].line
        }
    }

    /// The index of the token that ends an expression.
    private func end(of start: Int) -> Int {
        var index = start
        while source.tokens.indices.contains(index) {
            if case .sign(let sign) = source.tokens[index].kind, ",;)]}".utf8.contains(sign) { return index }
            index = source.closingBracket(of: index).map { $0 + 1 } ?? index + 1
        }
        return index
    }

    private mutating func term(at start: Int, depth: Int) -> SourceLiteral {
        guard source.tokens.indices.contains(start) else { return value(.unknown, start..<start + 1) }
        switch source.tokens[start].kind {
        case .text(let text):
            valueCount += (text?.count ?? 0) / SourceText.lengthPerValue
            return value(text.map { .text($0) } ?? .unknown, start..<start + 1)
        case .sign(UInt8(ascii: "[")):
            guard let end = source.closingBracket(of: start) else { break }
            let members = members(from: start + 1, to: end, depth: depth + 1)
            // Swift writes dictionaries in the same brackets as arrays.
            let isDictionary = language == .swift && !members.isEmpty && members.allSatisfy { $0.key != nil }
            return value(isDictionary ? .members(members) : .list(members.map(\.value)), start..<end + 1)
        case .sign(UInt8(ascii: "{")):
            guard let end = source.closingBracket(of: start) else { break }
            let members = members(from: start + 1, to: end, depth: depth + 1)
            return value(.members(members), start..<end + 1)
        case .sign(UInt8(ascii: "<")):
            // A list can have a type before it: `<String>[…]`.
            if let end = endOfTypeArguments(start) {
                let list = term(at: end, depth: depth + 1)
                return value(list.content, start..<list.range.upperBound)
            }
        case .sign(UInt8(ascii: ".")) where source.word(start + 1) != nil:
            // Swift omits the type of a member: `.leaf`.
            return value(.name("." + (source.word(start + 1) ?? "")), start..<start + 2)
        case .word: return name(at: start, depth: depth)
        case .sign: break
        }
        return value(.unknown, start..<start + 1)
    }

    /// The index after the closing `>` of `<…>`; nil if this is not a short list of types.
    private func endOfTypeArguments(_ start: Int) -> Int? {
        var depth = 0
        for index in start..<min(start + 16, source.tokens.count) {
            if source.isSign(index, "<") { depth += 1 }
            if source.isSign(index, ">") { depth -= 1 }
            if depth == 0 { return index + 1 }
        }
        return nil
    }

    /// Reads a value that begins with a name: `NAME`, `true`, `SHA.SHA1`, `bytes.fromhex(…)`, `new Name(…)`, `const [ … ]`.
    private mutating func name(at start: Int, depth: Int) -> SourceLiteral {
        if ["const", "new", "await", "final"].contains(where: { source.isWord(start, $0) }),
            source.tokens.indices.contains(start + 1), !source.isSign(start + 1, ","), depth < Self.maximumDepth
        {
            let literal = term(at: start + 1, depth: depth + 1)
            return value(literal.content, start..<literal.range.upperBound)
        }
        var index = start + 1
        var path = source.word(start) ?? ""
        while source.isSign(index, "."), let part = source.word(index + 1) {
            path += "." + part
            index += 2
        }
        if source.isSign(index, "<"), let end = endOfTypeArguments(index), source.isSign(end, "(") { index = end }
        if source.isSign(index, "("), let end = source.closingBracket(of: index) {
            let arguments = members(from: index + 1, to: end, depth: depth + 1)
            return value(.call(name: path, arguments), start..<end + 1)
        }
        // Errors show where the constant is used.
        let content = constant(named: path, at: start, depth: depth) ?? .name(path)
        return value(content, start..<index)
    }

    private mutating func hasBudget(at index: Int) -> Bool {
        if budget <= 0 { exceed(.tooManyRepetitions(maximum: maximumValues, of: .values), at: index) }
        return limit == nil
    }

    /// The members between two brackets, separated by commas.
    private mutating func members(from start: Int, to end: Int, depth: Int) -> [SourceLiteral.Member] {
        var members: [SourceLiteral.Member] = []
        var index = start
        while index < end, hasBudget(at: index) {
            if source.isSign(index, ",") || source.isSign(index, ";") {
                index += 1
                continue
            }
            let first = index
            var key: SourceLiteral?
            if let mark = keyEnd(at: index, before: end) {
                key = self.key(endingAt: mark - 1, depth: depth + 1)
                index = mark + 1
            }
            let literal = expression(at: index, depth: depth)
            members.append(SourceLiteral.Member(key: key, value: literal))
            index = max(first + 1, literal.range.upperBound)
            // This loop skips text after the value, such as `as const`.
            while index < end, !source.isSign(index, ","), !source.isSign(index, ";") {
                let isNextLine = source.tokens[index].line > source.tokens[index - 1].line
                if isNextLine, keyEnd(at: index, before: end) != nil { break }
                if source.isSign(index, "["), key == nil, isNextLine { break }
                index = source.closingBracket(of: index).map { $0 + 1 } ?? index + 1
            }
        }
        if index < end { members.append(SourceLiteral.Member(key: nil, value: value(.unknown, index..<index + 1))) }
        return members
    }

    /// The index of the colon or equals sign after a key.
    private func keyEnd(at index: Int, before end: Int) -> Int? {
        var after = index + 1
        if source.isSign(index, "[") { after = source.closingBracket(of: index).map { $0 + 1 } ?? end }
        if case .sign = source.tokens[index].kind, !source.isSign(index, "[") { return nil }
        // Optional members in TypeScript are written `key?:`.
        if source.isSign(after, "?") { after += 1 }
        guard after < end, source.isSign(after, ":") || source.isSign(after, "="), !source.isSign(after + 1, "=") else {
            return nil
        }
        return source.isSign(after - 1, "?") ? nil : after
    }
}
