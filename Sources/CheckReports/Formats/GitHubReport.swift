internal import Encodings
internal import PinSetMaintenance
internal import Pinning

/// Workflow commands that GitHub Actions shows as annotations, one per finding and line
/// (https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions).
package enum GitHubReport {
    package static func text(of run: CheckRun) -> String {
        var text = ""
        for item in run.cases {
            for finding in item.findings { text += command(for: finding, on: item, of: run) + "\n" }
        }
        return text
    }

    private static func command(for finding: CheckFinding, on item: CheckCase, of run: CheckRun) -> String {
        var properties: [(String, String)] = []
        if let file = finding.file, file != "-" {
            properties.append(("file", file))
            if let line = finding.line { properties.append(("line", String(line))) }
        }
        properties.append(("title", "pinctl \(run.command): \(finding.title ?? finding.code)"))
        let list = properties.map { "\($0.0)=\(property($0.1))" }.joined(separator: ",")
        let message = finding.message.escaped
        let subject = message.has(item.name) || finding.file == item.name ? "" : "\(item.name.escaped): "
        let text = subject + message + (finding.hint.map { "\n\($0.escaped)" } ?? "")
        return "::\(level(of: finding.severity)) \(list)::\(data(text))"
    }

    private static func level(of severity: CheckFinding.Severity) -> String {
        switch severity {
        case .error: "error"
        case .warning: "warning"
        case .note: "notice"
        }
    }

    /// Escapes the text of a message. An unescaped line feed would end it.
    private static func data(_ text: String) -> String { percentEncoded(text, alsoSeparators: false) }

    /// Escapes a property value. A colon or a comma would end it too.
    private static func property(_ text: String) -> String { percentEncoded(text.escaped, alsoSeparators: true) }

    private static func percentEncoded(_ text: String, alsoSeparators: Bool) -> String {
        var output = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": output += "%25"
            case "\r": output += "%0D"
            case "\n": output += "%0A"
            case ":" where alsoSeparators: output += "%3A"
            case "," where alsoSeparators: output += "%2C"
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output
    }
}
