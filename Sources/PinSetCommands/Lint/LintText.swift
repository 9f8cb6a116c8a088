internal import CommandSupport
internal import Encodings
internal import PinSetMaintenance
internal import Pinning

/// Findings as text: a line in the format of compiler diagnostics, and the next step on the lines below.
struct LintText {
    let style: Style
    /// Maximum width in columns; nil for no limit.
    let width: Int?

    func text(of results: [LintResult]) -> String {
        var text = ""
        for result in results {
            // An empty line between two files.
            if !text.isEmpty, !result.findings.isEmpty { text += "\n" }
            for finding in result.findings { text += block(finding, in: result) }
        }
        return text
    }

    private func block(_ finding: LintFinding, in result: LintResult) -> String {
        // The runner of GitHub Actions interprets a line that begins with two colons as a command.
        let name = result.name.begins(with: "::") ? "./" + result.name : result.name
        let location = "\(name.escaped):" + (finding.line.map { "\($0):" } ?? "")
        let severity = finding.severity.rawValue + ":"
        let head = "\(location) \(severity) "
        let lines = wrapped("\(finding.sentence.escaped) [\(finding.code.rawValue)]", after: head.columns)
        var text =
            style(.strong, location) + " " + style(emphasis(of: finding.severity), severity) + " " + lines[0] + "\n"
        for line in lines.dropFirst() { text += Self.indentation + line + "\n" }
        guard let hint = finding.nextStep else { return text }
        let room = width.map { max(Self.minimumColumns, $0 - 2 * Self.indentation.count) }
        for line in hint.escaped.wrapped(to: room) {
            text += Self.indentation + style(.quiet, line) + "\n"
        }
        return text
    }

    /// Wraps the text. The first line is shorter, because it begins with the location and severity.
    private func wrapped(_ text: String, after columns: Int) -> [String] {
        guard let width else { return [text] }
        let filler = String(repeating: "x", count: max(1, columns - Self.indentation.count - 1))
        var lines = "\(filler) \(text)".wrapped(to: max(Self.minimumColumns, width - Self.indentation.count))
        lines[0] = String(lines[0].dropFirst(filler.count + 1))
        return lines
    }

    private func emphasis(of severity: LintFinding.Severity) -> Style.Emphasis {
        switch severity {
        case .error: .bad
        case .warning: .careful
        case .note: .quiet
        }
    }

    private static let indentation = "  "
    private static let minimumColumns = 30
}
