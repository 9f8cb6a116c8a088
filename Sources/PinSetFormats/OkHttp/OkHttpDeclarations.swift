internal import Encodings

/// The variables, properties and parameters of a file with their types, each for the block in which it is visible.
struct OkHttpDeclarations {
    enum Declaration: Equatable {
        case type(OkHttpReceiver)
        /// The argument of a lambda.
        case argument(ofBlock: Int)
    }

    private struct Key: Hashable {
        let block: Int
        let name: String
    }

    /// The types of the names that have the same type everywhere in the file; unknown if they do not.
    private(set) var everywhere: [String: OkHttpReceiver] = [:]
    /// The receivers of the bodies of extension functions.
    private(set) var receivers: [Int: OkHttpReceiver] = [:]
    /// The blocks that are bodies of functions, and other blocks after a list of declarations.
    private(set) var bodies: Set<Int> = []
    private var declarations: [Key: Declaration] = [:]
    /// The innermost block of each token: the index of its opening brace, or of the first token of a body without braces. −1 is the file.
    private var blocks: [Int] = []
    private var parents: [Int: Int] = [:]
    /// The ends of bodies without braces, by their first token.
    private var ends: [Int: Int] = [:]
    /// The results of ``body(ofListAt:)``, because each parameter of a list needs it. −1 if there is no body.
    private var bodyOfList: [Int: Int] = [:]
    /// The brackets around the current token, with the tokens at their ends.
    private var brackets: [(open: Int, end: Int)] = []
    private let source: OkHttpTokens
    private let names: OkHttpTypeNames

    /// Maximum number of tokens between the parameters of a function and its body.
    private static let maximumHeader = 64

    init(_ source: OkHttpTokens, _ names: OkHttpTypeNames) {
        (self.source, self.names) = (source, names)
        var stack: [(block: Int, end: Int)] = []
        blocks.reserveCapacity(source.indices.count)
        for index in source.indices {
            while let last = stack.last, index >= last.end { stack.removeLast() }
            while let last = brackets.last, index >= last.end { brackets.removeLast() }
            if let end = ends[index], end > index, !source.isSign(index, "{") {
                parents[index] = stack.last?.block ?? -1
                stack.append((index, end))
            }
            blocks.append(stack.last?.block ?? -1)
            if let end = source.closing(of: index) {
                brackets.append((index, end))
                if source.isSign(index, "{") {
                    parents[index] = stack.last?.block ?? -1
                    stack.append((index, end))
                }
            }
            read(index)
        }
    }

    subscript(name: String, in block: Int) -> Declaration? { declarations[Key(block: block, name: name)] }

    /// The innermost block of a token.
    func block(at index: Int) -> Int { blocks.indices.contains(index) ? blocks[index] : -1 }

    /// The block around a block; nil for the file.
    func parent(of block: Int) -> Int? { parents[block] }

    // MARK: Reading

    private mutating func read(_ index: Int) {
        if source.isWord(index, "fun") {
            guard let function = source.function(at: index), let body = body(ofListAt: function.open) else { return }
            if function.words.count > 1 { receivers[body] = names.receiver(function.words.dropLast()) }
        } else if source.isSign(index + 1, "("), source.isWord(index, "val") || source.isWord(index, "var") {
            // The values of `val (a, b) = …` are parts of another value.
            guard let end = source.closing(of: index + 1) else { return }
            for name in index + 2..<end { declare(name, in: blocks.last ?? -1, .type(.unknown)) }
        } else if source.isSign(index, "-"), source.isSign(index + 1, ">") {
            readArguments(before: index)
        } else if source.word(index) != nil {
            readName(at: index)
        }
    }

    /// Reads the declaration of a name, if there is one.
    private mutating func readName(at index: Int) {
        if source.isSign(index + 1, ":"), source.word(index + 2) != nil, isDeclarable(index) {
            // Kotlin: `name: Type`
            guard let path = source.path(at: index + 2) else { return }
            let isPlain = !source.isSign(path.end, ".")
            declare(index, isPlain ? names.receiver(path.words) : .unknown)
        } else if source.isWord(index - 1, "val") || source.isWord(index - 1, "var") {
            // The value begins after `=`. The type of `by lazy { … }` is not known.
            declare(index, source.isSign(index + 1, "=") ? value(at: index + 2) : .unknown)
        } else if source.isWord(index + 1, "in"), source.isSign(index - 1, "(") {
            declare(index, .unknown)
        } else if source.isSign(index + 1, in: "=;,):"), !source.isSign(index + 2, "=") {
            // Java: `Type name`
            var last = index - 1
            if source.isSign(last, ">"), let name = source.nameBefore(index) { last = name }
            guard source.isTypeName(last), let path = source.path(endingAt: last),
                !source.isWord(path.start - 1, "new"), !source.isWord(path.start - 1, "as")
            else { return }
            declare(index, names.receiver(path.words))
        }
    }

    /// Whether a name before a colon can be declared there. The other names are those of conditional expressions, labels, base classes and
    /// Java's loops.
    private func isDeclarable(_ index: Int) -> Bool {
        guard let word = source.word(index - 1) else { return source.isSign(index - 1, in: "(,{)") }
        return !["case", "return", "class", "object", "interface", "where", "default"].contains(word)
            && !source.isTypeName(index - 1) && !source.isSign(index + 2, ":")
    }

    /// Reads the names before `->`.
    private mutating func readArguments(before arrow: Int) {
        var index = arrow - 1
        var isList = false
        if source.isSign(index, ")") {
            index -= 1
            isList = true
        }
        for _ in 0..<8 {
            guard source.word(index) != nil else { return }
            if source.isSign(index - 1, "{"), !isList, index == arrow - 1 {
                declare(index, in: index - 1, .argument(ofBlock: index - 1))
            } else if !source.isSign(index - 1, ":"), !source.isTypeName(index - 1) {
                declare(index, in: blocks.last ?? -1, .type(.unknown))
            }
            guard source.isSign(index - 1, ",") else { return }
            index -= 2
        }
    }

    private mutating func declare(_ index: Int, _ type: OkHttpReceiver) {
        guard let bracket = brackets.last(where: { $0.open != index }), source.isSign(bracket.open, "(") else {
            return declare(index, in: blocks.last ?? -1, .type(type))
        }
        if let body = body(ofListAt: bracket.open) { declare(index, in: body, .type(type)) }
    }

    private mutating func declare(_ index: Int, in block: Int, _ declaration: Declaration) {
        guard let name = source.word(index) else { return }
        let key = Key(block: block, name: name)
        // Two declarations of a name in a block are of parts of it that are not told apart.
        declarations[key] = (declarations[key] ?? declaration) == declaration ? declaration : .type(.unknown)
        let type: OkHttpReceiver = if case .type(let type) = declaration { type } else { .unknown }
        everywhere[name] = (everywhere[name] ?? type) == type ? type : .unknown
    }

    /// The block in which the names between these brackets are visible: the body of a function, of a class or of a loop. Nil if there is
    /// no body.
    private mutating func body(ofListAt open: Int) -> Int? {
        let body = bodyOfList[open] ?? findBody(ofListAt: open) ?? -1
        bodyOfList[open] = body
        return body < 0 ? nil : body
    }

    private mutating func findBody(ofListAt open: Int) -> Int? {
        guard let close = source.closing(of: open) else { return nil }
        if let word = source.word(open - 1), ["for", "while", "if", "when"].contains(word) {
            return body(at: close + 1)
        }
        var index = close + 1
        while index <= close + Self.maximumHeader {
            if source.isSign(index, "{") { return body(at: index) }
            if source.isSign(index, "=") { return body(at: index + 1) }
            if source.isSign(index, "-") {
                // The arguments of a lambda in Java.
                guard source.isSign(index + 1, ">"), let last = brackets.last(where: { $0.open < open }) else {
                    return nil
                }
                ends[index + 2] = last.end
                return index + 2
            }
            if source.isSign(index, "("), let end = source.closing(of: index) {
                index = end + 1
                continue
            }
            let isHeader =
                source.word(index).map { !Self.declaring.contains($0) } ?? source.isSign(index, in: ":,.<>?&@")
            guard isHeader else { return nil }
            index += 1
        }
        return nil
    }

    private mutating func body(at index: Int) -> Int {
        bodies.insert(index)
        if !source.isSign(index, "{") { ends[index] = source.end(ofStatement: index) }
        return index
    }

    /// Words that begin another declaration.
    private static let declaring: Set<String> = [
        "fun", "val", "var", "class", "object", "interface", "private", "public", "protected", "internal", "override",
        "static", "final", "abstract", "return",
    ]

    // MARK: Values

    /// The type of the value that begins at a token: `T(…)`, `new T(…)`, with calls that return the object.
    func value(at start: Int) -> OkHttpReceiver {
        let isNew = source.isWord(start, "new")
        guard let path = source.path(at: isNew ? start + 1 : start),
            case let open = source.end(ofGenericsAt: path.end), source.isSign(open, "("),
            var end = source.closing(of: open)
        else { return .unknown }
        while source.isSign(end + 1, in: ".?") {
            let name = source.isSign(end + 1, "?") ? end + 3 : end + 2
            guard source.isSign(name - 1, "."), source.returnsReceiver(name), let last = source.closing(of: name + 1)
            else {
                return .unknown
            }
            end = last
        }
        return source.endsExpression(end + 1) ? names.constructed(path.words, isNew: isNew) : .unknown
    }
}
