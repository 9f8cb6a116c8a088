internal import Encodings
internal import PinSetCodec

/// The calls in Kotlin or Java source code that add pins to a `CertificatePinner`.
///
/// Supported values are literals, literals that are joined with `+`, lists, and constants of the same file. Other values are
/// unknown, and each is a warning.
struct OkHttpSource {
    struct Pinning {
        let pattern: OkHttpValue
        let pins: [OkHttpValue]
    }

    /// A name that has values only in a part of the source: the variable of a loop.
    private struct Scope {
        let range: Range<Int>
        let name: String
        let values: [OkHttpValue]
    }

    /// The pins of a call on an object that is not a `CertificatePinner.Builder`.
    struct OtherPinning {
        let pattern: OkHttpValue
        /// The name of the object's type.
        let type: String
        let line: Int
    }

    private(set) var pinnings: [Pinning] = []
    /// The pins that are left out.
    private(set) var otherPinnings: [OtherPinning] = []
    /// Number of pinners that the source creates.
    private(set) var builders = 0
    /// Whether the source has more pins than ``maximumValues``, or names of constants stand for very many values.
    private(set) var isTooLong = false
    /// The line of the first loop above the maximum number of loops; nil if the source does not exceed it.
    private var lineOverLoopLimit: Int?
    /// Why the source may be other code for its compiler; nil if it is not.
    private let ambiguity: SourceAmbiguity?
    /// Maximum number of pins, counted for each host, and of values of constants. Strings of the source are not shared.
    let maximumValues: Int
    /// Number of values that may still be copied to lists.
    private var budget: Int

    private let bytes: [UInt8]
    private let tokens: [SourceToken]
    /// The index of the closing bracket for the index of each opening bracket.
    private let closing: [Int: Int]
    /// The comments that follow code on the same line. The key is the number of the line.
    private let comments: [Int: String]
    private(set) var constants: [String: [OkHttpValue]] = [:]
    /// The names of the constants that this source gives a value.
    private(set) var ownNames: Set<String> = []
    /// The names to which an assignment gives a value that is not known, also as declarations of other types.
    private(set) var unknownNames: Set<String> = []
    private let others: OkHttpConstants
    /// The names of the types that this source declares.
    let owners: Set<String>
    private var scopes: [Scope] = []
    private(set) var builderNames: Set<String> = []
    private var receivers: OkHttpReceivers
    /// The tokens of the calls in ``otherPinnings``.
    private var otherCalls: [Range<Int>] = []

    /// - Parameter others: constants of other files. A constant of this file replaces one with the same name.
    init(_ bytes: [UInt8], others: OkHttpConstants = OkHttpConstants()) {
        self.bytes = bytes
        let comments: [SourceToken]
        (tokens, comments, ambiguity) = SourceLexer.read(bytes)
        self.comments = Self.notes(comments, after: tokens)
        closing = Self.brackets(of: tokens)
        let literals = tokens.count(where: \.isText)
        maximumValues = SharedPinCount.maximum + literals
        budget = (1 << 20) + 16 * tokens.count
        (constants, self.others) = (others.values, others)
        let source = OkHttpTokens(bytes, tokens, closing: closing)
        (owners, receivers) = (source.owners, OkHttpReceivers(source))
        readConstants()
        readLoops()
        readCalls()
    }

    /// Checks that everything was read, as the compiler reads it. Without the loops above the limit, pins would be missing.
    ///
    /// - Throws: `PinSetFormatError` if the source exceeds a limit, or may be other code in Java than in Kotlin.
    func checkLimits() throws(PinSetFormatError) {
        if let ambiguity { throw OkHttpFormat.error(.ambiguousSource(ambiguity.problem), line: ambiguity.line) }
        guard !isTooLong else { throw OkHttpFormat.error(.okHttp(.tooManyPins)) }
        guard let lineOverLoopLimit else { return }
        throw OkHttpFormat.error(.okHttp(.tooManyLoops(maximum: Self.maximumLoops)), line: lineOverLoopLimit)
    }

    /// The comment after a literal on its line.
    func note(on line: Int) -> String? { comments[line] }

    /// The comments after a token on the same line, by line.
    private static func notes(_ comments: [SourceToken], after tokens: [SourceToken]) -> [Int: String] {
        var notes: [Int: String] = [:]
        var index = 0
        for comment in comments {
            while index < tokens.count, tokens[index].range.lowerBound < comment.range.lowerBound { index += 1 }
            guard case .comment(let text) = comment.kind, index > 0, tokens[index - 1].line == comment.line else {
                continue
            }
            notes[comment.line] = text
        }
        return notes
    }

    private static func brackets(of tokens: [SourceToken]) -> [Int: Int] {
        var closing: [Int: Int] = [:]
        var open: [Int] = []
        for (index, token) in tokens.enumerated() {
            switch token.kind {
            case .sign(UInt8(ascii: "(")), .sign(UInt8(ascii: "[")), .sign(UInt8(ascii: "{")): open.append(index)
            case .sign(UInt8(ascii: ")")), .sign(UInt8(ascii: "]")), .sign(UInt8(ascii: "}")):
                if let start = open.popLast() { closing[start] = index }
            default: break
            }
        }
        return closing
    }

    // MARK: Tokens

    func isSign(_ index: Int, _ sign: Unicode.Scalar) -> Bool {
        index >= 0 && index < tokens.count && tokens[index].kind == .sign(UInt8(ascii: sign))
    }

    func word(_ index: Int) -> String? {
        guard index >= 0, index < tokens.count, tokens[index].kind == .word else { return nil }
        return String(decoding: bytes[tokens[index].range], as: UTF8.self)
    }

    func isWord(_ index: Int, _ text: StaticString) -> Bool {
        guard index >= 0, index < tokens.count, tokens[index].kind == .word else { return false }
        return bytes[tokens[index].range].elementsEqual(text.description.utf8)
    }

    var tokenCount: Int { tokens.count }

    func token(_ index: Int) -> SourceToken? { index >= 0 && index < tokens.count ? tokens[index] : nil }

    func closingBracket(of index: Int) -> Int? { closing[index] }

    /// The source text of these tokens, for a message.
    func source(_ range: Range<Int>) -> String {
        guard let first = token(range.lowerBound), let last = token(range.upperBound - 1) else { return "" }
        return String(decoding: bytes[first.range.lowerBound..<last.range.upperBound].prefix(4096), as: UTF8.self)
            .boundedWithoutPrivateKeys
    }

    /// The values that a name has at a token.
    ///
    /// - Parameter owner: the name before the dot. A type that the source does not declare has other constants.
    func constant(_ name: String, of owner: String?, at index: Int) -> [OkHttpValue]? {
        if let owner {
            guard owners.contains(owner) else { return others.values(of: name, in: owner) }
            return unknownNames.contains(name) ? nil : constants[name]
        }
        return scopes.last { $0.name == name && $0.range.contains(index) }?.values ?? constants[name]
    }

    /// The string literals that look like pins, including those that are not arguments of a call, but without those of ``otherPinnings``.
    var literalPins: [OkHttpValue] {
        var calls = otherCalls[...]
        return tokens.enumerated().compactMap { index, token in
            while let call = calls.first, call.upperBound <= index { calls.removeFirst() }
            guard case .text(let text?) = token.kind, calls.first?.contains(index) != true else { return nil }
            let value = OkHttpValue(text: text, line: token.line, source: "")
            return value.isPin && text.utf8.count > "sha256/".utf8.count ? value : nil
        }
    }

    // MARK: Constants

    /// Reads the constants in the order of the source: `NAME = "…"`, `NAME: Type = listOf("…")`, `NAME = { "…" }`. If a name is
    /// defined twice, its value is unknown.
    private mutating func readConstants() {
        var ambiguous: Set<String> = []
        var count = 0
        for index in tokens.indices
        where !isTooLong && isSign(index, "=") && !isSign(index + 1, "=") && !isSign(index - 1, "=") {
            if isSign(index - 1, "+"), let name = word(index - 2) { ambiguous.insert(name) }
            guard let name = assignedName(before: index), !isArgument(before: index) else { continue }
            if isWord(index + 1, "CertificatePinner")
                || isWord(index + 1, "new") && isWord(index + 2, "CertificatePinner")
            {
                builderNames.insert(name)
                continue
            }
            let (found, copies, isLong) = constantValues(at: index + 1)
            spend(copies, isTooLong: isLong)
            // In `this.pin = pin`, the value is a parameter.
            let isParameter = isSign(index - 2, ".") && isWordOnly(index + 1, name)
            guard let values = isParameter ? nil : found, !isTooLong else {
                if isChange(before: index) { ambiguous.insert(name) }
                unknownNames.insert(name)
                continue
            }
            count += values.count
            spend(0, isTooLong: count > maximumValues)
            let isFirst = ownNames.insert(name).inserted
            if let first = constants.updateValue(values, forKey: name), !isFirst,
                first.map(\.text) != values.map(\.text)
            {
                ambiguous.insert(name)
            }
        }
        for name in ambiguous { constants[name] = nil }
        unknownNames.formUnion(namesWithGetters)
    }

    /// The values of a constant; nil if they are not known. Also returns the number of copied values, and whether there are too many.
    ///
    /// A function, because a change of ``constants`` copies them all while an expression refers to them.
    @inline(never) private func constantValues(at index: Int) -> ([OkHttpValue]?, copies: Int, isTooLong: Bool) {
        var reader = OkHttpExpression(self, at: index)
        let values = reader.read()
        let isKnown = !values.isEmpty && values.allSatisfy(\.isKnown) && reader.endsStatement
        return (isKnown ? values : nil, reader.copies + values.count, reader.isTooLong)
    }

    /// Counts copied values, and whether a list is too long. The time would otherwise be any multiple of the source.
    private mutating func spend(_ copies: Int, isTooLong isLong: Bool) {
        budget -= copies
        if isLong || budget < 0 { isTooLong = true }
    }

    // MARK: Loops

    /// Reads loops over pins: `for (pin in pins) …`, `for (String pin : pins) …`, `pins.forEach { … }`, `pins.forEach { pin -> …
    /// }`.
    private mutating func readLoops() {
        for index in tokens.indices where isWord(index, "for") || isWord(index, "forEach") {
            guard !isTooLong, lineOverLoopLimit == nil else { return }
            if isWord(index, "for"), isSign(index + 1, "("), let end = closing[index + 1] {
                guard
                    let separator = (index + 2..<min(index + 8, end)).first(where: {
                        isWord($0, "in") || isSign($0, ":")
                    }),
                    let name = word(separator - 1)
                else { continue }
                addScope(name, valuesAt: separator + 1, to: end + 1)
            } else if isWord(index, "forEach"), isSign(index - 1, "."), isSign(index + 1, "{"),
                let end = closing[index + 1]
            {
                let isNamed = isSign(index + 3, "-") && isSign(index + 4, ">")
                addScope((isNamed ? word(index + 2) : nil) ?? "it", endingAt: index - 1, to: index + 2..<end)
            }
        }
    }

    /// The end of a loop's body: a block in braces, or one statement of calls on a line.
    private func end(ofStatement start: Int) -> Int {
        if isSign(start, "{"), let end = closing[start] { return end }
        var index = start
        while index < min(tokens.count, start + Self.maximumStatementLength), !isSign(index, ";") {
            if let end = closing[index] { index = end }
            let isNextLine = index + 1 < tokens.count && tokens[index + 1].line > tokens[index].line
            if isNextLine, !isSign(index + 1, "."), index > start { return index + 1 }
            index += 1
        }
        return index
    }

    /// - Parameters:
    ///   - start: the first token of the values.
    ///   - bodyStart: the first token of the loop's body.
    ///   - bodyEnd: the token after the body; nil if the body is a block in braces or one statement.
    private mutating func addScope(_ name: String, valuesAt start: Int, to bodyStart: Int, _ bodyEnd: Int? = nil) {
        var reader = OkHttpExpression(self, at: start)
        let values = reader.read()
        spend(reader.copies + values.count, isTooLong: reader.isTooLong)
        guard !isTooLong, !values.isEmpty, values.allSatisfy(\.isKnown) else { return }
        guard scopes.count < Self.maximumLoops else {
            lineOverLoopLimit = tokens[start].line
            return
        }
        let end = bodyEnd ?? self.end(ofStatement: bodyStart)
        scopes.append(Scope(range: bodyStart..<end, name: name, values: values))
    }

    /// The values of the expression before a token: a name, or a call such as `listOf(…)`.
    private mutating func addScope(_ name: String, endingAt end: Int, to range: Range<Int>) {
        var start = end - 1
        if isSign(start, ")") {
            var depth = 0
            while start > max(0, end - Self.maximumStatementLength) {
                if isSign(start, ")") { depth += 1 }
                if isSign(start, "(") {
                    depth -= 1
                    if depth == 0 { break }
                }
                start -= 1
            }
            start -= 1
        }
        while isSign(start - 1, "."), word(start - 2) != nil { start -= 2 }
        guard word(start) != nil else { return }
        addScope(name, valuesAt: start, to: range.lowerBound, range.upperBound)
    }

    /// Maximum number of loops over known values. The value of a name is searched in the scopes of all of them.
    private static let maximumLoops = 200
    /// Maximum number of tokens of a statement that is the body of a loop.
    private static let maximumStatementLength = 1000

    // MARK: Calls

    private mutating func readCalls() {
        /// The last token of the builder or of the previous call.
        var chainEnd: Int?
        /// The last token of a block in which the builder is the receiver: `.apply { … }`.
        var blockEnd = 0
        var values = 0
        var index = 0
        let pinNames = receivers.names.pins
        while index < tokens.count, !isTooLong {
            if isBuilder(at: index) {
                if isSign(index + 3, "("), let end = closing[index + 3] {
                    builders += 1
                    chainEnd = end
                    if isSign(end + 1, "."), word(end + 2) != nil, isSign(end + 3, "{") {
                        blockEnd = closing[end + 3] ?? blockEnd
                    }
                } else if let name = isSign(index - 1, ":") ? word(index - 2) : word(index + 3) {
                    builderNames.insert(name)
                }
                index += 3
                continue
            }
            let isAdd = isWord(index, "add")
            if isAdd, isSign(index - 1, ":"), isSign(index - 2, ":"), isReferenceToBuilder(index, blockEnd: blockEnd) {
                // `pins.forEach(builder::add)`
                let start = word(index - 3) == nil ? index - 2 : index - 3
                let line = tokens[index].line
                let pattern = OkHttpValue(text: nil, line: line, source: source(start..<index + 1))
                pinnings.append(Pinning(pattern: pattern, pins: []))
                index += 1
                continue
            }
            let isPin = isWord(index, "Pin") || !pinNames.isEmpty && word(index).map(pinNames.contains) ?? false
            guard isAdd || isPin, isSign(index + 1, "("), let end = closing[index + 1] else {
                index += 1
                continue
            }
            let arguments = readArguments(in: index + 1, to: end)
            let receiver = isAdd ? receivers.receiver(ofCallAt: index) : .unknown
            let isOurs =
                switch receiver {
                case .builder: true
                case .other: false
                case .unknown: isAdd && isOfBuilder(index, chainEnd: chainEnd, blockEnd: blockEnd)
                }
            if let first = arguments.first, !first.isEmpty, arguments.count > 1 {
                let pins = arguments.dropFirst().flatMap { $0 }
                if case .other(let type) = receiver {
                    guard pins.contains(where: \.isPin) else {
                        index += 2
                        continue
                    }
                    for pattern in first {
                        otherPinnings.append(
                            OtherPinning(pattern: pattern, type: type, line: tokens[index].line))
                    }
                    if otherCalls.last.map({ $0.upperBound <= index }) ?? true { otherCalls.append(index..<end) }
                } else if isOurs || pins.contains(where: \.isPin) {
                    values += pins.count * first.count
                    guard values <= maximumValues else {
                        isTooLong = true
                        return
                    }
                    for pattern in first { pinnings.append(Pinning(pattern: pattern, pins: pins)) }
                }
            }
            if isOurs { chainEnd = end }
            // Continue inside the call, because its arguments can contain another call.
            index += 2
        }
    }

    private func isBuilder(at index: Int) -> Bool {
        isWord(index, "CertificatePinner") && isSign(index + 1, ".") && isWord(index + 2, "Builder")
    }

    private func isOfBuilder(_ index: Int, chainEnd: Int?, blockEnd: Int) -> Bool {
        guard isSign(index - 1, ".") else { return index < blockEnd }
        return chainEnd == index - 2 || word(index - 2).map(builderNames.contains) ?? false
    }

    /// The values of each argument of a call. A function for the same reason as ``constantValues(at:)``.
    @inline(never) private mutating func readArguments(in open: Int, to close: Int) -> [[OkHttpValue]] {
        let arguments = OkHttpExpression.arguments(self, in: open, to: close)
        spend(arguments.copies + arguments.count, isTooLong: arguments.isTooLong)
        return arguments.values
    }
}
