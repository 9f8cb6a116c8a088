internal import Encodings
internal import PinSetCodec

/// The value of an expression in source code. If the value is unknown, only the source text.
struct OkHttpValue {
    /// The value; nil if it is unknown.
    let text: String?
    /// Line number, from 1.
    let line: Int
    /// The source text of an unknown value.
    let source: String
    /// Whether the value is an element of a list, so that `+` appends to it.
    var isElement = false

    var isKnown: Bool { text != nil }

    /// Whether the text is intended as a pin: it begins with the name of a digest.
    var isPin: Bool { text.map { $0.hasPrefix("sha256/") || $0.hasPrefix("sha1/") } ?? false }

    static func unknown(_ value: OkHttpValue) -> OkHttpValue {
        OkHttpValue(text: nil, line: value.line, source: value.source)
    }
}

extension [OkHttpValue] {
    /// The values as elements of a list.
    fileprivate var elements: Self {
        map { value in
            var value = value
            value.isElement = true
            return value
        }
    }
}

/// Reads one Kotlin or Java expression with strings: literals, sums, lists and constants.
struct OkHttpExpression {
    private let source: OkHttpSource
    /// The next token.
    private var index: Int
    private var depth: Int
    /// Number of values that were copied to lists.
    private(set) var copies = 0
    /// Whether a list has more values than the source may have.
    private(set) var isTooLong = false

    /// Maximum nesting depth of lists and brackets. Deeper ones are unknown values, and so are longer texts.
    private static let maximumDepth = 8
    private static let maximumTextLength = 4096

    init(_ source: OkHttpSource, at index: Int, depth: Int = 0) {
        (self.source, self.index, self.depth) = (source, index, depth)
    }

    struct Arguments {
        var values: [[OkHttpValue]] = []
        /// Number of values in all arguments.
        var count = 0
        /// See ``OkHttpExpression/copies``.
        var copies = 0
        var isTooLong = false
    }

    /// The values of each argument between the brackets of a call. If they are too many, the last ones are left out.
    static func arguments(_ source: OkHttpSource, in open: Int, to close: Int, depth: Int = 0) -> Arguments {
        var arguments = Arguments()
        var index = open + 1
        /// The index of the argument with Kotlin's name `pattern`, the first parameter of `add`.
        var pattern: Int?
        while index < close, !arguments.isTooLong {
            if let name = source.word(index), source.isSign(index + 1, "="), !source.isSign(index + 2, "=") {
                if name == "pattern" { pattern = arguments.values.count }
                index += 2
            }
            var expression = OkHttpExpression(source, at: index, depth: depth)
            let values = expression.read()
            arguments.count += values.count
            arguments.copies += expression.copies
            arguments.isTooLong = expression.isTooLong || arguments.count > source.maximumValues
            let start = index
            index = expression.index
            if index < close, !source.isSign(index, ",") {
                // Syntax that is not supported follows, so the whole argument is unknown.
                while index < close, !source.isSign(index, ",") {
                    index = source.closingBracket(of: index).map { $0 + 1 } ?? index + 1
                }
                arguments.values.append([expression.unknown(from: start, to: min(index, close))])
            } else {
                arguments.values.append(values)
            }
            index += 1
        }
        if let pattern, arguments.values.indices.contains(pattern) {
            arguments.values.insert(arguments.values.remove(at: pattern), at: 0)
        }
        return arguments
    }

    /// Whether the statement ends here, so that no operator or call can change the value.
    var endsStatement: Bool {
        guard let next = source.token(index) else { return true }
        return switch next.kind {
        case .sign(let sign): ";,})@".utf8.contains(sign)
        // Without a semicolon, a statement ends with its line.
        default: source.token(index - 1).map { $0.line < next.line } ?? true
        }
    }

    /// Reads one value, or the values of a list. The result is empty only for an empty list. A conditional expression has the
    /// values of both branches.
    mutating func read() -> [OkHttpValue] {
        let start = index
        if source.isWord(index, "if"), source.isSign(index + 1, "("), let end = source.closingBracket(of: index + 1) {
            index = end + 1
            return branches(after: "else", from: start)
        }
        let values = sum()
        guard depth < Self.maximumDepth, source.isSign(index, "?"), !source.isSign(index + 1, "."),
            !source.isSign(index + 1, ":")
        else { return values }
        index += 1
        return branches(after: nil, from: start)
    }

    /// Reads the values of two branches that are separated by a word or a colon.
    private mutating func branches(after word: StaticString?, from start: Int) -> [OkHttpValue] {
        var first = OkHttpExpression(source, at: index, depth: depth + 1)
        let one = depth < Self.maximumDepth ? first.read() : []
        (index, copies, isTooLong) = (first.index, copies + first.copies, isTooLong || first.isTooLong)
        guard !one.isEmpty, word.map({ source.isWord(index, $0) }) ?? source.isSign(index, ":") else {
            return [unknown(from: start)]
        }
        var second = OkHttpExpression(source, at: index + 1, depth: depth + 1)
        let other = second.read()
        let count = one.count + other.count
        (index, copies) = (second.index, copies + second.copies + count)
        isTooLong = isTooLong || second.isTooLong || count > source.maximumValues
        return isTooLong ? [unknown(from: start)] : one + other
    }

    private mutating func sum() -> [OkHttpValue] {
        let start = index
        var values = term()
        var isKnown = true
        let isList = values.allSatisfy(\.isElement)
        while source.isSign(index, "+") {
            index += 1
            let more = term()
            // In Kotlin, a list plus an element or another list is a list.
            if isList, isKnown {
                values += more.elements
                copies += more.count
                isTooLong = isTooLong || values.count > source.maximumValues
                isKnown = !isTooLong
                continue
            }
            guard isKnown, values.count == 1, more.count == 1, !more[0].isElement,
                let left = values[0].text, let right = more[0].text,
                left.utf8.count + right.utf8.count <= Self.maximumTextLength
            else {
                isKnown = false
                continue
            }
            values = [OkHttpValue(text: left + right, line: values[0].line, source: "")]
        }
        // The source text is copied once, because a sum can have many terms.
        return isKnown ? values : [unknown(from: start)]
    }

    private func unknown(from start: Int, to end: Int? = nil) -> OkHttpValue {
        let end = max(start + 1, end ?? index)
        return OkHttpValue(text: nil, line: source.token(start)?.line ?? 1, source: source.source(start..<end))
    }

    private mutating func term() -> [OkHttpValue] {
        // An asterisk spreads an array over several arguments.
        while source.isSign(index, "*") { index += 1 }
        let start = index
        guard let token = source.token(index) else { return [unknown(from: start)] }
        var values: [OkHttpValue]
        var isRaw = false
        switch token.kind {
        case .text(let text):
            index += 1
            let literal = source.source(start..<index)
            isRaw = literal.begins(with: "\"\"\"")
            values = [OkHttpValue(text: text, line: token.line, source: literal)]
        case .template(let parts):
            index += 1
            values = [template(parts) ?? unknown(from: start)]
        case .sign(UInt8(ascii: "(")):
            values = list(opening: index) ?? [unknown(from: start)]
        case .sign(UInt8(ascii: "{")):
            values = list(opening: index)?.elements ?? [unknown(from: start)]
        case .word:
            values = name() ?? [unknown(from: start)]
        default:
            return [unknown(from: start)]
        }
        let end = index
        guard skipConversions() else { return [unknown(from: start)] }
        let isTrimmed = (end..<index).contains { source.isWord($0, "trim") || source.isWord($0, "trimIndent") }
        guard isRaw || isTrimmed else { return values }
        return values.map { value in
            guard let text = value.text, case let bytes = Array(text.utf8)[...].trimmed, bytes.count < text.utf8.count
            else { return value }
            // Kotlin keeps the white space, with which OkHttp rejects a pin or a host. Java removes some of it.
            guard isTrimmed else { return unknown(from: start) }
            return OkHttpValue(text: String(decoding: bytes, as: UTF8.self), line: value.line, source: value.source)
        }
    }

    /// The value of a string with templates that are names of constants; nil if a constant has no value.
    private func template(_ parts: [TemplatePart]) -> OkHttpValue? {
        var text = ""
        for part in parts {
            switch part {
            case .text(let literal): text += literal
            case .name(let name):
                guard let path = name?.parts(separatedBy: ".").map({ String($0) }), let last = path.last,
                    let values = source.constant(last, of: path.dropLast().last, at: index), values.count == 1,
                    !values[0].isElement, let value = values[0].text,
                    text.utf8.count + value.utf8.count <= Self.maximumTextLength
                else { return nil }
                text += value
            }
        }
        return OkHttpValue(text: text, line: source.token(index - 1)?.line ?? 1, source: "")
    }

    /// Reads the contents of brackets: an expression, or the members of a list.
    private mutating func list(opening: Int) -> [OkHttpValue]? {
        guard let end = source.closingBracket(of: opening) else {
            index = opening + 1
            return nil
        }
        defer { index = end + 1 }
        guard depth < Self.maximumDepth else { return nil }
        let arguments = Self.arguments(source, in: opening, to: end, depth: depth + 1)
        copies += arguments.copies + arguments.count
        isTooLong = isTooLong || arguments.isTooLong
        return arguments.isTooLong ? nil : arguments.values.flatMap { $0 }
    }

    /// Reads a value that begins with a name: `NAME`, `Some.NAME`, `listOf(…)`, `new String[] { … }`.
    private mutating func name() -> [OkHttpValue]? {
        let start = index
        if source.isWord(index, "new") {
            index += 1
            while source.word(index) != nil || source.isSign(index, "[") || source.isSign(index, "]") { index += 1 }
            return source.isSign(index, "{") ? list(opening: index)?.elements : nil
        }
        var (owner, last) = (String?.none, source.word(index))
        index += 1
        while source.isSign(index, "."), source.word(index + 1) != nil, !isConversion(at: index + 1),
            !source.isWord(index + 1, "forEach")
        {
            (owner, last) = (last, source.word(index + 1))
            index += 2
        }
        if source.isSign(index, "<"), source.word(index + 1) != nil, source.isSign(index + 2, ">") { index += 3 }
        guard source.isSign(index, "(") else {
            guard let values = last.flatMap({ source.constant($0, of: owner, at: start) }),
                let token = source.token(start)
            else {
                return nil
            }
            guard values.count == 1, let value = values.first else { return values }
            return [
                OkHttpValue(
                    text: value.text, line: token.line, source: source.source(start..<index),
                    isElement: value.isElement)
            ]
        }
        let isList = last.map { Self.lists.contains($0) } ?? false
        if last == "getString" || last == "stringResource", source.isWord(index + 1, "R"),
            source.isWord(index + 3, "string"),
            let name = source.word(index + 5), let end = source.closingBracket(of: index)
        {
            index = end + 1
            return source.constant("R.string.\(name)", of: nil, at: start)
        }
        let values = list(opening: index)
        return isList ? values?.elements : nil
    }

    private static let lists: Set<String> = [
        "arrayOf", "listOf", "setOf", "mutableListOf", "mutableSetOf", "arrayListOf", "asList", "of",
    ]

    private func isConversion(at index: Int) -> Bool {
        (source.isWord(index, "toTypedArray") || source.isWord(index, "toList") || source.isWord(index, "trim")
            || source.isWord(index, "trimIndent") || source.isWord(index, "toSet")) && source.isSign(index + 1, "(")
    }

    /// Skips calls that do not change the text. Returns false if another call follows.
    private mutating func skipConversions() -> Bool {
        while source.isSign(index, "."), !source.isWord(index + 1, "forEach") {
            guard isConversion(at: index + 1), let end = source.closingBracket(of: index + 2) else { return false }
            index = end + 1
        }
        return true
    }
}
