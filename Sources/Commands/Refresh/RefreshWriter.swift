internal import Arguments
internal import Encodings
internal import PinSetMaintenance
internal import Pinning

/// Updates the pin set file with what was observed.
enum RefreshWriter {
    /// Plans the edits again for the current contents of the file, under a lock, so that edits of another refresh are kept.
    ///
    /// - Parameter initial: The outcome of each observation for the set as it was read.
    /// - Returns: The outcomes that were written. An entry that the file no longer has is left out unless it has an error.
    static func write(
        _ observed: [RefreshObservation], _ initial: [RefreshOutcome], by plan: RefreshPlan
    ) throws(CommandError) -> [RefreshOutcome] {
        guard initial.contains(where: { !$0.refresh.edits.isEmpty }) else { return initial }
        var outcomes: [RefreshOutcome] = []
        try OutputFile.change(plan.path) { bytes throws(CommandError) in
            do throws(PinSetError) {
                let document = try PinSetDocument(bytes)
                let current = observed.map { $0.outcome(in: document.set, by: plan) }
                let edits = current.compactMap(\.self).flatMap(\.refresh.edits)
                // Errors of a host are reported even if its entry has been removed.
                outcomes = zip(current, initial).compactMap { $0 ?? ($1.status == .success ? nil : $1) }
                return edits.isEmpty ? nil : try document.applying(edits).bytes
            } catch {
                throw CommandError("\(plan.path):\(error.description)", hint: error.hint, status: .undecided)
            }
        }
        return outcomes
    }
}
