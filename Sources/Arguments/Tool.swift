/// Declaration of the whole command-line tool.
package struct Tool: Sendable {
    package let name: String
    package let summary: String
    package let version: String
    /// Every command including `help`, in the order of the help.
    package let commands: [Command]
    package let examples: [Example]
    package let notes: [Note]

    package init(
        _ name: String,
        summary: String,
        version: String,
        commands: [Command],
        examples: [Example] = [],
        notes: [Note] = []
    ) {
        self.name = name
        self.summary = summary
        self.version = version
        self.commands = commands + [Self.helpCommand(of: name, commands)]
        self.examples = examples
        self.notes = notes
    }

    /// Parses a command line.
    ///
    /// A request for help succeeds even if the rest of the line is invalid.
    ///
    /// - Parameter arguments: the words after the program's name.
    package func parse(_ arguments: [String]) throws(ArgumentError) -> Invocation {
        guard !arguments.isEmpty else { return .nothing }
        let before = Parser.parse(Token.tokens(of: arguments)[...], for: self, until: .firstOperand)
        if before.has(Self.help) {
            return .help(before.operands.first.flatMap { command(named: $0.text) })
        }
        if Self.requestsVersionAsJSON(arguments) { return .version(asJSON: true) }
        if before.has(Self.showVersion), before.error == nil { return .version(asJSON: false) }
        guard let word = before.operands.first else {
            let typed = ArgumentLocation(position: 0, text: arguments.map(\.shown).joined(separator: " "))
            throw before.error ?? .missingCommand(after: typed, Scope(self))
        }
        guard let command = command(named: word.text) else {
            throw before.error ?? unknownCommand(word)
        }
        let line = Parser.parse(before.rest, for: self, command)
        if line.has(Self.help) { return .help(command) }
        if let error = before.error ?? line.error { throw error }
        let values = try Values(line, for: command, Scope(self, command))
        guard command.name == Self.helpName else { return .command(command, values) }
        return try .help(topic(of: values))
    }

    package func command(named name: String) -> Command? {
        commands.first { $0.name == name }
    }

    /// The options before a command.
    package var options: [OptionDeclaration] { [Self.help.declaration, Self.showVersion.declaration] }
}

/// The request of a command line.
package enum Invocation: Sendable {
    /// The command line is empty.
    case nothing
    /// Help for the tool (nil) or for one command.
    case help(Command?)
    case version(asJSON: Bool)
    case command(Command, Values)
}

extension Tool {
    static let help = Option.flag("help", short: "h", help: "show this help")
    static let showVersion = Option.flag("version", short: "V", help: "show the version (with --json: as JSON)")

    /// `--json` is no option of the tool, because commands have `--format json`.
    private static func requestsVersionAsJSON(_ arguments: [String]) -> Bool {
        arguments.count == 2 && arguments.contains("--json") && arguments.contains { $0 == "--version" || $0 == "-V" }
    }

    private static let helpName = "help"

    private static func helpCommand(of tool: String, _ commands: [Command]) -> Command {
        let topic = Value<String>("COMMAND", expected: "a command", choices: commands.map(\.name)) { $0 }
        return Command(
            helpName, summary: "show help for \(tool), or for one command",
            operands: Operand.optional(topic, help: "the command to explain"))
    }

    private func topic(of values: Values) throws(ArgumentError) -> Command? {
        guard let word = values.operandLocations.first else { return nil }
        guard let command = command(named: word.text) else { throw unknownCommand(word) }
        return command
    }

    private func unknownCommand(_ word: ArgumentLocation) -> ArgumentError {
        .unknownCommand(word, suggestions: Suggestion.nearest(to: word.text, among: commands.map(\.name)), Scope(self))
    }
}

/// Set of options that are valid at a word: those of a command, or those of the tool before any command.
package struct Scope: Hashable, Sendable {
    package let tool: String
    package let command: String?

    init(_ tool: Tool, _ command: Command? = nil) {
        self.tool = tool.name
        self.command = command?.name
    }

    package var name: String { command ?? tool }
    /// The words that select this scope.
    package var line: String { command.map { "\(tool) \($0)" } ?? tool }
}
