internal import PinSetCodec

/// The test whether a generated declaration can replace the section. If the section is a part of an expression, such as one call of a
/// builder, the program does not compile with a declaration in its place.
extension MarkedSection {
    /// The reason why declarations cannot replace the section; nil if they can.
    func obstacle(in bytes: [UInt8], _ language: FormatTraits.Language) -> PinSetCopyError? {
        let code = SurroundedSection(of: self, in: bytes, language)
        // A comment that begins above a marker and ends below it would lose one of its ends.
        if let marker = [firstMarker, range.lowerBound, range.upperBound].first(where: code.source.isInTextOrComment) {
            return .markerInComment(line: 1 + bytes[..<marker].count { $0 == UInt8(ascii: "\n") })
        }
        if code.isInExpression { return .sectionInExpression(line: firstLine) }
        return code.hasOnlyDeclarations ? nil : .sectionNotDeclarations(line: firstLine)
    }

    /// Whether the section begins as the generated text does, but the text around it is an expression. A person may keep a part of an
    /// expression between the markers equal to the set, and only compare it.
    func isGenerated(like body: [UInt8], inExpressionOf bytes: [UInt8], in language: FormatTraits.Language) -> Bool {
        let code = SurroundedSection(of: self, in: bytes, language)
        guard !code.tokens.isEmpty, let word = SourceText(body, language: language.source).word(0),
            code.source.isWord(code.tokens.lowerBound, word)
        else { return false }
        return code.isSurrounded
    }
}

/// The tokens of a section and of the text around it.
private struct SurroundedSection {
    let source: SourceText
    /// The indices of the tokens between the markers.
    let tokens: Range<Int>
    private let language: FormatTraits.Language
    /// The index of the innermost bracket that is open before the section; nil outside brackets.
    private let open: Int?

    init(of section: MarkedSection, in bytes: [UInt8], _ language: FormatTraits.Language) {
        let source = SourceText(bytes, language: language.source)
        let start =
            source.tokens.firstIndex { $0.range.lowerBound >= section.range.lowerBound } ?? source.tokens.count
        let end =
            source.tokens[start...].firstIndex { $0.range.lowerBound >= section.range.upperBound }
            ?? source.tokens.count
        (self.source, self.language, tokens) = (source, language, start..<end)
        let before = start - 1
        open = Self.isSign(in: "([{", source, before) ? before : source.openBracket(around: before)
    }

    // MARK: The text around the section

    /// Whether the section, or the text around it, is not a whole number of declarations.
    var isInExpression: Bool { isSurrounded || isIncomplete }

    /// Words before an expression.
    private static let expectingWords = ["return", "throw", "else", "do", "try", "await", "by", "as", "is"]

    /// Whether the text before the section expects more, or the text after it continues the section.
    var isSurrounded: Bool {
        let before = tokens.lowerBound - 1
        if let open, source.isSign(open, "(") || source.isSign(open, "[") {
            // The parameters of a constructor in Kotlin are declarations.
            return !isConstructor(open) || !isSign(in: "(,", before) || !isSign(in: "),", tokens.upperBound)
        }
        return isSign(in: ".,=|&", before) || continues(tokens.upperBound) || continuesDeclaration(tokens.upperBound)
            || Self.expectingWords.contains { source.isWord(before, $0) }
            || source.isSign(before, ":") && !isLabel(before)
            || source.isSign(before, ">") && source.isSign(before - 1, "-") && !isOfLambda(before)
            || source.isSign(before, ")")
                && ["if", "for"].contains { source.isWord(start(ofBrackets: before) - 1, $0) }
    }

    /// Whether a bracket begins the parameters of a Kotlin class.
    private func isConstructor(_ open: Int) -> Bool {
        guard language == .kotlin, source.isSign(open, "(") else { return false }
        var index = open - 1
        if source.isWord(index, "constructor") { return true }
        // The parameters of the type, such as `<T : Any>`.
        var depth = 0
        while isSign(in: "<>", index) || depth > 0, index >= 0 {
            if source.isSign(index, ">"), !source.isSign(index - 1, "-") { depth += 1 }
            if source.isSign(index, "<") { depth -= 1 }
            index -= 1
        }
        return source.isWord(index - 1, "class")
    }

    /// Whether a colon ends a `case` or `default` of Swift. Otherwise a type or a value follows it.
    private func isLabel(_ colon: Int) -> Bool {
        guard language == .swift else { return false }
        var index = colon - 1
        while index >= 0, !isSign(in: "{};", index) {
            if source.isWord(index, "case") || source.isWord(index, "default") { return true }
            index -= 1
        }
        return false
    }

    /// Whether an arrow follows the parameters of a lambda of Kotlin. The branch of a `when` is an expression or has braces.
    private func isOfLambda(_ arrow: Int) -> Bool {
        guard language == .kotlin, let open, source.isSign(open, "{"), !source.isWord(open - 1, "when") else {
            return false
        }
        return !source.isSign(open - 1, ")") || !source.isWord(start(ofBrackets: open - 1) - 1, "when")
    }

    /// The index of the bracket that a closing bracket closes; -1 without one.
    private func start(ofBrackets close: Int) -> Int {
        Self.isSign(in: "([{", source, close - 1) ? close - 1 : source.openBracket(around: close - 1) ?? -1
    }

    private var isIncomplete: Bool {
        guard !tokens.isEmpty else { return false }
        var depth = 0
        for index in tokens {
            if isSign(in: "([{", index) { depth += 1 }
            if isSign(in: ")]}", index) { depth -= 1 }
            guard depth >= 0 else { return true }
        }
        return depth > 0 || continues(tokens.lowerBound) || isSign(in: "=,.+-/&|:", tokens.upperBound - 1)
    }

    /// Whether a token continues the declaration before it: a body, or the words of Kotlin for an accessor, a delegate and so on.
    private func continuesDeclaration(_ index: Int) -> Bool {
        if source.isSign(index, "{") || ["by", "where", "else"].contains(where: { source.isWord(index, $0) }) {
            return true
        }
        guard ["get", "set"].contains(where: { source.isWord(index, $0) }), source.isSign(index + 1, "("),
            let close = source.closingBracket(of: index + 1)
        else { return false }
        return isSign(in: "={:", close + 1)
    }

    // MARK: The section

    /// Words with which a declaration begins.
    private static let declaringWords = Set([
        "val", "var", "let", "fun", "func", "class", "object", "interface", "struct", "enum", "actor", "protocol",
        "extension", "typealias", "private", "fileprivate", "internal", "protected", "public", "package", "open",
        "final", "static", "companion", "override", "abstract", "sealed", "data", "value", "inner", "annotation",
        "lateinit", "const", "inline", "lazy", "weak", "unowned", "nonisolated",
    ])
    /// Those of them that a bracket can follow, as in `private(set) var`.
    private static let bracketedWords = Set(["private", "fileprivate", "internal", "public", "nonisolated", "unowned"])
    /// More modifiers than an import can have. A text can have many of their words.
    private static let maximumModifiers = 8
    /// Words with which a line continues a declaration.
    private static let continuingWords = Set(["by", "get", "set", "where", "else", "as", "is", "throws", "async"])

    /// Whether each statement of the section is a declaration. Code without declarations, such as the body of a lambda, has a value
    /// that a declaration does not have.
    var hasOnlyDeclarations: Bool {
        var depth = 0
        var end = tokens.lowerBound
        for index in tokens {
            if depth == 0, index >= end, index == tokens.lowerBound || beginsStatement(index) {
                guard let word = declaringWord(from: index) else { return false }
                end = word + 1
            }
            if isSign(in: "([{", index) { depth += 1 }
            if isSign(in: ")]}", index) { depth -= 1 }
        }
        return true
    }

    private func beginsStatement(_ index: Int) -> Bool {
        if source.isSign(index - 1, ";") { return true }
        let gap = source.tokens[index - 1].range.upperBound..<source.tokens[index].range.lowerBound
        guard source.bytes[gap].contains(UInt8(ascii: "\n")), !isSign(in: ".,=|&:?<(+-*/%", index - 1) else {
            return false
        }
        switch source.tokens[index].kind {
        case .sign: return isSign(in: "@#([!", index)
        case .text: return true
        case .word: return !Self.continuingWords.contains(source.word(index) ?? "")
        }
    }

    /// The index of the first word of the declaration at an index, after its attributes; nil if it is no declaration.
    private func declaringWord(from start: Int) -> Int? {
        var index = start
        while source.isSign(index, "@") {
            // An annotation of the file.
            if source.isWord(index + 1, "file"), source.isSign(index + 2, ":") { return nil }
            index += 2
            while isSign(in: ".:", index) { index += 2 }
            if source.isSign(index, "("), let close = source.closingBracket(of: index) { index = close + 1 }
        }
        guard index < tokens.upperBound, let word = source.word(index), Self.declaringWords.contains(word) else {
            return nil
        }
        // `package` is a modifier of Swift only, and an import can have modifiers.
        guard language == .swift || word != "package" else { return nil }
        var last = index
        while last < index + Self.maximumModifiers, let next = source.word(last), Self.declaringWords.contains(next) {
            last += 1
        }
        guard !source.isWord(last, "import"), index + 1 < tokens.upperBound else { return nil }
        let isFollowed = source.word(index + 1) != nil || isSign(in: "@", index + 1)
        let isBracketed = source.isSign(index + 1, "(") && Self.bracketedWords.contains(word)
        // In Kotlin, type parameters follow the word: `fun <T> f()`.
        let isGeneric = source.isSign(index + 1, "<") && ["fun", "val", "var"].contains(word)
        return isFollowed || isBracketed || isGeneric ? index : nil
    }

    // MARK: Tokens

    /// Whether a token continues the expression before it.
    private func continues(_ index: Int) -> Bool { isSign(in: ".,)]?=+*/%|&<>:", index) }

    private func isSign(in signs: String, _ index: Int) -> Bool { Self.isSign(in: signs, source, index) }

    private static func isSign(in signs: String, _ source: SourceText, _ index: Int) -> Bool {
        signs.unicodeScalars.contains { source.isSign(index, $0) }
    }
}
