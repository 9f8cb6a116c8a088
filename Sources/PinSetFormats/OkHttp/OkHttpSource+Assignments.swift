internal import Encodings

/// The names before an equals sign, and other questions about names.
extension OkHttpSource {
    /// The constants of this source, without those of other files.
    var ownConstants: [String: [OkHttpValue]] { constants.filter { ownNames.contains($0.key) } }

    /// The name before `=`. There can be a type between the name and `=`: `NAME: List<String> =`.
    func assignedName(before equals: Int) -> String? {
        var index = equals - 1
        for _ in 0..<8 {
            guard let token = token(index) else { return nil }
            if isSign(index, ":") { return word(index - 1) }
            guard token.kind == .word || isSign(index, "<") || isSign(index, ">") || isSign(index, "?") else { break }
            if isWord(index - 1, "val") || isWord(index - 1, "var") { return word(index) }
            // In Java, a type and a name are two words. A colon before them ends a label.
            if index + 1 < equals, token.kind == .word, word(index + 1) != nil { return word(equals - 1) }
            index -= 1
        }
        return word(equals - 1)
    }

    /// Whether a value is only this name.
    func isWordOnly(_ index: Int, _ name: String) -> Bool {
        word(index) == name && !isSign(index + 1, ".") && !isSign(index + 1, "(") && !isSign(index + 1, "[")
    }

    /// Whether the name is that of a parameter: `f(NAME = "…")`.
    func isArgument(before equals: Int) -> Bool {
        if isSign(equals - 2, "(") {
            // `while ((NAME = f()) != null)`
            if let word = word(equals - 3) { return !Self.statements.contains(word) }
            return isSign(equals - 3, ">") || isSign(equals - 3, ")") || isSign(equals - 3, "]")
        }
        guard isSign(equals - 2, ",") else { return false }
        // A comma also separates the names of a declaration.
        var depth = 0
        for index in stride(from: equals - 2, to: max(-1, equals - Self.maximumArguments), by: -1) {
            switch token(index)?.sign {
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth += 1
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
                if depth == 0 { return isSign(index, "(") }
                depth -= 1
            case UInt8(ascii: ";") where depth == 0: return false
            default: break
            }
        }
        return false
    }

    /// Whether the assignment gives a new value to a name that is declared elsewhere: it has neither a type nor a keyword before it.
    func isChange(before equals: Int) -> Bool {
        guard word(equals - 1) != nil, !isSign(equals - 2, ":") else { return false }
        if isSign(equals - 2, ".") { return word(equals - 3).map(owners.contains) ?? false }
        guard let name = token(equals - 1), let last = token(equals - 2), last.kind == .word else { return true }
        return last.line < name.line || isWord(equals - 2, "else") || isWord(equals - 2, "do")
    }

    /// The names of properties with a getter or a delegate: `val NAME: T get() = …`, `val NAME by lazy { … }`.
    var namesWithGetters: Set<String> {
        var names: Set<String> = []
        for index in 0..<tokenCount where isWord(index, "val") || isWord(index, "var") {
            guard let name = word(index + 1) else { continue }
            let rest = (index + 2..<index + 10).prefix { !isSign($0, "=") && !isSign($0, ";") && !isSign($0, "{") }
            if rest.contains(where: { isWord($0, "by") || isWord($0, "get") && isSign($0 + 1, "(") }) {
                names.insert(name)
            }
        }
        return names
    }

    /// Whether `NAME::add` is a reference to the function of a builder.
    func isReferenceToBuilder(_ index: Int, blockEnd: Int) -> Bool {
        guard let name = word(index - 3) else { return builders > 0 || index < blockEnd }
        return builderNames.contains(name) || ["this", "it"].contains(name)
    }

    private static let statements: Set = [
        "if", "while", "for", "switch", "when", "return", "else", "do", "in", "throw",
    ]
    /// Maximum number of tokens of the arguments before a name.
    private static let maximumArguments = 256
}
