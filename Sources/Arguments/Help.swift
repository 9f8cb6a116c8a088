/// Help text, generated from the declarations for a width in columns. It ends with a newline.
package enum Help {
    /// - Parameter width: the columns of the terminal; a manual page has none.
    package static func page(_ subject: HelpSubject, _ form: HelpForm, of tool: Tool, width: Int) -> String {
        switch (subject, form) {
        case (_, .manualPage): ManualPage.text(for: subject, of: tool)
        case (.tool, .brief): short(for: tool, width: width)
        case (.tool, .complete): text(for: tool, width: width)
        case (.command(let command), .brief): brief(for: command, of: tool, width: width)
        case (.command(let command), .complete): text(for: command, of: tool, width: width)
        case (.topic(let topic), .brief), (.topic(let topic), .complete): text(for: topic, width: width)
        }
    }

    /// The complete help of the tool.
    package static func text(for tool: Tool, width: Int) -> String {
        var page = overview(of: tool, width: width)
        add(tool.examples, to: &page)
        add(tool.notes, to: &page)
        page.paragraph(more(of: tool))
        return page.text
    }

    /// The help for a command line without arguments: the commands, and where to read more.
    package static func short(for tool: Tool, width: Int) -> String {
        var page = overview(of: tool, width: width)
        page.paragraph(more(of: tool))
        return page.text
    }

    /// The usage of a command, its most used options and one example.
    private static func brief(for command: Command, of tool: Tool, width: Int) -> String {
        var page = HelpLayout(width: width)
        page.hangingIndent("Usage: \(tool.name) \(command.name)", usage(of: command))
        page.paragraph(command.summary)
        let options = (command.mostUsed + [Tool.help.declaration]).map(row)
        page.heading("Options")
        page.table(options, column: HelpLayout.column(for: options))
        add(Array(command.examples.prefix(1)), to: &page)
        page.paragraph("\"\(tool.name) help \(command.name)\" explains all options")
        return page.text
    }

    private static func text(for topic: Topic, width: Int) -> String {
        var page = HelpLayout(width: width)
        page.paragraph("\(topic.name): \(topic.summary)")
        add(topic.notes, to: &page)
        add(topic.examples, to: &page)
        return page.text
    }

    /// The help of one command.
    package static func text(for command: Command, of tool: Tool, width: Int) -> String {
        var page = HelpLayout(width: width)
        page.hangingIndent("Usage: \(tool.name) \(command.name)", usage(of: command))
        page.paragraph(command.summary)

        let operands = command.operand.map { [HelpRow(name(of: $0), annotated($0.help, $0.value, .optional))] } ?? []
        let groups = command.groups.map { (title: $0.title, rows: $0.options.map(row)) }
        let column = HelpLayout.column(for: operands + groups.flatMap(\.rows))
        if !operands.isEmpty {
            page.heading("Operands")
            page.table(operands, column: column)
        }
        for group in groups {
            page.heading(group.title)
            page.table(group.rows, column: column)
        }
        add(command.examples, to: &page)
        add(command.notes, to: &page)
        return page.text
    }
}

extension Help {
    private static func overview(of tool: Tool, width: Int) -> HelpLayout {
        var page = HelpLayout(width: width)
        page.hangingIndent("Usage: \(tool.name)", ["COMMAND", "[OPTIONS]", "[OPERANDS]"])
        page.paragraph(tool.summary)
        let commands = tool.commands.map { HelpRow($0.name, $0.summary) }
        let options = tool.options.map(row)
        let column = HelpLayout.column(for: commands + options)
        page.heading("Commands")
        page.table(commands, column: column)
        page.heading("Options")
        page.table(options, column: column)
        return page
    }

    private static func more(of tool: Tool) -> String {
        "\"\(tool.name) help COMMAND\" explains a command and its options"
    }

    private static func add(_ examples: [Example], to page: inout HelpLayout) {
        guard !examples.isEmpty else { return }
        page.heading("Examples")
        for example in examples { page.example(example) }
    }

    private static func add(_ notes: [Note], to page: inout HelpLayout) {
        for note in notes {
            page.heading(note.title)
            for (index, paragraph) in note.paragraphs.enumerated() {
                page.indented(paragraph, isFirst: index == 0)
            }
            page.table(note.rows, column: HelpLayout.column(for: note.rows))
        }
    }

    static func usage(of command: Command) -> [String] {
        let required = command.options.filter { $0.presence == .required }.map(term)
        return required + ["[OPTIONS]"] + (command.operand.map { [usage(of: $0)] } ?? [])
    }

    static func usage(of operand: OperandDeclaration) -> String {
        operand.count.isRequired ? name(of: operand) : "[\(name(of: operand))]"
    }

    static func name(of operand: OperandDeclaration) -> String {
        operand.value.placeholder + (operand.count.isMany ? "..." : "")
    }

    static func term(_ option: OptionDeclaration) -> String {
        option.spelling + (option.value.map { " " + $0.placeholder } ?? "")
    }

    private static func row(_ option: OptionDeclaration) -> HelpRow {
        let lead = option.short.map { "-\($0), " } ?? "    "
        return HelpRow(lead + term(option), annotated(option.help, option.value, option.presence))
    }

    /// Help text followed by facts from the declaration in parentheses, such as the default.
    static func annotated(_ help: String, _ value: ValueDescription?, _ presence: Presence) -> String {
        var remarks: [String] = []
        if let value, value.isClosed { remarks.append(value.expected) }
        switch presence {
        case .optional: break
        case .required: remarks.append("required")
        case .defaulted(let shown):
            if let shown { remarks.append("default: \(shown)") }
        case .repeatable(let shown):
            if let shown { remarks.append("default: \(shown)") }
            remarks.append("repeatable")
        }
        return remarks.isEmpty ? help : "\(help) (\(remarks.joined(separator: "; ")))"
    }
}
