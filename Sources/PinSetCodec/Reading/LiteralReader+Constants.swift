internal import Encodings
internal import PropertyLists

extension LiteralReader {
    /// Finds the ends of brackets, and the constants: `NAME = "…"`, `NAME: Type = […]` and `#define NAME @"…"`.
    mutating func findConstants() {
        var (name, owner) = (String?.none, String?.none)
        var isType = false
        var isDefinition = false
        var (isDeclaration, isMember) = (false, false)
        /// The offset of the name, or of its first owner.
        var start = 0
        var open: [Int] = []
        while offset < bytes.count {
            guard let token = try? token() else { continue }
            addToFinder(token)
            if case .string = token { literals += 1 }
            switch token {
            case .mark(UInt8(ascii: "(")), .mark(UInt8(ascii: "[")), .mark(UInt8(ascii: "{")): open.append(offset - 1)
            case .mark(UInt8(ascii: ")")), .mark(UInt8(ascii: "]")), .mark(UInt8(ascii: "}")):
                // Short brackets are skipped without the table.
                if let start = open.popLast(), offset - start > 64 { ends[start] = offset }
            default: break
            }
            switch token {
            case .name("define"): isDefinition = true
            case .name(let word) where isDefinition:
                _ = addConstant(word, isChange: false)
                isDefinition = false
            case .name(let word):
                if !isMember { owner = nil }
                isMember = false
                if isDeclaration { owners.insert(word) }
                isDeclaration = Self.declarations.contains(word)
                if !isType {
                    name = word
                    if owner == nil { start = offset - word.utf8.count }
                }
            case .mark(UInt8(ascii: ".")): (owner, isMember) = (name, true)
            case .mark(UInt8(ascii: "=")):
                if byte != UInt8(ascii: "="), let name {
                    let isOwn = owner.map(owners.contains) ?? beginsStatement(at: start)
                    if addConstant(name, isChange: isOwn), let owner { owners.insert(owner) }
                }
                (name, owner) = (nil, nil)
                isType = false
            case .mark(UInt8(ascii: ":")): isType = name != nil
            case .mark(UInt8(ascii: "{")) where isType:
                // `var NAME: String { … }` of Swift
                if let name { unknownNames.insert(name) }
                (name, owner, isType, isDeclaration) = (nil, nil, false, false)
            case .mark(UInt8(ascii: ";")), .mark(UInt8(ascii: "{")), .mark(UInt8(ascii: "}")), .mark(UInt8(ascii: ",")),
                .mark(UInt8(ascii: "(")), .mark(UInt8(ascii: ")")), .string, .unknownString:
                (name, owner, isType, isDeclaration) = (nil, nil, false, false)
            case .mark: break
            }
        }
    }

    private static let declarations: Set = ["class", "struct", "enum", "extension", "actor", "namespace"]

    /// Adds the value that begins here, if it can be a literal.
    ///
    /// - Parameter isChange: whether the text gives a new value to a name that is declared elsewhere. Then any value counts.
    /// - Returns: whether the value can be a literal.
    private mutating func addConstant(_ name: String, isChange: Bool) -> Bool {
        let next = offset
        _ = try? skipTrivia()
        var start = offset
        while start < bytes.count, bytes[start] == UInt8(ascii: "@") { start += 1 }
        offset = next
        let isLiteral = start < bytes.count && ("\"'[{".utf8.contains(bytes[start]) || bytes[start].isDigit)
        if isLiteral {
            constants[name] = constants[name] == nil ? .some(start) : .some(nil)
        } else if isChange {
            constants[name] = .some(nil)
        }
        if !isLiteral { unknownNames.insert(name) }
        return isLiteral
    }

    /// The constants whose values were read where they are used.
    func mergedConstants() -> SortedRanges { SortedRanges(constantEnds.map { $0.key..<max($0.key, $0.value) }) }

    /// Whether a statement or an expression begins at a name, and no declaration or parameter: only white space is before it on its line, the
    /// end of another statement, an arrow, or a bracket that is not that of a call.
    private func beginsStatement(at start: Int) -> Bool {
        guard let (index, isFirstOnLine) = signBefore(start) else { return true }
        if bytes[index] == UInt8(ascii: "(") { return !isCall(index) }
        return endsArrow(index) || ";{})".utf8.contains(bytes[index])
            || isFirstOnLine && !",=+-*/&|<>?:[.".utf8.contains(bytes[index])
    }

    /// Whether a bracket can be that of a call, or of the parameters of a function: a name, or a sign of a value or a list is before it.
    private func isCall(_ bracket: Int) -> Bool {
        guard var (index, _) = signBefore(bracket) else { return false }
        // `if ((a = b))` and `f((a = b) => c)`
        while bytes[index] == UInt8(ascii: "("), let next = signBefore(index) { index = next.index }
        guard Self.isNameByte(bytes[index]) else {
            return !endsArrow(index) && ">)],=".utf8.contains(bytes[index])
        }
        let word = bytes[...index].reversed().prefix(while: Self.isNameByte).reversed()
        return !["if", "while", "for", "switch", "return", "await", "else", "in"].contains {
            word.elementsEqual($0.utf8)
        }
    }

    /// Whether `=>` ends at an offset.
    private func endsArrow(_ index: Int) -> Bool {
        bytes[index] == UInt8(ascii: ">") && index > 0 && bytes[index - 1] == UInt8(ascii: "=")
    }

    /// The offset of the last byte before another one that is not white space, and whether a line ends between them.
    private func signBefore(_ start: Int) -> (index: Int, endsLine: Bool)? {
        var (index, endsLine) = (start - 1, false)
        while index >= 0, bytes[index].isWhiteSpace {
            if bytes[index].endsLine { endsLine = true }
            index -= 1
        }
        return index < 0 ? nil : (index, endsLine)
    }

    /// The result of reading the value of a constant.
    enum Evaluation {
        /// - Parameters:
        ///   - height: number of levels of collections in the value.
        ///   - count: number of values in it, including itself and the values in constants. Long texts count as several values.
        case value(PropertyListValue.Content, height: Int, count: Int)
        case unknown
        /// The value is too deep at this depth. It can be read where the depth is less.
        case tooDeep(Int)
    }

    /// The value of a constant, written as `NAME` or `Type.NAME`; nil if no such constant is defined.
    ///
    /// The value is read once. All its uses share it, so the time and the memory for a use do not depend on its size.
    mutating func constant(named name: String, depth: Int) throws(PinSetFormatError) -> PropertyListValue.Content? {
        let use = offset
        var (owner, last) = (String?.none, name)
        while byte == UInt8(ascii: "."), byte(at: 1).map(Self.isNameByte) ?? false {
            offset += 1
            guard case .name(let member) = try token() else { return nil }
            (owner, last) = (last, member)
        }
        // A type that the text does not declare has other constants.
        if let owner, !owners.contains(owner) || unknownNames.contains(last) { return nil }
        guard let start = constants[last] ?? nil else { return nil }
        switch evaluations[start] {
        case .value(let content, let height, let count):
            guard depth + 1 + height <= Self.maximumDepth else {
                isTooDeep = true
                return nil
            }
            sharedValues += count
            guard sharedValues <= Self.maximumSharedValues else {
                throw exceed(.tooManyConstantValues(maximum: Self.maximumSharedValues), at: use)
            }
            (valueCount, deepest) = (valueCount + count, max(deepest, depth + 1 + height))
            return content
        case .unknown: return nil
        case .tooDeep(let limit) where depth >= limit:
            isTooDeep = true
            return nil
        case .tooDeep, nil:
            let content = evaluatedConstant(at: start, depth: depth)
            if let limitError { throw limitError }
            return content
        }
    }

    private mutating func evaluatedConstant(at start: Int, depth: Int) -> PropertyListValue.Content? {
        let (end, count, wasProbing, skipped) = (offset, unread.count, isProbing, skippedBytes)
        let (values, outerDeepest, wasTooDeep) = (valueCount, deepest, isTooDeep)
        (offset, isProbing, deepest, isTooDeep) = (start, true, depth + 1, false)
        let value = try? value(of: nil, depth: depth + 1)
        isProbing = wasProbing
        addRepeated(offset - start - (skippedBytes - skipped))
        let reached = offset
        offset = end
        let isComplete = unread.count == count
        unread.removeLast(max(0, unread.count - count))
        // A computed key that is too deep is no complete value either.
        if value != nil { constantEnds[start] = reached }
        if isComplete, !isTooDeep, let value {
            evaluations[start] = .value(value.content, height: deepest - depth - 1, count: valueCount - values)
            (deepest, isTooDeep) = (max(deepest, outerDeepest), wasTooDeep)
            return value.content
        }
        evaluations[start] = isTooDeep ? .tooDeep(depth) : .unknown
        (deepest, isTooDeep) = (outerDeepest, isTooDeep || wasTooDeep)
        return nil
    }
}
