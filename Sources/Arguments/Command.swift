/// Declaration of a subcommand: its name, operands, options and help. It does not contain what the command does.
///
/// Everything except the name and the summary is created on demand: a run needs the options of one command only, and creating the
/// options of all commands takes longer than parsing the command line.
package struct Command: Sendable {
    package let name: String
    package let summary: String
    private let makeOperand: @Sendable () -> OperandDeclaration?
    private let makeGroups: @Sendable () -> [OptionGroup]
    private let makeExamples: @Sendable () -> [Example]
    private let makeNotes: @Sendable () -> [Note]
    private let makeMostUsed: @Sendable () -> [any AnyOption]

    /// Declares a command without operands.
    ///
    /// - Parameters:
    ///   - summary: one line that begins with an imperative, in lower case without a full stop.
    ///   - options: in the order of the help; `--help` is added.
    ///   - mostUsed: the options that brief help contains. If the list is empty, it contains the first group.
    package init(
        _ name: String,
        summary: String,
        options: @escaping @autoclosure @Sendable () -> [OptionGroup] = [],
        mostUsed: @escaping @autoclosure @Sendable () -> [any AnyOption] = [],
        examples: @escaping @autoclosure @Sendable () -> [Example] = [],
        notes: @escaping @autoclosure @Sendable () -> [Note] = []
    ) {
        (self.name, self.summary, makeOperand) = (name, summary, { nil })
        (makeGroups, makeMostUsed, makeExamples, makeNotes) = (options, mostUsed, examples, notes)
    }

    /// Declares a command with operands.
    package init<Output>(
        _ name: String,
        summary: String,
        operands: @escaping @autoclosure @Sendable () -> Operand<Output>,
        options: @escaping @autoclosure @Sendable () -> [OptionGroup] = [],
        mostUsed: @escaping @autoclosure @Sendable () -> [any AnyOption] = [],
        examples: @escaping @autoclosure @Sendable () -> [Example] = [],
        notes: @escaping @autoclosure @Sendable () -> [Note] = []
    ) {
        (self.name, self.summary, makeOperand) = (name, summary, { operands().declaration })
        (makeGroups, makeMostUsed, makeExamples, makeNotes) = (options, mostUsed, examples, notes)
    }

    package var operand: OperandDeclaration? { makeOperand() }
    package var groups: [OptionGroup] { makeGroups() + [OptionGroup("General", [Tool.help])] }
    package var examples: [Example] { makeExamples() }
    /// The options that brief help contains.
    package var mostUsed: [OptionDeclaration] {
        let chosen = makeMostUsed().map(\.declaration)
        return chosen.isEmpty ? groups.first?.options ?? [] : chosen
    }
    package var notes: [Note] { makeNotes() }

    /// Every option including `--help`, in the order of the help.
    package var options: [OptionDeclaration] { groups.flatMap(\.options) }
}

/// A command line to copy, and what it does.
package struct Example: Hashable, Sendable {
    package let line: String
    package let explanation: String

    package init(_ line: String, _ explanation: String) {
        self.line = line
        self.explanation = explanation
    }
}

/// A titled section of help: paragraphs, then a table of two columns.
package struct Note: Hashable, Sendable {
    package let title: String
    package let paragraphs: [String]
    package let rows: [HelpRow]

    package init(_ title: String, _ paragraphs: String..., rows: KeyValuePairs<String, String> = [:]) {
        self.title = title
        self.paragraphs = paragraphs
        self.rows = rows.map { HelpRow($0.key, $0.value) }
    }

    package init(_ title: String, rows: [(String, String)]) {
        self.title = title
        paragraphs = []
        self.rows = rows.map { HelpRow($0.0, $0.1) }
    }
}
