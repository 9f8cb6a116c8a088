internal import Encodings

/// The tokens of source code with their brackets, for questions about types.
struct OkHttpTokens {
    private let bytes: [UInt8]
    private let tokens: [SourceToken]
    /// The index of the closing bracket for the index of each opening bracket, and the other way round.
    private let closing: [Int: Int]
    private let opening: [Int: Int]

    /// Maximum number of words of a name, and of tokens between the angle brackets of a type and in a statement.
    private static let maximumPath = 16
    private static let maximumGenerics = 32
    private static let maximumStatement = 1000

    init(_ bytes: [UInt8], _ tokens: [SourceToken], closing: [Int: Int]) {
        (self.bytes, self.tokens, self.closing) = (bytes, tokens, closing)
        opening = Dictionary(closing.map { ($1, $0) }) { first, _ in first }
    }

    var indices: Range<Int> { tokens.indices }

    private func token(_ index: Int) -> SourceToken? { tokens.indices.contains(index) ? tokens[index] : nil }

    func isSign(_ index: Int, _ sign: Unicode.Scalar) -> Bool { token(index)?.kind == .sign(UInt8(ascii: sign)) }

    func isSign(_ index: Int, in signs: StaticString) -> Bool {
        guard let token = token(index), case .sign(let sign) = token.kind else { return false }
        return signs.description.utf8.contains(sign)
    }

    func word(_ index: Int) -> String? {
        guard let token = token(index), token.kind == .word else { return nil }
        return String(decoding: bytes[token.range], as: UTF8.self)
    }

    func isWord(_ index: Int, _ text: StaticString) -> Bool {
        guard let token = token(index), token.kind == .word else { return false }
        return bytes[token.range].elementsEqual(text.description.utf8)
    }

    /// Whether the token is a word that begins with a capital letter, as the name of a type does.
    func isTypeName(_ index: Int) -> Bool {
        guard let token = token(index), token.kind == .word else { return false }
        return (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[token.range.lowerBound])
    }

    func line(_ index: Int) -> Int? { token(index)?.line }

    func closing(of index: Int) -> Int? { closing[index] }

    func opening(of index: Int) -> Int? { opening[index] }

    /// The names before a dot that mean this file, its package, or an object or type that it declares.
    var owners: Set<String> {
        var owners: Set = ["this", "super", "Companion"]
        for index in indices {
            let isType = ["class", "object", "interface", "enum", "record"].contains { isWord(index, $0) }
            if isType, let name = word(index + 1) { owners.insert(name) }
            if isWord(index, "package"), let name = path(at: index + 1)?.words.last { owners.insert(name) }
        }
        return owners
    }

    // MARK: Parts of expressions

    /// The last token of the expression before a call: that before `.`, `?.` or `!!.`.
    func end(ofReceiverBefore index: Int) -> Int {
        var end = index - 2
        while isSign(end, in: "?!"), end > index - 5 { end -= 1 }
        return end
    }

    /// The name of the function that is called with these brackets, or with the lambda in them; nil without a name.
    func nameBefore(_ open: Int) -> Int? {
        var index = open - 1
        // `T<A, B>(…)`
        if isSign(index, ">") {
            let end = max(0, index - Self.maximumGenerics)
            while index > end, !isSign(index, "<") { index -= 1 }
            index -= 1
        }
        return word(index) == nil ? nil : index
    }

    /// Whether the function returns the object whose function it is.
    func returnsReceiver(_ index: Int) -> Bool {
        isWord(index, "add") || isWord(index, "apply") || isWord(index, "also")
    }

    /// The words of a name with dots; nil if the name belongs to the value of an expression.
    func path(endingAt index: Int) -> (words: [String], start: Int)? {
        guard let last = word(index) else { return nil }
        var (words, start) = ([last], index)
        while isSign(start - 1, "."), words.count < Self.maximumPath, let word = word(start - 2) {
            words.insert(word, at: 0)
            start -= 2
        }
        return isSign(start - 1, ".") ? nil : (words, start)
    }

    /// The words of a name with dots that begins here, and the token after it.
    func path(at index: Int) -> (words: [String], end: Int)? {
        guard let first = word(index) else { return nil }
        var (words, end) = ([first], index + 1)
        while isSign(end, "."), words.count < Self.maximumPath, let word = word(end + 1) {
            words.append(word)
            end += 2
        }
        return (words, end)
    }

    /// The token after the type arguments, if there are any.
    func end(ofGenericsAt index: Int) -> Int {
        guard isSign(index, "<") else { return index }
        var depth = 0
        for end in index..<min(tokens.count, index + Self.maximumGenerics) {
            if isSign(end, "<") { depth += 1 }
            if isSign(end, ">"), !isSign(end - 1, "-") { depth -= 1 }
            if depth == 0 { return end + 1 }
        }
        return index
    }

    /// The words of a function's name, with those of its receiver, and its opening bracket.
    ///
    /// - Parameter index: the token `fun`.
    func function(at index: Int) -> (words: [String], open: Int)? {
        var start = end(ofGenericsAt: index + 1)
        var words: [String] = []
        while words.count < Self.maximumPath, let word = word(start) {
            words.append(word)
            start = end(ofGenericsAt: start + 1)
            if isSign(start, "?") { start += 1 }
            guard isSign(start, ".") else { break }
            start += 1
        }
        return words.isEmpty || !isSign(start, "(") ? nil : (words, start)
    }

    /// Whether an expression ends before this token, so that no operator or call changes its value.
    func endsExpression(_ index: Int) -> Bool {
        guard let next = token(index) else { return true }
        if let sign = next.sign { return ";,})@".utf8.contains(sign) }
        return token(index - 1).map { $0.line < next.line } ?? true
    }

    /// The token after a statement of calls on one line, or on lines that begin with a dot.
    func end(ofStatement start: Int) -> Int {
        var index = start
        while index < min(tokens.count, start + Self.maximumStatement), !isSign(index, in: ";})") {
            if let end = closing[index] { index = end }
            if let line = line(index), let next = self.line(index + 1), next > line, !isSign(index + 1, "."),
                !isSign(index + 1, "?"), index > start || isSign(index, ")")
            {
                return index + 1
            }
            index += 1
        }
        return index
    }
}
