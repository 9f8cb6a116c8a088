internal import Encodings

extension HTMLReport {
    /// The hosts of the survival table, failing hosts first.
    private var survivalHosts: [ReportedHost] {
        Array(contents.sections.filter { $0.survival != nil }.prefix(contents.limits.survivalHosts))
    }

    var hasSurvival: Bool { contents.sections.contains { $0.survival != nil } }

    /// Hosts × platforms × events.
    func survival(_ main: inout HTMLWriter) {
        let hosts = survivalHosts
        guard !hosts.isEmpty else { return }
        main.section("survival", "Does a pin still match after a rotation?") { section in
            section.note(
                "Each cell is for a new chain that is valid. \(Survival.keyText) Platforms with the same results share a row."
            )
            let columns = ["Platforms"] + Survival.events.map(Self.capitalized)
            section.table("Survival of rotations", class: "survival", columns: columns) { table in
                for host in hosts {
                    table.element("tbody") { body in
                        body.element("tr", .class("group")) { row in
                            row.element("th", .init("colspan", String(columns.count)), .init("scope", "rowgroup")) {
                                $0.element("a", .init("href", "#\(Self.id(of: host.index))")) { $0.isolated(host.name) }
                            }
                        }
                        for row in host.survival?.rows ?? [] { Self.write(row, columns: columns.count, to: &body) }
                    }
                    table.newLine()
                }
            }
            let rest = contents.total - hosts.count
            guard rest > 0, subject == .hosts else { return }
            let things = "\(rest) \(subject.name(count: rest))"
            section.note(
                hosts.count == contents.limits.survivalHosts || contents.sections.count < contents.total
                    ? "\(things) not in this table, which has at most \(contents.limits.survivalHosts)."
                    : "\(things) without pins in the set.")
        }
    }

    private static func write(_ row: Survival.Row, columns: Int, to body: inout HTMLWriter) {
        body.element("tr") { line in
            line.element("th", .init("scope", "row")) { head in
                head.isolated(row.names.joined(separator: ", "))
                for remark in row.remarks { head.element("small") { $0.isolated(remark) } }
            }
            for cell in row.cells {
                line.element("td") { data in
                    data.badge(cell.outcome.word, cell.outcome.tone)
                    if !cell.detail.isEmpty { data.element("small") { $0.isolated(cell.detail) } }
                }
            }
        }
        body.newLine()
    }

    static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}

extension Survival {
    /// The meanings of the words in the cells.
    static let keyText =
        "“Yes”: apps can connect, whatever the new key is; the pin that matches is below the word. “If”: apps can connect under"
        + " the condition below the word. “No”: no pin matches, and apps cannot connect. “Not pinned”: no pin protects the host,"
        + " and every valid chain is accepted."
}

extension Survival.Cell.Outcome {
    var word: String {
        switch self {
        case .survives: "yes"
        case .onCondition: "if"
        case .fails: "no"
        case .notPinned: "not pinned"
        case .undecided: "not decidable"
        }
    }

    var tone: Tone {
        switch self {
        case .survives: .good
        case .onCondition, .notPinned: .careful
        case .fails: .bad
        case .undecided: .neutral
        }
    }
}
