/// Manual pages in mdoc(7), the markup that mandoc(1) and groff(1) format. They come from the same declarations as ``Help``.
enum ManualPage {
    static func text(for subject: HelpSubject, of tool: Tool) -> String {
        var page = ManualPageWriter()
        switch subject {
        case .tool: describe(tool, in: &page)
        case .command(let command): describe(command, of: tool, in: &page)
        case .topic(let topic): describe(topic, of: tool, in: &page)
        }
        return page.text
    }

    /// The sections of the manual: commands, and file formats (man(1)).
    private static let commandSection = 1
    private static let formatSection = 5

    private static func describe(_ tool: Tool, in page: inout ManualPageWriter) {
        page.begin(tool.name, commandSection, tool: tool, summary: tool.summary)
        page.section("SYNOPSIS")
        page.macro("Nm", tool.name)
        page.macro("Ar", "COMMAND")
        page.macro("Op", "Ar OPTIONS", isMarkup: true)
        page.macro("Op", "Ar OPERANDS", isMarkup: true)
        page.section("DESCRIPTION")
        page.paragraph("The commands are:")
        page.list {
            for command in tool.commands {
                $0.item("Cm", command.name)
                $0.line(command.summary)
            }
        }
        page.paragraph("The options before a command are:")
        add(tool.options, to: &page)
        add(tool.notes, examples: tool.examples, to: &page)
        let pages =
            tool.commands.filter { $0.name != Tool.helpName }.map { (name(of: $0, of: tool), commandSection) }
            + tool.topics.map { (name(of: $0, of: tool), formatSection) }
        page.references(pages)
    }

    private static func describe(_ command: Command, of tool: Tool, in page: inout ManualPageWriter) {
        page.begin(name(of: command, of: tool), commandSection, tool: tool, summary: command.summary)
        page.section("SYNOPSIS")
        page.macro("Nm", "\(tool.name) \(command.name)", isOneWord: true)
        for option in command.options where option.presence == .required {
            page.macro("Fl", "-\(option.name)", option.value.map { ["Ar", $0.placeholder] } ?? [])
        }
        page.macro("Op", "Ar OPTIONS", isMarkup: true)
        if let operand = command.operand {
            let name = Help.name(of: operand)
            page.macro(
                operand.count.isRequired ? "Ar" : "Op", operand.count.isRequired ? name : "Ar \(name)", isMarkup: true)
        }
        page.section("DESCRIPTION")
        if let operand = command.operand {
            page.list {
                $0.item("Ar", Help.name(of: operand))
                $0.line(Help.annotated(operand.help, operand.value, .optional))
            }
        } else {
            page.paragraph("This command has no operands.")
        }
        for group in command.groups {
            page.paragraph("\(group.title) options:")
            add(group.options, to: &page)
        }
        add(command.notes, examples: command.examples, to: &page)
        page.references([(tool.name, commandSection)] + tool.topics.map { (name(of: $0, of: tool), formatSection) })
    }

    private static func describe(_ topic: Topic, of tool: Tool, in page: inout ManualPageWriter) {
        page.begin(name(of: topic, of: tool), formatSection, tool: tool, summary: topic.summary)
        let (description, others) = (topic.notes.first, topic.notes.dropFirst())
        page.section("DESCRIPTION")
        if let description { add(description, to: &page) }
        add(Array(others), examples: topic.examples, to: &page)
        page.references([(tool.name, commandSection)])
    }

    private static func name(of command: Command, of tool: Tool) -> String { "\(tool.name)-\(command.name)" }

    private static func name(of topic: Topic, of tool: Tool) -> String { "\(tool.name)-\(topic.name)" }

    private static func add(_ options: [OptionDeclaration], to page: inout ManualPageWriter) {
        page.list { page in
            for option in options {
                page.item(option)
                page.line(Help.annotated(option.help, option.value, option.presence))
            }
        }
    }

    /// The order of the sections is that of mdoc(7): the exit status precedes the examples.
    private static func add(_ notes: [Note], examples: [Example], to page: inout ManualPageWriter) {
        let status = notes.filter { $0.title == exitStatus }
        for note in notes.filter({ $0.title != exitStatus }) + status {
            page.section(note.title.uppercased())
            add(note, to: &page)
        }
        guard !examples.isEmpty else { return }
        page.section("EXAMPLES")
        for example in examples {
            page.paragraph("\(example.explanation):")
            page.literal([example.line])
        }
    }

    private static let exitStatus = "Exit status"

    private static func add(_ note: Note, to page: inout ManualPageWriter) {
        for paragraph in note.paragraphs { page.paragraph(paragraph) }
        guard !note.rows.isEmpty else { return }
        page.list {
            for row in note.rows {
                $0.item("Cm", row.term)
                $0.line(row.text)
            }
        }
    }
}
