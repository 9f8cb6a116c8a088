internal import CheckReports
internal import CommandSupport
internal import Encodings
internal import Fetching
internal import PinSetCodec
internal import Pinning

/// A report that forwards to a report of any format. It groups the results of a host's addresses and counts the hosts for the
/// summary line.
final class VerifySummary: HostReport {
    private let plan: VerifyPlan
    private let report: any HostReport<Verification>
    /// The HTML page, which receives the results of each host; nil without `--html`.
    private let page: VerifyPage?
    private var summary = SummaryLine(words)
    /// The results so far for the addresses of the host that is being reported.
    private var results: [Verification] = []
    private var gaps: [String] = []

    static let words = SummaryLine.Words(plural: "hosts", pass: "match", passes: "matches")

    init(_ plan: VerifyPlan, _ report: any HostReport<Verification>, _ page: VerifyPage?) {
        self.plan = plan
        self.page = page
        self.report = report
    }

    var isStreamed: Bool { report.isStreamed }
    var start: String { report.start }
    var separator: String { report.separator }
    var end: String { report.end }

    func fragment(for verification: Verification) throws(CommandError) -> ReportFragment {
        results.append(verification)
        let isLast = verification.isLastPart
        // JSON has one object for each address.
        guard plan.format.document == nil, plan.format != .text else {
            guard isLast else { return ReportFragment(status: verification.status) }
            return try fragment(forGroups: endHost())
        }
        if isLast { _ = endHost() }
        return try report.fragment(for: verification)
    }

    func add(gap: String) {
        gaps.append(gap)
        report.add(gap: gap)
        page?.add(gap: gap)
    }

    /// Counts the host.
    ///
    /// - Returns: The results of the host, grouped.
    private func endHost() -> [Verification] {
        let groups = Verification.grouped(results)
        results = []
        let failing = groups.filter { $0.failureCode != nil }.min { $0.rank < $1.rank }
        guard let shown = failing ?? groups.first else { return [] }
        let step = plan.hasSeveral || shown.failsOnPlatform ? nil : VerifyHints(plan).step(after: shown)
        summary.add(
            failing == nil ? plan.name(of: shown.check) : plan.name(of: shown), at: shown.check.index,
            failing: shown.failureCode, warnings: groups.reduce(0) { $0 + $1.warningCount(by: plan) },
            next: failing.map { ($0.rank, step ?? VerifyHints(plan).generalStep(after: $0)) },
            isOnlyReported: groups.contains(where: \.isOnlyReported)
        )
        page?.add(groups, failing: failing)
        return groups
    }

    private func fragment(forGroups groups: [Verification]) throws(CommandError) -> ReportFragment {
        var whole = ReportFragment()
        for group in groups {
            let fragment = try report.fragment(for: group)
            if !whole.output.isEmpty, !fragment.output.isEmpty, !(whole.isLine && fragment.isLine) {
                whole.output += Array(report.separator.utf8)
            }
            whole.isLine = whole.output.isEmpty ? fragment.isLine : whole.isLine && fragment.isLine
            whole.output += fragment.output
            whole.messages += fragment.messages
            whole.status = whole.status.combined(with: fragment.status)
        }
        return whole
    }

    /// The summary as a sentence.
    var summaryText: String { summary.text }

    /// The last line for standard error; empty if it has no information.
    ///
    /// A success is reported only in text format; other formats contain it.
    var summaryLine: String {
        guard summary.fails || (plan.format == .text && !(summary.isQuiet && gaps.isEmpty)) else { return "" }
        return Message.closing(CheckRun.summary(summary.text, gaps: gaps))
    }
}

extension Verification {
    /// Why the host makes the run fail, in one or two words; nil if it does not.
    var failureCode: String? {
        switch verdict {
        case .mismatch where isOnlyReported, .match: platforms.contains(where: \.isFailure) ? "a platform rejects" : nil
        default: verdict.rawValue
        }
    }

    /// Whether the host makes the run fail only because a platform would reject its chain.
    var failsOnPlatform: Bool { failureCode != nil && (verdict == .match || isOnlyReported) }

    fileprivate func warningCount(by plan: VerifyPlan) -> Int {
        (isOnlyReported ? 1 : 0) + (chain.flatMap { plan.expiryWarning(on: $0) } == nil ? 0 : 1)
    }

    /// Rank of the next step. Only the step with the lowest rank is shown; a mismatch has the lowest, because it may be an attack.
    fileprivate var rank: Int { Verdict.allCases.firstIndex(of: verdict) ?? 0 }
}
