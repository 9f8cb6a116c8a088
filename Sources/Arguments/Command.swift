/// A subcommand, as data: what is typed, what it takes and what help says of it. What it does is not here.
///
/// All but name and summary is made when it is asked for: a run needs the options of one command, and making those of
/// every command would cost more than parsing the line.
package struct Command: Sendable {
    package let name: String
    package let summary: String
    private let makeOperand: @Sendable () -> OperandDeclaration?
    private let makeGroups: @Sendable () -> [OptionGroup]
    private let makeExamples: @Sendable () -> [Example]
    private let makeNotes: @Sendable () -> [Note]

    /// A command that takes no operands.
    ///
    /// - Parameters:
    ///   - summary: one line in lower case, no full stop.
    ///   - options: in the order help shows them; `--help` is added.
    package init(
        _ name: String,
        summary: String,
        options: @escaping @autoclosure @Sendable () -> [OptionGroup] = [],
        examples: @escaping @autoclosure @Sendable () -> [Example] = [],
        notes: @escaping @autoclosure @Sendable () -> [Note] = []
    ) {
        (self.name, self.summary, makeOperand) = (name, summary, { nil })
        (makeGroups, makeExamples, makeNotes) = (options, examples, notes)
    }

    /// A command that takes operands.
    package init<Output>(
        _ name: String,
        summary: String,
        operands: @escaping @autoclosure @Sendable () -> Operand<Output>,
        options: @escaping @autoclosure @Sendable () -> [OptionGroup] = [],
        examples: @escaping @autoclosure @Sendable () -> [Example] = [],
        notes: @escaping @autoclosure @Sendable () -> [Note] = []
    ) {
        (self.name, self.summary, makeOperand) = (name, summary, { operands().declaration })
        (makeGroups, makeExamples, makeNotes) = (options, examples, notes)
    }

    package var operand: OperandDeclaration? { makeOperand() }
    package var groups: [OptionGroup] { makeGroups() + [OptionGroup("General", [Tool.help])] }
    package var examples: [Example] { makeExamples() }
    package var notes: [Note] { makeNotes() }

    /// Every option, `--help` included, in the order help shows them.
    package var options: [OptionDeclaration] { groups.flatMap(\.options) }
}

/// A command line worth copying, and what it gives.
package struct Example: Hashable, Sendable {
    package let line: String
    package let explanation: String

    package init(_ line: String, _ explanation: String) {
        self.line = line
        self.explanation = explanation
    }
}

/// More to know, under a title of its own: paragraphs, then a table of two columns.
package struct Note: Hashable, Sendable {
    package let title: String
    package let paragraphs: [String]
    let rows: [HelpRow]

    package init(_ title: String, _ paragraphs: String..., rows: KeyValuePairs<String, String> = [:]) {
        self.title = title
        self.paragraphs = paragraphs
        self.rows = rows.map { HelpRow($0.key, $0.value) }
    }
}
