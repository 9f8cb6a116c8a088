internal import CheckReports
internal import CommandSupport
internal import Encodings
internal import PinSetMaintenance
internal import Pinning

/// The last line of a refresh: the result and the next step.
struct RefreshSummary {
    let text: String
    /// Whether the line says more than that a single host succeeded.
    let isInformative: Bool

    init(_ outcomes: [RefreshOutcome], cases: [CheckCase], _ plan: RefreshPlan) {
        let hasChanges = outcomes.contains { $0.verdict == .changed }
        let line = SummaryLine(hasChanges ? Self.changed : Self.current, of: cases)
        let different = outcomes.filter { $0.refresh.isDifferent }
        guard plan.mode == .report, !line.fails, !different.isEmpty else {
            let reported = outcomes.filter { $0.verdict == .mismatch }
            guard line.fails || reported.isEmpty else {
                text =
                    "no pin matches for \(Self.list(reported)), which the set only reports (\"enforce\": false); nothing was"
                    + " learned from it"
                isInformative = true
                return
            }
            text = line.text
            isInformative = line.fails || (plan.format == .text && (hasChanges || !line.isQuiet))
            return
        }
        // Without --check, a difference is not a failure.
        text = "the set is out of date for \(Self.list(different)); next: \(plan.writeStep)"
        isInformative = true
    }

    private static func list(_ outcomes: [RefreshOutcome]) -> String {
        let rest = outcomes.count > maximumNames ? " and \(outcomes.count - maximumNames) more" : ""
        return outcomes.prefix(maximumNames).map(\.name).joined(separator: ", ") + rest
    }

    private static let current = SummaryLine.Words(plural: "hosts", pass: "are up to date", passes: "is up to date")
    private static let changed = SummaryLine.Words(
        plural: "hosts", pass: "are now up to date", passes: "is now up to date"
    )
    private static let maximumNames = 5
}
