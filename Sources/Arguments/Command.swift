/// A subcommand, as data: what is typed, what it takes and what help says of it. What it does is not here.
package struct Command: Sendable {
    package let name: String
    package let summary: String
    package let operand: OperandDeclaration?
    package let groups: [OptionGroup]
    package let examples: [Example]
    package let notes: [Note]

    /// A command that takes no operands.
    ///
    /// - Parameters:
    ///   - summary: one line in lower case, no full stop.
    ///   - options: in the order help shows them; `--help` is added.
    package init(
        _ name: String,
        summary: String,
        options: [OptionGroup] = [],
        examples: [Example] = [],
        notes: [Note] = []
    ) {
        self.init(name, summary, nil, options, examples, notes)
    }

    /// A command that takes operands.
    package init<Output>(
        _ name: String,
        summary: String,
        operands: Operand<Output>,
        options: [OptionGroup] = [],
        examples: [Example] = [],
        notes: [Note] = []
    ) {
        self.init(name, summary, operands.declaration, options, examples, notes)
    }

    private init(
        _ name: String, _ summary: String, _ operand: OperandDeclaration?,
        _ options: [OptionGroup], _ examples: [Example], _ notes: [Note]
    ) {
        self.name = name
        self.summary = summary
        self.operand = operand
        self.groups = options + [OptionGroup("General", [Tool.help])]
        self.examples = examples
        self.notes = notes
    }

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
    let rows: [Row]

    package init(_ title: String, _ paragraphs: String..., rows: KeyValuePairs<String, String> = [:]) {
        self.title = title
        self.paragraphs = paragraphs
        self.rows = rows.map { Row($0.key, $0.value) }
    }
}
