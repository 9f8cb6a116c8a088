internal import CommandSupport
internal import Encodings
internal import PinSetFormats
internal import Pinning

/// Wraps a report of any format and counts its results for the summary line.
final class VerifySummary: HostReport {
    private let plan: VerifyPlan
    private let report: any HostReport<Verification>
    private var summary = SummaryLine(words)

    static let words = SummaryLine.Words(plural: "hosts", pass: "match", passes: "matches")

    init(_ plan: VerifyPlan, _ report: any HostReport<Verification>) {
        self.plan = plan
        self.report = report
    }

    var isStreamed: Bool { report.isStreamed }
    var start: String { report.start }
    var separator: String { report.separator }
    var end: String { report.end }

    func fragment(for verification: Verification) throws(CommandError) -> ReportFragment {
        let step = !plan.hasSeveral ? VerifyHints(plan).step(after: verification) : nil
        summary.add(
            plan.name(of: verification.check), at: verification.check.index, failing: verification.failureCode,
            warnings: verification.isOnlyReported ? 1 : 0,
            next: verification.failureCode == nil
                ? nil : (verification.rank, step ?? VerifyHints(plan).generalStep(after: verification))
        )
        return try report.fragment(for: verification)
    }

    /// The last line for standard error; empty if it has no information.
    ///
    /// A success is reported only in text format; other formats contain it.
    var summaryLine: String {
        guard summary.fails || (plan.format == .text && !summary.isQuiet) else { return "" }
        return Message.closing(summary.text)
    }
}

extension Verification {
    /// Why the host makes the run fail, in one or two words; nil if it does not.
    fileprivate var failureCode: String? {
        switch verdict {
        case .mismatch where isOnlyReported, .match: platforms.contains(where: \.isFailure) ? "a platform rejects" : nil
        default: verdict.rawValue
        }
    }

    /// Importance of the next step; the lowest rank is the most important, because a mismatch may be an attack.
    fileprivate var rank: Int { Verdict.allCases.firstIndex(of: verdict) ?? 0 }
}
