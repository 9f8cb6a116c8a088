internal import Encodings
internal import PinSetCodec

/// The test whether generated declarations can replace the section. If it is a part of an expression, such as one call of a builder,
/// the program does not compile with a declaration in its place.
extension MarkedSection {
    /// Whether the section, or the text around it, is not a whole number of declarations.
    func isInExpression(of bytes: [UInt8], in language: SourceText.Language) -> Bool {
        let source = SourceText(bytes, language: language)
        let tokens = tokens(of: source)
        return isSurrounded(in: source, tokens) || Self.isIncomplete(source, tokens)
    }

    /// Whether the section begins as the generated text does, but the text around it is an expression. A person may keep a part of an
    /// expression between the markers equal to the set, and only compare it.
    func isGenerated(like body: [UInt8], inExpressionOf bytes: [UInt8], in language: SourceText.Language) -> Bool {
        let source = SourceText(bytes, language: language)
        let tokens = tokens(of: source)
        guard !tokens.isEmpty, let word = SourceText(body, language: language).word(0),
            source.isWord(tokens.lowerBound, word)
        else { return false }
        return isSurrounded(in: source, tokens)
    }

    /// The indices of the tokens between the markers.
    private func tokens(of source: SourceText) -> Range<Int> {
        let start = source.tokens.firstIndex { $0.range.lowerBound >= range.lowerBound } ?? source.tokens.count
        let end = source.tokens[start...].firstIndex { $0.range.lowerBound >= range.upperBound } ?? source.tokens.count
        return start..<end
    }

    /// Whether the text before the section expects more, or the text after it continues the section.
    private func isSurrounded(in source: SourceText, _ tokens: Range<Int>) -> Bool {
        // The parameters of a constructor in Kotlin are declarations.
        if let open = tokens.isEmpty ? nil : source.openBracket(around: tokens.lowerBound), source.isSign(open, "("),
            source.isWord(open - 1, "constructor") || source.isWord(open - 2, "class")
        {
            return false
        }
        let before = tokens.lowerBound - 1
        return Self.isSign(in: ".,([=|&", source, before) || source.isWord(before, "return")
            || source.isSign(before, ":") && source.isSign(before - 1, "?")
            || Self.continues(source, tokens.upperBound)
    }

    private static func isIncomplete(_ source: SourceText, _ tokens: Range<Int>) -> Bool {
        guard !tokens.isEmpty else { return false }
        var depth = 0
        for index in tokens {
            if isSign(in: "([{", source, index) { depth += 1 }
            if isSign(in: ")]}", source, index) { depth -= 1 }
            guard depth >= 0 else { return true }
        }
        return depth > 0 || continues(source, tokens.lowerBound)
    }

    /// Whether a token continues the expression before it.
    private static func continues(_ source: SourceText, _ index: Int) -> Bool {
        isSign(in: ".,)]?=+*/%|&<>:", source, index)
    }

    private static func isSign(in signs: String, _ source: SourceText, _ index: Int) -> Bool {
        signs.unicodeScalars.contains { source.isSign(index, $0) }
    }
}
