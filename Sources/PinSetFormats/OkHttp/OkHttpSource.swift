internal import Encodings
internal import PinSetCodec

/// The calls in Kotlin or Java source that add pins to a `CertificatePinner`.
///
/// Supported values are literals, literals that are joined with `+`, lists, and constants of the same file. Other values are
/// unknown, and each is a warning.
struct OkHttpSource {
    struct Pinning {
        let pattern: OkHttpValue
        let pins: [OkHttpValue]
    }

    private(set) var pinnings: [Pinning] = []
    /// Number of pinners that the source creates.
    private(set) var builders = 0
    /// Whether the source has more pins than the maximum.
    private(set) var isTooLong = false

    private let bytes: [UInt8]
    private let tokens: [SourceToken]
    /// The index of the closing bracket for the index of each opening bracket.
    private let closing: [Int: Int]
    /// Comments after code on a line, by the line on which they begin.
    private let comments: [Int: String]
    private var constants: [String: [OkHttpValue]] = [:]
    private var builderNames: Set<String> = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        let all = SourceLexer.tokens(of: bytes)
        var comments: [Int: String] = [:]
        var tokens: [SourceToken] = []
        for token in all {
            if case .comment(let text) = token.kind {
                if tokens.last?.line == token.line { comments[token.line] = text }
            } else {
                tokens.append(token)
            }
        }
        self.comments = comments
        self.tokens = tokens
        closing = Self.brackets(of: tokens)
        readConstants()
        readCalls()
    }

    /// The comment after a literal on its line.
    func note(on line: Int) -> String? { comments[line] }

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

    func token(_ index: Int) -> SourceToken? { index >= 0 && index < tokens.count ? tokens[index] : nil }

    func closingBracket(of index: Int) -> Int? { closing[index] }

    /// The source of these tokens, for a message.
    func source(_ range: Range<Int>) -> String {
        guard let first = token(range.lowerBound), let last = token(range.upperBound - 1) else { return "" }
        return String(decoding: bytes[first.range.lowerBound..<last.range.upperBound].prefix(60), as: UTF8.self)
    }

    func constant(_ name: String) -> [OkHttpValue]? { constants[name] }

    // MARK: Constants

    /// The constants in the order of the source: `NAME = "…"`, `NAME: Type = listOf("…")`, `NAME = { "…" }`. A name with two values
    /// has an unknown value.
    private mutating func readConstants() {
        var ambiguous: Set<String> = []
        var constantValues = 0
        for index in tokens.indices where isSign(index, "=") && !isSign(index + 1, "=") && !isSign(index - 1, "=") {
            if isSign(index - 1, "+"), let name = word(index - 2) { ambiguous.insert(name) }
            guard let name = assignedName(before: index) else { continue }
            if isWord(index + 1, "CertificatePinner") || isWord(index + 2, "CertificatePinner") {
                builderNames.insert(name)
                continue
            }
            var reader = OkHttpExpression(self, at: index + 1)
            let values = reader.read()
            guard !values.isEmpty, values.allSatisfy(\.isKnown), reader.endsStatement else { continue }
            constantValues += values.count
            guard constantValues <= Self.maximumValues else { break }
            if let first = constants.updateValue(values, forKey: name), first.map(\.text) != values.map(\.text) {
                ambiguous.insert(name)
            }
        }
        for name in ambiguous { constants[name] = nil }
    }

    /// The name before `=`. There can be a type between them: `NAME: List<String> =`.
    private func assignedName(before equals: Int) -> String? {
        var index = equals - 1
        for _ in 0..<8 {
            guard index >= 0 else { return nil }
            if isSign(index, ":") { return word(index - 1) }
            guard tokens[index].kind == .word || isSign(index, "<") || isSign(index, ">") || isSign(index, "?") else {
                break
            }
            if isWord(index - 1, "val") || isWord(index - 1, "var") { return word(index) }
            index -= 1
        }
        return word(equals - 1)
    }

    // MARK: Calls

    private mutating func readCalls() {
        /// The last token of the builder or of the previous call.
        var chainEnd: Int?
        /// The last token of a block that has the builder as its receiver: `.apply { … }`.
        var blockEnd = 0
        var values = 0
        var index = 0
        while index < tokens.count {
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
            guard isAdd || isWord(index, "Pin"), isSign(index + 1, "("), let end = closing[index + 1] else {
                index += 1
                continue
            }
            let arguments = OkHttpExpression.arguments(self, in: index + 1, to: end)
            let isOurs = isAdd && isOfBuilder(index, chainEnd: chainEnd, blockEnd: blockEnd)
            if let first = arguments.first, let pattern = first.first, arguments.count > 1 {
                let pins = arguments.dropFirst().flatMap { $0 }
                if isOurs || pins.contains(where: \.isPin) {
                    values += pins.count
                    guard values <= Self.maximumValues else {
                        isTooLong = true
                        return
                    }
                    pinnings.append(Pinning(pattern: first.count == 1 ? pattern : .unknown(pattern), pins: pins))
                }
            }
            if isOurs { chainEnd = end }
            // Continues inside the call, because its arguments can contain another call.
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

    private static let maximumValues = 100_000
}
