internal import Encodings

/// The changes of a pin set, as the text of a pull request or merge request in GitHub Flavored Markdown.
///
/// The text is shorter than 60,000 bytes for any number of hosts: GitHub accepts 65,536 characters, and git accepts 65,515 bytes in
/// a push option. Each section has a limit, and says how many of its items it omits.
package struct ChangeSummary: Sendable {
    /// A change of one pin of a host.
    package struct Change: Hashable, Sendable {
        /// Verb in the past tense, such as "added".
        let verb: String
        let role: String
        /// The name of the CA or the label; empty if it is unknown.
        let name: String
        let pin: String
        /// What follows for apps.
        let effect: String

        package init(verb: String, role: String, name: String, pin: String, effect: String) {
            (self.verb, self.role, self.name, self.pin, self.effect) = (verb, role, name, pin, effect)
        }
    }

    /// A problem that a person must check.
    package struct Problem: Hashable, Sendable {
        let isError: Bool
        let message: String
        let nextStep: String?

        package init(isError: Bool, message: String, nextStep: String?) {
            (self.isError, self.message, self.nextStep) = (isError, message, nextStep)
        }
    }

    package struct Host: Sendable {
        let name: String
        let changes: [Change]
        let problems: [Problem]
        /// Whether a pin still matches after each of ``ChangeSummary/events``; empty if it is unknown.
        let outcomes: [String]
        let diagrams: [ChainDiagram]

        package init(
            name: String, changes: [Change], problems: [Problem], outcomes: [String], diagrams: [ChainDiagram]
        ) {
            (self.name, self.changes, self.problems) = (name, changes, problems)
            (self.outcomes, self.diagrams) = (outcomes, diagrams)
        }

        /// Whether the host has neither changes nor errors.
        package var isUnchanged: Bool { changes.isEmpty && !problems.contains(where: \.isError) }
    }

    /// The first lines: a title and Markdown for each.
    private let lines: [(title: String, text: String)]
    /// The names of the events of ``Host/outcomes``.
    private let events: [String]
    private let hosts: [Host]

    /// - Parameter lines: what happened, what changes, and what the reader must decide; each a title and plain text.
    package init(lines: [(title: String, text: String)], events: [String], hosts: [Host]) {
        (self.lines, self.events, self.hosts) = (lines, events, hosts)
    }

    /// Limits in bytes. Their sum with three lines and all headings is below 60,000.
    private enum Limit {
        static let line = 1_500
        static let problems = 13_000
        static let changes = 18_000
        static let outcomes = 8_000
        static let diagrams = 10_000
        static let unchanged = 4_000
    }

    /// Maximum length of a text in bytes, with its escapes.
    private static let maximumTextLength = 1_200
    private static let maximumNameLength = 200
    private static let maximumDiagrams = 5

    package var markdown: String {
        lines.map { "- **\($0.title):** \(Self.text($0.text, limit: Limit.line))\n" }.joined()
            + problems + changes + outcomes + diagrams + unchanged
    }

    // MARK: Sections

    private var problems: String {
        var section = BoundedText(limit: Limit.problems)
        for isError in [true, false] {
            for host in hosts {
                for problem in host.problems where problem.isError == isError {
                    section.append(Self.item(problem, of: host))
                }
            }
        }
        return Self.section("Check before you merge", section, rest: "- …and %d more\n")
    }

    private var changes: String {
        var section = BoundedText(limit: Limit.changes)
        for host in hosts {
            for change in host.changes {
                section.append(Self.row(change, of: host))
            }
        }
        let heading = MarkdownRow.heading(["Host", "Change", "Role", "Name", "Pin", "Effect"])
        return Self.section("Changes", heading: heading, section, rest: "\n…and %d more\n")
    }

    private var outcomes: String {
        var section = BoundedText(limit: Limit.outcomes)
        for host in hosts where !host.changes.isEmpty && !host.outcomes.isEmpty {
            section.append(MarkdownRow.line(ofMarkdown: [Self.name(host.name)] + host.outcomes.map { Self.text($0) }))
        }
        let heading = MarkdownRow.heading(["Host"] + events)
        return Self.section(
            "Does a pin still match after the next rotation?", heading: heading, section, rest: "\n…and %d more\n")
    }

    private var diagrams: String {
        let all = hosts.filter { !$0.isUnchanged }.flatMap(\.diagrams)
        var section = BoundedText(limit: Limit.diagrams)
        for (number, diagram) in all.prefix(Self.maximumDiagrams).enumerated() {
            section.append("```mermaid\n\(diagram.mermaid(prefix: "c\(number)_"))```\n\n")
        }
        let omitted = section.omitted + max(0, all.count - Self.maximumDiagrams)
        return Self.section("Chains", section, omitted: omitted, rest: "…and %d more\n")
    }

    private var unchanged: String {
        let names = hosts.filter(\.isUnchanged).map(\.name)
        guard !names.isEmpty else { return "" }
        var section = BoundedText(limit: Limit.unchanged)
        for name in names { section.append("- \(Self.name(name))\n") }
        let noun = names.count == 1 ? "unchanged host" : "unchanged hosts"
        return "\n<details>\n<summary>\(names.count) \(noun)</summary>\n\n\(section.text)"
            + Self.rest("- …and %d more\n", section.omitted) + "\n</details>\n"
    }

    /// - Parameter rest: the text for the omitted items, with `%d` for their number.
    private static func section(
        _ title: String, heading: String = "", _ section: BoundedText, omitted: Int? = nil, rest: String
    ) -> String {
        let omitted = omitted ?? section.omitted
        guard !section.text.isEmpty || omitted > 0 else { return "" }
        let heading = section.text.isEmpty ? "" : heading
        return "\n### \(title)\n\n" + heading + section.text + Self.rest(rest, omitted)
    }

    private static func rest(_ text: String, _ count: Int) -> String {
        count == 0 ? "" : text.replacing(bytes: "%d", with: String(count))
    }

    private static func item(_ problem: Problem, of host: Host) -> String {
        let step = problem.nextStep.map { " Next: \(text($0))." } ?? ""
        return "- \(name(host.name)): \(text(problem.message)).\(step)\n"
    }

    private static func row(_ change: Change, of host: Host) -> String {
        let cells = [
            name(host.name), change.verb, change.role, text(change.name), name(change.pin), text(change.effect),
        ]
        return MarkdownRow.line(ofMarkdown: cells.map { $0.isEmpty ? " " : $0 })
    }

    private static func name(_ text: String) -> String {
        text.shortened(to: maximumNameLength, MarkdownText.code)
    }

    private static func text(_ text: String, limit: Int = maximumTextLength) -> String {
        text.shortened(to: limit, MarkdownText.escaped)
    }
}

extension String {
    /// The escaped text, without its middle if it is longer than `limit` bytes. The number of columns would not limit combining
    /// characters.
    fileprivate func shortened(to limit: Int, _ escape: (String) -> String) -> String {
        // The end of a key would not be recognized.
        let whole = withoutWholePrivateKeys
        let scalars = whole.unicodeScalars
        if scalars.count <= limit, case let text = escape(whole), text.utf8.count <= limit { return text }
        var kept = min(limit, scalars.count)
        while true {
            kept /= 2
            let text = escape(String(scalars.prefix(kept)) + "…" + String(scalars.suffix(kept / 2)))
            if text.utf8.count <= limit || kept == 0 { return text }
        }
    }
}
