internal import Arguments
internal import CheckReports
internal import CommandSupport
internal import PinSetCodec
internal import Pinning

/// A document for CI or monitoring, written when all hosts are done.
final class VerifyCheckReport: HostReport {
    private let plan: VerifyPlan
    private let document: CheckDocument
    /// The cases by index of the host in the input.
    private var cases: [Int: CheckCase] = [:]
    private var gaps: [String] = []

    init(_ plan: VerifyPlan, as document: CheckDocument) { (self.plan, self.document) = (plan, document) }

    var end: String {
        let ordered = cases.sorted { $0.key < $1.key }.map(\.value)
        let run = CheckRun(
            command: VerifyCommand.command.name, time: plan.now, cases: ordered,
            summary: SummaryLine(VerifySummary.words, of: ordered).text,
            rules: Verification.rules, gaps: gaps, in: plan.pins.path
        )
        return String(decoding: CheckReport.write(run, as: document, version: ToolVersion.current), as: UTF8.self)
    }

    func add(gap: String) { gaps.append(gap) }

    func fragment(for verification: Verification) throws(CommandError) -> ReportFragment {
        let index = verification.check.index
        cases[index] = verification.checkCase(by: plan, after: cases[index])
        var fragment = ReportFragment(status: verification.status)
        // The metrics have no findings.
        if document == .prometheus { fragment.messages = verification.chainWarnings(plan) }
        return fragment
    }
}
