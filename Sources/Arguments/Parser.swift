internal import Encodings

/// Assigns the words of a command line to the declared options, without conversion.
///
/// Parsing continues after an error, because a request for help may follow; the first error is reported.
struct Parser {
    enum End {
        case ofLine
        case firstOperand
    }

    /// The result of parsing.
    struct Line {
        var options: [TypedOption] = []
        var operands: [ArgumentLocation] = []
        var error: ArgumentError?
        var rest: Rest
        var count = 0

        func has(_ option: Option<Bool>) -> Bool { !options.occurrences(of: option.declaration.name).isEmpty }

        /// The form of help that the line requests: the brief one if `--help` is not typed in full.
        var helpForm: HelpForm {
            options.occurrences(of: Tool.help.declaration.name).contains {
                $0.spelling == Tool.help.declaration.spelling
            }
                ? .complete : .brief
        }
    }

    /// The words that are not parsed yet.
    struct Rest {
        var tokens: ArraySlice<Token>
        /// Whether `--` was parsed.
        var isOperands = false
    }

    static func parse(_ tokens: ArraySlice<Token>, for tool: Tool, until end: End) -> Line {
        run(Rest(tokens: tokens), tool, nil, until: end)
    }

    static func parse(_ rest: Rest, for tool: Tool, _ command: Command) -> Line {
        run(rest, tool, command, until: .ofLine)
    }

    private let tool: Tool
    private let command: Command?
    private let options: [OptionDeclaration]
    private var line: Line

    private static func run(_ rest: Rest, _ tool: Tool, _ command: Command?, until end: End) -> Line {
        let options = command?.options ?? tool.options
        var parser = Parser(tool: tool, command: command, options: options, line: Line(rest: rest))
        parser.match(until: end)
        return parser.line
    }
}

extension Parser {
    private mutating func match(until end: End) {
        while let token = line.rest.tokens.popFirst() {
            switch line.rest.isOperands ? .operand : token.shape {
            case .operand:
                line.operands.append(token.location)
                if end == .firstOperand { return }
            case .terminator:
                line.rest.isOperands = true
            case .long(let name, let value):
                long(name, value, token)
            case .short(let letters):
                short(letters, token)
            }
        }
    }

    private mutating func long(_ name: String, _ value: String?, _ token: Token) {
        let spelling = "--\(name)"
        guard let option = options.first(where: { $0.name == name }) else {
            return fail(unknown(long: name, token))
        }
        switch (option.value, value) {
        case (nil, nil): record(option, spelling, nil, token.location)
        case (nil, _?): fail(.unexpectedValue(token.location, spelling))
        case (let shape?, let value?):
            let text = shape.isSecret ? "\(spelling)=\(shape.placeholder)" : token.location.text
            record(option, spelling, value, ArgumentLocation(position: token.position, text: text))
        case (let shape?, nil): takeNext(shape, option, spelling, token)
        }
    }

    /// Parses short options that are joined in one word. If an option takes a value, the rest of the word, if any, is its value
    /// (POSIX.1-2024, XBD 12.2, guidelines 5 and 6). An `=` is part of that value, as in getopt(3).
    private mutating func short(_ letters: [Unicode.Scalar], _ token: Token) {
        var rest = letters[...]
        while let letter = rest.popFirst() {
            let spelling = "-\(letter)"
            guard let option = options.first(where: { $0.short == letter }) else {
                return fail(unknown(short: letter, letters, token))
            }
            if let shape = option.value {
                if rest.isEmpty { return takeNext(shape, option, spelling, token) }
                let text = shape.isSecret ? "\(spelling)\(shape.placeholder)" : token.text
                let location = ArgumentLocation(position: token.position, text: text)
                return record(option, spelling, String(String.UnicodeScalarView(rest)), location)
            }
            if rest.first == "=" { return fail(.unexpectedValue(token.location, spelling)) }
            record(option, spelling, nil, token.location)
        }
    }

    /// Uses the next word as the value, even if it begins with a dash, so that `--at -5` works. If that word is a declared long
    /// option, the value is missing, and this method fails.
    private mutating func takeNext(
        _ shape: ValueDescription, _ option: OptionDeclaration, _ spelling: String, _ token: Token
    ) {
        guard let next = line.rest.tokens.first else {
            return fail(.missingValue(of: spelling, expected: shape.expected))
        }
        guard !isOption(next) else {
            return fail(.valueIsOption(of: spelling, next.location))
        }
        line.rest.tokens.removeFirst()
        let shown = shape.isSecret ? shape.placeholder : next.text.shown
        let location = ArgumentLocation(position: token.position, text: "\(token.text) \(shown)")
        record(option, spelling, next.text, location)
    }

    private func isOption(_ token: Token) -> Bool {
        switch token.shape {
        case .terminator: true
        case .long(let name, _): options.contains { $0.name == name }
        case .operand, .short: false
        }
    }

    private mutating func record(
        _ option: OptionDeclaration, _ spelling: String, _ value: String?, _ location: ArgumentLocation
    ) {
        let occurrence = Occurrence(location: location, order: line.count, spelling: spelling, value: value)
        if let index = line.options.firstIndex(where: { $0.name == option.name }) {
            line.options[index].occurrences.append(occurrence)
        } else {
            line.options.append(TypedOption(name: option.name, occurrences: [occurrence]))
        }
        line.count += 1
    }

    private mutating func fail(_ error: ArgumentError) {
        line.error = line.error ?? error
    }
}

extension Parser {
    private func unknown(long name: String, _ token: Token) -> ArgumentError {
        let spelling = "--\(name)"
        let nearest = Suggestion.nearest(to: name, among: options.map(\.name)).map { "--\($0)" }
        // The value of a misspelled option may be a secret.
        let isSecret = options.contains { $0.value?.isSecret == true && nearest.contains($0.spelling) }
        let location = isSecret ? ArgumentLocation(position: token.position, text: spelling) : token.location
        return unknown(spelling, location, nearest) { $0.name == name }
    }

    /// Suggests `--timeout` for `-timeout`: the second dash is missing.
    private func unknown(short letter: Unicode.Scalar, _ letters: [Unicode.Scalar], _ token: Token) -> ArgumentError {
        let name = String(String.UnicodeScalarView(letters.prefix { $0 != "=" }))
        if letters.first == letter, options.contains(where: { $0.name == name }) {
            return .unknownOption("-\(name)", token.location, Scope(tool, command), .suggestions(["--\(name)"]))
        }
        // `-v` for `-V`.
        let otherCase = options.compactMap(\.short).filter { String($0).lowercased() == String(letter).lowercased() }
        return unknown("-\(letter)", token.location, otherCase.map { "-\($0)" }) { $0.short == letter }
    }

    private func unknown(
        _ spelling: String, _ location: ArgumentLocation, _ suggestions: [String],
        where matches: (OptionDeclaration) -> Bool
    ) -> ArgumentError {
        let owners = tool.commands.filter { $0.options.contains(where: matches) }.map(\.name)
        let remedy: Remedy =
            if tool.options.contains(where: matches) {
                .beforeCommand
            } else if !owners.isEmpty {
                .owners(owners, suggestions: suggestions)
            } else {
                .suggestions(suggestions)
            }
        return .unknownOption(spelling, location, Scope(tool, command), remedy)
    }
}
