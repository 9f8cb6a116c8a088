internal import Arguments
internal import CheckReports
internal import CommandSupport
internal import Encodings
internal import PinSetCodec
internal import PinSetMaintenance
internal import Pinning

/// Writes the findings of all files in the chosen format.
struct LintReport {
    private let plan: LintPlan
    private let results: [LintResult]
    /// The error if the saved chains match no host.
    let unusedChain: CommandError?

    init(_ plan: LintPlan, _ results: [LintResult]) {
        self.plan = plan
        self.results = results
        unusedChain = plan.unusedChain(results)
    }

    func output(style: Style, width: Int?) -> [UInt8] {
        if let document = plan.format.document {
            return CheckReport.write(run, as: document, version: ToolVersion.current)
        }
        switch plan.format {
        case .json: return json
        case .ndjson: return lines
        default: return Array(LintText(style: style, width: width).text(of: results).utf8)
        }
    }

    /// The last line for standard error; empty if it has no information.
    var summaryLine: String {
        let summary = summary
        guard summary.fails || (plan.format == .text && !summary.isQuiet) else { return "" }
        return Message.closing(summary.text)
    }

    /// The summary as a sentence.
    var summaryText: String { summary.text }

    private var summary: SummaryLine {
        var summary = SummaryLine(.init(plural: "files", pass: "pass", passes: "passes"))
        for (index, result) in results.enumerated() {
            if let failure = result.failure {
                summary.add(result.name, at: index, failing: failure)
                continue
            }
            let failing = result.findings.filter { isFailure($0) }
            let first =
                failing.first { $0.severity == .error && $0.nextStep != nil } ?? failing.first { $0.nextStep != nil }
            summary.add(
                result.name, at: index, failing: failing.isEmpty ? nil : Self.counts(result.findings),
                warnings: result.findings.number { $0.severity == .warning },
                next: (index, first?.nextStep ?? "fix the findings and run lint again")
            )
        }
        return summary
    }

    /// Whether a finding fails the check. A host that could not be checked fails it too.
    func isFailure(_ finding: LintFinding) -> Bool {
        finding.severity == .error || plan.isStrict && finding.severity == .warning || finding.code == .unreachable
    }

    /// "2 errors, 1 warning, 1 host not reached".
    private static func counts(_ findings: [LintFinding]) -> String {
        let severities = LintFinding.Severity.allCases.compactMap { severity in
            let count = findings.number { $0.severity == severity && $0.code != .unreachable }
            return count == 0 ? nil : "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
        }
        let unreached = findings.count { $0.code == .unreachable }
        let hosts = unreached == 0 ? [] : ["\(unreached) \(unreached == 1 ? "host" : "hosts") not reached"]
        return (severities + hosts).joined(separator: ", ")
    }

    // MARK: Documents

    private var run: CheckRun {
        let cases = results.map { result in
            let unread = result.error.map { error in
                CheckFinding(
                    code: Self.unread.code, severity: .error, message: error.message, hint: error.hint,
                    file: result.path, isInconclusive: true
                )
            }
            let findings = [unread].compactMap(\.self) + result.findings.map { finding($0, result) }
            return CheckCase(name: result.name, findings: findings)
        }
        return CheckRun(
            command: LintCommand.command.name, time: plan.linter.now, cases: cases, summary: summary.text,
            rules: LintCode.allCases.map { CheckRule(code: $0.rawValue, summary: $0.summary) } + [Self.unread],
            gaps: [unusedChain?.message].compactMap(\.self), in: results.first?.path
        )
    }

    /// The code for a file that lint cannot check. Findings in a file have a ``LintCode``.
    private enum Code: String {
        case unreadable
    }

    static let unread = CheckRule(
        code: Code.unreadable.rawValue, summary: "the file cannot be read or is not a pin set")

    /// With `--strict`, warnings are written as errors, because readers of the document do not know the options.
    private func finding(_ finding: LintFinding, _ result: LintResult) -> CheckFinding {
        CheckFinding(
            code: finding.code.rawValue, severity: isFailure(finding) ? .error : finding.severity, host: finding.host,
            pin: finding.pin.flatMap { try? Pin(spelling: $0) }, message: finding.sentence, hint: finding.nextStep,
            file: result.path, line: finding.line, isInconclusive: finding.code == .unreachable, count: finding.count
        )
    }

    // MARK: JSON

    private var json: [UInt8] {
        var writer = JSONWriter(.pretty)
        writer.object { document in
            document.field("schema", "pinctl/lint/1")
            document.array("findings") { array in
                for result in results {
                    for finding in result.findings { array.object { $0.fields(of: finding, in: result) } }
                }
            }
        }
        writer.endLine()
        return writer.output
    }

    private var lines: [UInt8] {
        var writer = JSONWriter(.compact)
        for result in results {
            for finding in result.findings {
                writer.object { $0.fields(of: finding, in: result) }
                writer.endLine()
            }
        }
        return writer.output
    }
}

extension JSONWriter {
    fileprivate mutating func fields(of finding: LintFinding, in result: LintResult) {
        field("file", result.path)
        field("line", finding.line)
        field("column", finding.column)
        field("code", finding.code.rawValue)
        field("severity", finding.severity.rawValue)
        field("host", finding.host)
        field("pin", finding.pin)
        field("message", finding.message)
        field("hint", finding.nextStep)
    }
}

extension LintFinding {
    /// The message, preceded by the host unless it contains the host.
    var sentence: String {
        guard let host, !message.has(host) else { return message }
        return "\(host): \(message)"
    }
}

extension [LintFinding] {
    /// Number of findings that satisfy a condition, including those that lint omitted.
    fileprivate func number(where condition: (LintFinding) -> Bool) -> Int {
        reduce(0) { condition($1) ? $0 + $1.count : $0 }
    }
}
