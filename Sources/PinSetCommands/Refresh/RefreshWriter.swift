internal import CommandSupport
internal import Encodings
internal import PinSetMaintenance
internal import Pinning

/// Updates the pin set file with the results of a refresh.
enum RefreshWriter {
    /// Locks the file and plans the edits again for its current contents, so that the edits of another refresh are kept.
    ///
    /// - Parameter initial: The outcome of each observation for the set as it was read.
    /// - Returns: The outcomes that were written. If an entry is no longer in the file, its outcome is left out unless it is an
    ///   error.
    static func write(
        _ observed: [RefreshObservation], _ initial: [RefreshOutcome], by plan: RefreshPlan
    ) throws(CommandError) -> [RefreshOutcome] {
        guard initial.contains(where: { !$0.refresh.edits.isEmpty }) else { return initial }
        var outcomes: [RefreshOutcome] = []
        try FileEditor.change(plan.path) { bytes throws(CommandError) in
            let document = try naming(plan) { () throws(PinSetError) in try PinSetDocument(bytes) }
            try checkAnchors(of: observed, in: document.set, by: plan)
            let current = observed.map { $0.outcome(in: document.set, by: plan) }
            let edits = current.compactMap(\.self).flatMap(\.refresh.edits)
            // Errors of a host are reported even if its entry has been removed.
            outcomes = zip(current, initial).compactMap { $0 ?? ($1.status == .success ? nil : $1) }
            guard !edits.isEmpty else { return nil }
            return try naming(plan) { () throws(PinSetError) in try document.applying(edits).bytes }
        }
        return outcomes
    }

    /// Adds the path of the pin set to the errors of `body`.
    private static func naming<Result>(
        _ plan: RefreshPlan, _ body: () throws(PinSetError) -> Result
    ) throws(CommandError) -> Result {
        do throws(PinSetError) {
            return try body()
        } catch {
            throw CommandError("\(plan.path):\(error.description)", hint: error.hint, status: .undecided)
        }
    }

    /// Fails if the file now names other anchors than those that validated the chains.
    private static func checkAnchors(
        of observed: [RefreshObservation], in set: PinSet, by plan: RefreshPlan
    ) throws(CommandError) {
        guard !plan.trust.isOfCommandLine else { return }
        let anchors = Dictionary(set.entries.map { ($0.name, $0.anchors) }) { first, _ in first }
        for entry in observed.map(\.subject.entry) {
            guard let current = anchors[entry.name], current != entry.anchors else { continue }
            throw CommandError(
                "\(plan.path.quoted) was not changed: the \"anchors\" of \(entry.host.quoted) in it changed during the run",
                hint: "run refresh again", status: .undecided)
        }
    }
}
