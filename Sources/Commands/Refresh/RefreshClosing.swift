internal import Arguments
internal import Pinning

/// The last line of a refresh: what it all comes to, and what to do next.
struct RefreshClosing {
    let text: String
    /// Whether it says more than that all is well with one host.
    let isWorthTelling: Bool

    init(_ outcomes: [RefreshOutcome], cases: [CheckCase], _ plan: RefreshPlan) {
        let hasChanges = outcomes.contains { $0.verdict == .changed }
        let line = ClosingLine(hasChanges ? Self.changed : Self.current, of: cases)
        let different = outcomes.filter { $0.refresh.isDifferent }
        guard plan.mode == .report, !line.fails, !different.isEmpty else {
            let reported = outcomes.filter { $0.verdict == .mismatch }
            guard line.fails || reported.isEmpty else {
                text =
                    "no pin matches for \(Self.list(reported)), which the set only reports (\"enforce\": false); nothing was"
                    + " learnt of it"
                isWorthTelling = true
                return
            }
            text = line.text
            isWorthTelling = line.fails || (plan.format == .text && (hasChanges || !line.isQuiet))
            return
        }
        // Nobody asked for a verdict, so that nothing fails.
        text = "the set is out of date for \(Self.list(different)); next: \(plan.writeStep)"
        isWorthTelling = true
    }

    private static func list(_ outcomes: [RefreshOutcome]) -> String {
        let rest = outcomes.count > mostNames ? " and \(outcomes.count - mostNames) more" : ""
        return outcomes.prefix(mostNames).map(\.name).joined(separator: ", ") + rest
    }

    private static let current = ClosingLine.Words(many: "hosts", pass: "are up to date", passes: "is up to date")
    private static let changed = ClosingLine.Words(
        many: "hosts", pass: "are up to date now", passes: "is up to date now"
    )
    private static let mostNames = 5
}
