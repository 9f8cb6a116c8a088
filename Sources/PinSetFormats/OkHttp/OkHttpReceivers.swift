internal import Encodings

/// Finds the type of the object whose `add` a call uses: `builder.add(…)`, `MyPins.Builder().add(…)`, `pins.apply { add(…) }`.
///
/// A type is found only from the source code of one file: its declarations, parameters and constructor calls. Everything else is
/// unknown.
struct OkHttpReceivers {
    let names: OkHttpTypeNames
    private let declarations: OkHttpDeclarations
    private let source: OkHttpTokens
    /// The types of the expressions that end at a token, which shortens the search for the receivers of a long chain of calls.
    private var known: [Int: OkHttpReceiver] = [:]

    /// Maximum number of blocks that are searched, and of expressions that refer to each other.
    private static let maximumBlocks = 32
    private static let maximumDepth = 8

    init(_ source: OkHttpTokens) {
        self.source = source
        names = OkHttpTypeNames(source)
        declarations = OkHttpDeclarations(source, names)
    }

    /// The receiver of a call.
    ///
    /// - Parameter index: the token with the name of the function.
    mutating func receiver(ofCallAt index: Int) -> OkHttpReceiver {
        guard source.isSign(index - 1, ".") else { return implicitReceiver(at: index) }
        return type(before: index, depth: 0)
    }

    /// The type of the expression before a dot, `?.` or `!!.`.
    private mutating func type(before index: Int, depth: Int) -> OkHttpReceiver {
        type(endingAt: source.end(ofReceiverBefore: index), depth: depth)
    }

    private mutating func type(endingAt last: Int, depth: Int) -> OkHttpReceiver {
        guard depth < Self.maximumDepth else { return .unknown }
        var end = last
        var ends: [Int] = []
        var result: OkHttpReceiver?
        while result == nil {
            if let type = known[end] {
                result = type
                break
            }
            ends.append(end)
            if source.word(end) != nil {
                result = variable(at: end, depth: depth)
            } else if let open = source.opening(of: end), let name = source.nameBefore(open) {
                if source.isSign(name - 1, "."), source.returnsReceiver(name) {
                    end = source.end(ofReceiverBefore: name)
                } else {
                    result = source.isSign(end, ")") ? constructor(endingAt: name) : .unknown
                }
            } else {
                result = .unknown
            }
        }
        for end in ends { known[end] = result }
        return result ?? .unknown
    }

    /// The type of `new T(…)` and `T(…)`.
    ///
    /// - Parameter index: the last word of the name.
    private func constructor(endingAt index: Int) -> OkHttpReceiver {
        guard let path = source.path(endingAt: index) else { return .unknown }
        return names.constructed(path.words, isNew: source.isWord(path.start - 1, "new"))
    }

    // MARK: Names

    private mutating func variable(at index: Int, depth: Int) -> OkHttpReceiver {
        guard let name = source.word(index) else { return .unknown }
        if source.isSign(index - 1, ".") {
            guard source.isWord(index - 2, "this"), !source.isSign(index - 3, ".") else { return .unknown }
            return declarations.everywhere[name] ?? .unknown
        }
        var block = declarations.block(at: index)
        for _ in 0..<Self.maximumBlocks {
            switch declarations[name, in: block] {
            case .type(let type): return type
            case .argument(ofBlock: let open): return argument(ofBlock: open, depth: depth)
            case nil: break
            }
            if name == "it", block >= 0, !isControl(block) { return argument(ofBlock: block, depth: depth) }
            guard let parent = declarations.parent(of: block) else {
                return names.declared.contains(name) ? .other(name) : .unknown
            }
            block = parent
        }
        return .unknown
    }

    /// The type of the argument of a lambda: `pins.also { it.add(…) }`.
    private mutating func argument(ofBlock open: Int, depth: Int) -> OkHttpReceiver {
        guard source.isWord(open - 1, "also") || source.isWord(open - 1, "let"), source.isSign(open - 2, ".") else {
            return .unknown
        }
        return type(before: open - 1, depth: depth + 1)
    }

    // MARK: Receivers of blocks

    /// The receiver of a call without a dot: that of the innermost block with a receiver.
    private mutating func implicitReceiver(at index: Int) -> OkHttpReceiver {
        var block = declarations.block(at: index)
        var inner: OkHttpReceiver?
        for _ in 0..<Self.maximumBlocks where block >= 0 {
            switch (receiver(ofBlock: block), inner) {
            case (.unknown, nil): return .unknown
            case (let receiver?, nil): inner = receiver
            // Kotlin uses an outer receiver if the inner one has no such function.
            case (.builder, .other): return .unknown
            default: break
            }
            guard inner != .builder, let parent = declarations.parent(of: block) else { break }
            block = parent
        }
        // The call can be one of the file's own functions.
        if inner == .builder, names.functions.contains("add") { return .unknown }
        return inner ?? .unknown
    }

    /// The receiver of the calls in a block; nil if the block has none.
    private mutating func receiver(ofBlock open: Int) -> OkHttpReceiver? {
        if let receiver = declarations.receivers[open] { return receiver }
        if isControl(open) { return nil }
        if source.isWord(open - 1, "apply") || source.isWord(open - 1, "run"), source.isSign(open - 2, ".") {
            return type(before: open - 1, depth: 0)
        }
        if let word = source.word(open - 1) { return Self.plainLambdas.contains(word) ? nil : .unknown }
        guard let start = source.opening(of: open - 1), source.isWord(start - 1, "with") else { return .unknown }
        if start + 2 == open - 1 { return variable(at: start + 1, depth: 0) }
        return declarations.value(at: start + 1)
    }

    /// Functions whose lambda has no receiver.
    private static let plainLambdas: Set<String> = [
        "also", "let", "forEach", "forEachIndexed", "onEach", "map", "filter", "else", "try", "finally", "do",
    ]

    /// Whether the block belongs to a statement such as `if`, or to a function without a receiver.
    private func isControl(_ open: Int) -> Bool {
        if !source.isSign(open, "{") || declarations.bodies.contains(open) { return true }
        if let word = source.word(open - 1) { return ["else", "try", "finally", "do", "init"].contains(word) }
        if source.isSign(open - 1, ">"), source.isSign(open - 2, "-") { return true }
        guard let start = source.opening(of: open - 1), let word = source.word(start - 1) else { return false }
        return ["if", "for", "while", "when", "switch", "catch", "synchronized"].contains(word)
    }
}

extension OkHttpTypeNames {
    init(_ source: OkHttpTokens) {
        for index in source.indices {
            switch source.word(index) {
            case "import":
                let isStatic = source.isWord(index + 1, "static")
                guard let path = source.path(at: index + (isStatic ? 2 : 1)) else { continue }
                let isAll = source.isSign(path.end, ".") && source.isSign(path.end + 1, "*")
                add(
                    path.words + (isAll ? ["*"] : []),
                    as: source.isWord(path.end, "as") ? source.word(path.end + 1) : nil)
            case "typealias":
                guard let name = source.word(index + 1), source.isSign(index + 2, "="),
                    let path = source.path(at: index + 3)
                else { continue }
                let count = (pinners.count, builders.count)
                add(path.words, as: name)
                // The alias of an alias, and of a type that is not known.
                if path.words.count == 1, builders.contains(path.words[0]) { builders.insert(name) }
                if path.words.count == 1, pinners.contains(path.words[0]) { pinners.insert(name) }
                if count == (pinners.count, builders.count), receiver(path.words) == .unknown { unknown.insert(name) }
            case "class", "interface", "object", "enum", "record":
                if let name = source.word(index + 1), name.first?.isUppercase == true { declared.insert(name) }
            case "fun":
                guard let function = source.function(at: index), let name = function.words.last else { continue }
                functions.insert(name)
                let result = function.words.count == 1 ? Self.result(ofFunction: function.open, in: source) : nil
                results[name] = results.keys.contains(name) ? .some(nil) : .some(result)
            case "add":
                // A method of Java: `void add(String host, String pin)`.
                if source.word(index - 1).map({ !["return", "else", "do", "fun"].contains($0) }) ?? false,
                    source.isSign(index + 1, "("), source.line(index - 1) == source.line(index)
                {
                    functions.insert("add")
                }
            default: continue
            }
        }
    }

    /// The type that a function declares, or that of the constructor that is its body: `fun f(): T`, `fun f() = T()`.
    private static func result(ofFunction open: Int, in source: OkHttpTokens) -> [String]? {
        guard let end = source.closing(of: open) else { return nil }
        if source.isSign(end + 1, ":") {
            return source.path(at: end + 2).flatMap { source.isSign($0.end, in: "<?.") ? nil : $0.words }
        }
        guard source.isSign(end + 1, "="), let path = source.path(at: end + 2), source.isSign(path.end, "("),
            let last = source.closing(of: path.end), source.endsExpression(last + 1)
        else { return nil }
        return path.words
    }

    /// The type of an object that a constructor, or a function of the file, returns.
    func constructed(_ path: [String], isNew: Bool) -> OkHttpReceiver {
        guard let last = path.last else { return .unknown }
        if isNew || !functions.contains(last) { return receiver(path) }
        guard path.count == 1, let result = results[last] ?? nil, let type = result.last, !functions.contains(type)
        else {
            return .unknown
        }
        return receiver(result)
    }
}
