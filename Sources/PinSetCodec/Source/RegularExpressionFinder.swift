internal import Encodings

/// Finds the regular expressions of JavaScript. A `/` begins one unless the token before it ends an expression (ECMAScript, section
/// 12.9.5).
///
/// After `}`, a `/` is always a division: only a parser can distinguish blocks from objects.
struct RegularExpressionFinder {
    /// Words that a value follows.
    private static let keywords: Set<String> = [
        "await", "case", "default", "delete", "do", "else", "in", "instanceof", "new", "of", "return", "throw",
        "typeof",
        "void", "yield",
    ]

    /// Words before parentheses that a statement follows.
    private static let statements: Set<String> = ["for", "if", "while", "with"]

    private static let maximumKeywordLength = 10

    /// Whether the last token ends an expression.
    private var endsExpression = false
    /// The last token, if it is a sign.
    private var sign: UInt8?
    /// The end of the last token.
    private var lastEnd = 0
    /// Number of dots before this point. Three of them are an operator.
    private var dots = 0
    /// Whether the last token is one of ``statements``.
    private var isStatement = false
    /// For each open parenthesis, whether one of ``statements`` is before it.
    private var parentheses: [Bool] = []
    /// The last range in which no regular expression that begins there is closed. It keeps the scan linear.
    private(set) var unclosed: Range<Int>

    init(unclosed: Range<Int> = 0..<0) { self.unclosed = unclosed }

    /// Adds a name, a keyword or a number.
    mutating func addWord(_ word: some Collection<UInt8>, end: Int) {
        let isMember = dots == 1 || dots == 2
        let isShort = !isMember && word.count <= Self.maximumKeywordLength
        let text = isShort ? String(decoding: word, as: UTF8.self) : ""
        isStatement = Self.statements.contains(text) || isStatement && text == "await"
        endsExpression = !Self.keywords.contains(text)
        (sign, lastEnd, dots) = (nil, end, 0)
    }

    /// Adds a string, a regular expression or another value.
    mutating func addValue(end: Int) {
        (endsExpression, sign, lastEnd, dots, isStatement) = (true, nil, end, 0, false)
    }

    mutating func addSign(_ sign: UInt8, end: Int) {
        let isAdjacent = lastEnd == end - 1
        dots = sign == UInt8(ascii: ".") ? dots + 1 : 0
        switch sign {
        case UInt8(ascii: "("):
            parentheses.append(isStatement)
            endsExpression = false
        case UInt8(ascii: ")"): endsExpression = !(parentheses.popLast() ?? false)
        case UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"):
            endsExpression = true
        // This is a number such as `1.`, or a member, but not `...`.
        case UInt8(ascii: "."): endsExpression = dots < 3
        // This is the second sign of `a++`.
        case UInt8(ascii: "+"), UInt8(ascii: "-"): endsExpression = isAdjacent && self.sign == sign && !endsExpression
        // In TypeScript, `a!` is an expression.
        case UInt8(ascii: "!"): endsExpression = endsExpression && isAdjacent && self.sign != UInt8(ascii: "}")
        default: endsExpression = false
        }
        (self.sign, lastEnd, isStatement) = (sign, end, false)
    }

    /// The end of the regular expression that begins at an index, with its flags; nil if the `/` there is another sign.
    mutating func end(in bytes: [UInt8], at index: Int) -> Int? {
        var position = index + 1
        guard !endsExpression, !unclosed.contains(index), position < bytes.count, bytes[position] != UInt8(ascii: "/"),
            bytes[position] != UInt8(ascii: "*"), !isClosingTag(in: bytes, at: index)
        else { return nil }
        var isInClass = false
        while position < bytes.count, !Self.endsLine(bytes, at: position) {
            switch bytes[position] {
            case UInt8(ascii: "\\"):
                if position + 1 < bytes.count, !Self.endsLine(bytes, at: position + 1) { position += 1 }
            case UInt8(ascii: "["): isInClass = true
            case UInt8(ascii: "]"): isInClass = false
            case UInt8(ascii: "/"):
                if isInClass { break }
                position += 1
                while position < bytes.count, LiteralReader.isNameByte(bytes[position]) { position += 1 }
                return position
            default: break
            }
            position += 1
        }
        unclosed = index..<position
        return nil
    }

    /// Whether the `/` at an index is a part of `</Name>` in JSX.
    private func isClosingTag(in bytes: [UInt8], at index: Int) -> Bool {
        guard sign == UInt8(ascii: "<"), lastEnd == index else { return false }
        let rest = bytes[(index + 1)...].drop { LiteralReader.isNameByte($0) || ".-:".utf8.contains($0) }
        return rest.first == UInt8(ascii: ">")
    }

    private static func endsLine(_ bytes: [UInt8], at index: Int) -> Bool {
        bytes[index].endsLine || JavaScript.hasLineSeparator(bytes, at: index)
    }
}
