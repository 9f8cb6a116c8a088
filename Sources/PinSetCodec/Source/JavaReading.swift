/// How a text was read by the rules of one of the two languages.
package struct JavaReading<Token: JavaToken> {
    package let tokens: [Token]
    /// The line of the first comment that contains another one; nil without such a comment, or if comments cannot be nested.
    package let nestedLine: Int?
    /// The line of the first string that ends in Kotlin after a backslash; nil without such a string.
    package let escapedLine: Int?
    /// The line of the comment or string over several lines that does not end; nil without one.
    package let unclosedLine: Int?
    /// Whether all nested comments end.
    package let isClosed: Bool

    package init(_ tokens: [Token], nestedLine: Int?, escapedLine: Int?, unclosedLine: Int?, isClosed: Bool) {
        (self.tokens, self.nestedLine, self.escapedLine) = (tokens, nestedLine, escapedLine)
        (self.unclosedLine, self.isClosed) = (unclosedLine, isClosed)
    }

    /// Whether these tokens, which were read without nested comments, can be Java: in it, a statement ends with a semicolon, and there is
    /// no `*/` outside comments.
    private var isJava: Bool { endsStatements && !hasEndOfComment }

    private var endsStatements: Bool { tokens.contains { $0.sign == UInt8(ascii: ";") } }

    private var hasEndOfComment: Bool {
        zip(tokens, tokens.dropFirst()).contains { first, second in
            first.sign == UInt8(ascii: "*") && second.sign == UInt8(ascii: "/")
                && first.range.upperBound == second.range.lowerBound
        }
    }

    /// The tokens of the language that the text can be, and why it may be other code for its compiler.
    ///
    /// - Parameters:
    ///   - nested: the text as Kotlin, in which comments can be nested.
    ///   - flat: reads the text as Java.
    package static func tokens(
        of bytes: [UInt8], nested: Self, flat: () -> Self
    ) -> (tokens: [Token], ambiguity: SourceAmbiguity?) {
        var reading = nested
        if let line = nested.nestedLine {
            let java = flat()
            if !nested.isClosed {
                reading = java
            } else if java.isJava {
                return (nested.tokens, SourceAmbiguity(.nestedComment, line: line))
            }
        }
        let tokens = reading.tokens
        // Without a semicolon, the text is Kotlin, unless it is one in which the string hides the rest.
        let canBeJava = reading.endsStatements || reading.unclosedLine != nil
        if let line = reading.escapedLine, canBeJava { return (tokens, SourceAmbiguity(.escapedDelimiter, line: line)) }
        let ambiguity =
            reading.endsStatements
            ? SourceAmbiguity(in: bytes, tokens: tokens.map(\.range)) { tokens[$0].isText } : nil
        return (tokens, ambiguity ?? reading.unclosedLine.map { SourceAmbiguity(.unclosed, line: $0) })
    }
}

extension ArraySlice<UInt8> {
    /// Whether the last byte is a backslash that no other one escapes.
    package var endsWithEscape: Bool { reversed().prefix { $0 == UInt8(ascii: "\\") }.count % 2 == 1 }
}
