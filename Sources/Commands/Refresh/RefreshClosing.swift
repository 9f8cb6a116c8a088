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
            text = line.text
            isWorthTelling = line.fails || (plan.format == .text && (hasChanges || !line.isQuiet))
            return
        }
        // Nobody asked for a verdict, so that nothing fails.
        let names = different.prefix(Self.mostNames).map(\.name).joined(separator: ", ")
        let rest = different.count > Self.mostNames ? " and \(different.count - Self.mostNames) more" : ""
        text = "the set is out of date for \(names)\(rest); next: \(plan.writeStep)"
        isWorthTelling = true
    }

    private static let current = ClosingLine.Words(many: "hosts", pass: "are up to date", passes: "is up to date")
    private static let changed = ClosingLine.Words(
        many: "hosts", pass: "are up to date now", passes: "is up to date now"
    )
    private static let mostNames = 5
}
