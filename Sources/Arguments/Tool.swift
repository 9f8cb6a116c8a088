internal import Encodings

/// Declaration of the whole command-line tool.
package struct Tool: Sendable {
    package let name: String
    package let summary: String
    package let version: String
    /// The date of the version for manual pages, such as "June 1, 2027".
    package let date: String
    /// Every command including `help`, in the order of the help.
    package let commands: [Command]
    /// Help pages for subjects that are not commands.
    package let topics: [Topic]
    package let examples: [Example]
    package let notes: [Note]

    package init(
        _ name: String,
        summary: String,
        version: String,
        date: String,
        commands: [Command],
        topics: [Topic] = [],
        examples: [Example] = [],
        notes: [Note] = []
    ) {
        self.name = name
        self.summary = summary
        self.version = version
        self.date = date
        self.commands = commands + [Self.helpCommand(of: name, commands, topics)]
        self.topics = topics
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
            let named = before.operands.first.flatMap { command(named: $0.text) }
            return .help(named.map(HelpSubject.command) ?? .tool, before.helpForm)
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
        if line.has(Self.help) { return .help(.command(command), line.helpForm) }
        if let error = before.error ?? line.error { throw error }
        let values = try Values(line, for: command, Scope(self, command))
        guard command.name == Self.helpName else { return .command(command, values) }
        return try .help(subject(of: values), values[Self.asManualPage] ? .manualPage : .complete)
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
    case help(HelpSubject, HelpForm)
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

    static let helpName = "help"

    private static let asManualPage = Option.flag("man", help: "print a manual page in mdoc(7), the input of man(1)")

    private static func helpCommand(of tool: String, _ commands: [Command], _ topics: [Topic]) -> Command {
        Command(
            helpName, summary: "show help for \(tool), or for one command",
            operands: helpSubject(commands, topics), options: [OptionGroup("Output", [asManualPage])])
    }

    private static func helpSubject(_ commands: [Command], _ topics: [Topic]) -> Operand<String?> {
        let names = commands.map(\.name) + topics.map(\.name)
        let subject = Value<String>(
            topics.isEmpty ? "COMMAND" : "TOPIC", expected: topics.isEmpty ? "a command" : "a command or a topic",
            choices: names
        ) { $0 }
        let explanation =
            topics.isEmpty
            ? "the command to explain" : "the command or topic to explain: \(names.joined(separator: ", "))"
        return .optional(subject, help: explanation)
    }

    private func subject(of values: Values) throws(ArgumentError) -> HelpSubject {
        guard let word = values.operandLocations.first else { return .tool }
        if let topic = topics.first(where: { $0.name == word.text }) { return .topic(topic) }
        if let command = command(named: word.text) { return .command(command) }
        let similar = Suggestion.nearest(to: word.text, among: commands.map(\.name) + topics.map(\.name))
        throw .unknownCommand(word, suggestions: similar, Scope(self))
    }

    private func unknownCommand(_ word: ArgumentLocation) -> ArgumentError {
        let option = options.first { $0.name == word.text }
        let suggestions = option.map { [$0.spelling] } ?? Suggestion.nearest(to: word.text, among: commands.map(\.name))
        return .unknownCommand(word, suggestions: suggestions, Scope(self))
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
