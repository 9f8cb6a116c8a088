internal import Arguments
internal import Pinning

/// Brings the file up to date with what was observed.
enum RefreshWriting {
    /// What is to change is worked out anew on the file as it is by now, and nobody else changes it meanwhile: what another
    /// refresh wrote since this one began is built upon, and not lost.
    ///
    /// - Parameter begun: what came of each observation by the set as it was read.
    /// - Returns: what was written. An entry that the file no longer has is left out where all was well with it.
    static func write(
        _ observed: [RefreshObservation], _ begun: [RefreshOutcome], by plan: RefreshPlan
    ) throws(CommandError) -> [RefreshOutcome] {
        guard begun.contains(where: { !$0.refresh.edits.isEmpty }) else { return begun }
        var outcomes: [RefreshOutcome] = []
        try OutputFile.change(plan.path) { bytes throws(CommandError) in
            do throws(PinSetError) {
                let document = try PinSetDocument(bytes)
                let current = observed.map { $0.outcome(in: document.set, by: plan) }
                let edits = current.compactMap(\.self).flatMap(\.refresh.edits)
                // What was wrong with a host is told although its entry is gone by now.
                outcomes = zip(current, begun).compactMap { $0 ?? ($1.status == .success ? nil : $1) }
                return edits.isEmpty ? nil : try document.applying(edits).bytes
            } catch {
                throw CommandError("\(plan.path):\(error.description)", hint: error.hint, status: .undecided)
            }
        }
        return outcomes
    }
}
