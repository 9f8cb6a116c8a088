/// What a help page explains.
package enum HelpSubject: Sendable {
    case tool
    case command(Command)
    case topic(Topic)
}

/// How much a help page explains, and in which markup.
package enum HelpForm: Sendable {
    /// The most used options and one example (`-h`).
    case brief
    case complete
    /// A page for man(1).
    case manualPage
}

/// A help page for a subject that is not a command, such as a file format.
package struct Topic: Sendable {
    package let name: String
    /// One line in lower case without a full stop.
    package let summary: String
    package let notes: [Note]
    package let examples: [Example]

    package init(_ name: String, summary: String, notes: [Note], examples: [Example] = []) {
        self.name = name
        self.summary = summary
        self.notes = notes
        self.examples = examples
    }
}
