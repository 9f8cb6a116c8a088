internal import Arguments
internal import CheckReports
internal import CommandSupport
internal import HTMLReports
internal import PinSetMaintenance
internal import Pinning

/// The HTML page of `lint`: the findings of all files, the most severe first.
struct LintPage {
    private let report: LintReport
    private let plan: LintPlan

    init(_ report: LintReport, _ plan: LintPlan) { (self.report, self.plan) = (report, plan) }

    func page(of results: [LintResult], _ console: Console) -> HTMLReport {
        var contents = ReportContents(at: plan.linter.now)
        for result in results {
            let fails = result.error != nil || result.findings.contains(where: report.isFailure)
            let hasWarnings = result.findings.contains { $0.severity == .warning }
            let verdict = result.failure ?? (fails ? "fails" : hasWarnings ? "warnings" : "passes")
            contents.count(verdict, fails ? .bad : hasWarnings ? .careful : .good, isFailing: fails)
            if let error = result.error {
                contents.add(
                    ReportedFinding(
                        severity: .error, code: LintReport.unread.code, location: result.name, message: error.message,
                        nextStep: error.hint))
            }
            for finding in result.findings {
                let reported = ReportedFinding(finding, in: result)
                if finding.omitted > 0 {
                    contents.omit(finding.omitted, reported.severity)
                } else {
                    contents.add(reported)
                }
            }
        }
        var page = HTMLReport(
            LintCommand.command, input: plan.files.count == 1 ? results.first?.name : nil, time: plan.linter.now,
            contents: contents, gaps: [report.unusedChain?.message].compactMap(\.self), console, subject: .files)
        page.summary = report.summaryText
        page.notes = notes(on: results)
        return page
    }

    /// What was checked, so that a page without findings is not empty.
    private func notes(on results: [LintResult]) -> [String] {
        let checked = results.compactMap { result in result.contentsSummary.map { (result.name, $0) } }
        var notes = checked.prefix(Self.maximumNotes).map { "checked: \($0.0), \($0.1)" }
        let rest = checked.count - notes.count
        if rest > 0 { notes.append("checked: \(rest) more \(rest == 1 ? "file" : "files")") }
        if report.unusedChain == nil, !results.contains(where: \.hasChain) {
            notes.append("no chain was compared with the pins: lint --live fetches the chains of the hosts")
        }
        return notes
    }

    /// Maximum number of files that the page names without a finding.
    private static let maximumNotes = 100
}

extension ReportedFinding {
    fileprivate init(_ finding: LintFinding, in result: LintResult) {
        let severity: Severity =
            switch finding.severity {
            case .error: .error
            case .warning: .warning
            case .note: .note
            }
        let position = [finding.line, finding.column].compactMap(\.self).map { ":\($0)" }.joined()
        self.init(
            severity: severity, code: finding.code.rawValue, location: result.name + position,
            message: finding.sentence, nextStep: finding.nextStep)
    }
}
