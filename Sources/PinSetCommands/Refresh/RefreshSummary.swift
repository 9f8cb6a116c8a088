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
        let unknown = outcomes.lazy.flatMap(\.refresh.pins).count { $0.status == .unknown }
        let words = unknown == 0 ? (Self.changed, Self.current) : (Self.changedInPart, Self.currentInPart)
        let line = SummaryLine(hasChanges ? words.0 : words.1, of: cases)
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
            text =
                line.text
                + (line.fails || unknown == 0 ? "" : "; \(unknown) \(unknown == 1 ? "pin is" : "pins are") unknown")
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
    /// The words if an option leaves pins unknown: a run without it may call them gone.
    private static let currentInPart = SummaryLine.Words(
        plural: "hosts", pass: "need no change", passes: "needs no change")
    private static let changedInPart = SummaryLine.Words(
        plural: "hosts", pass: "were updated", passes: "was updated")
    private static let maximumNames = 5
}
