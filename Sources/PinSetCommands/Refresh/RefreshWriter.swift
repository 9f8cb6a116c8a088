internal import CommandSupport
internal import Encodings
internal import PinSetMaintenance
internal import Pinning

/// Updates the pin set file with the results of a refresh.
enum RefreshWriter {
    /// Locks the file and plans the edits again for its current contents, so that the edits of another refresh are kept.
    ///
    /// - Parameters:
    ///   - initial: The outcome of each observation for the set as it was read.
    ///   - removed: Receives the name of each entry that is no longer in the file.
    /// - Returns: The outcomes that were written. If an entry is no longer in the file, its outcome is left out unless it is an
    ///   error.
    static func write(
        _ observed: [RefreshObservation], _ initial: [RefreshOutcome], by plan: RefreshPlan,
        removed: (String) -> Void
    ) throws(CommandError) -> [RefreshOutcome] {
        let hasEdits = initial.contains { !$0.refresh.edits.isEmpty }
        // Without edits, too, the result is about the entries and the anchors of the start.
        if !hasEdits, try areUnchanged(observed.map(\.subject), by: plan) { return initial }
        let earlier = try naming(plan) { () throws(PinSetError) in try PinSetDocument(plan.bytes) }
        var outcomes: [RefreshOutcome] = []
        var missing: [String] = []
        try FileEditor.change(plan.path) { bytes throws(CommandError) in
            let document = try naming(plan) { () throws(PinSetError) in try PinSetDocument(bytes) }
            try checkInputs(of: observed.map(\.subject), in: document, since: earlier, by: plan)
            // Another run with a wrong clock may have written dates during this run, and another process pins of other hosts.
            let currentPlan = plan.checking(document.set)
            let current = observed.map { $0.outcome(in: document.set, by: currentPlan) }
            let edits = current.compactMap(\.self).flatMap(\.refresh.edits)
            missing = zip(current, initial).filter { $0.0 == nil }.map(\.1.name)
            // Errors of a host are reported even if its entry has been removed.
            outcomes = zip(current, initial).compactMap { $0 ?? ($1.status == .success ? nil : $1) }
            guard !edits.isEmpty else { return nil }
            return try naming(plan) { () throws(PinSetError) in try document.applying(edits).bytes }
        }
        for name in missing { removed(name) }
        return outcomes
    }

    /// Whether the file of the set has the contents of the start, and the files of anchors the certificates of the start.
    private static func areUnchanged(
        _ subjects: [RefreshPlan.Subject], by plan: RefreshPlan
    ) throws(CommandError) -> Bool {
        guard let bytes = try? InputFile.bytes(at: plan.path), bytes == plan.bytes else { return false }
        return try plan.trust.entryWithChangedAnchors(in: subjects.map(\.entry), of: plan.pins) == nil
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

    /// Fails if the run used other inputs than the entries now have: other endpoints, other anchors, another entry for a host.
    ///
    /// The chains come from the earlier endpoints and were validated with the earlier anchors, so they say nothing about the new
    /// ones. Pins may differ: the edits are planned again for them.
    private static func checkInputs(
        of subjects: [RefreshPlan.Subject], in document: PinSetDocument, since earlier: PinSetDocument,
        by plan: RefreshPlan
    ) throws(CommandError) {
        let present = subjects.filter { document.set.indices[$0.entry.name] != nil }
        for subject in present {
            let keys = document.changedKeys(of: subject.entry.name, since: earlier).map(\.quoted)
            if !keys.isEmpty {
                throw refusal(
                    "the \(keys.joined(conjunction: "and")) of \(subject.entry.host.quoted) in it changed", plan)
            }
            for name in subject.checks.map({ plan.checks[$0].identity.text })
            where document.set.entry(for: name)?.name != subject.entry.name {
                throw refusal("the entry for \(name.quoted) in it changed", plan)
            }
        }
        if let entry = try plan.trust.entryWithChangedAnchors(in: present.map(\.entry), of: plan.pins) {
            throw refusal("the files of the \"anchors\" of \(entry.host.quoted) changed", plan)
        }
    }

    private static func refusal(_ change: String, _ plan: RefreshPlan) -> CommandError {
        CommandError(
            "\(plan.path.quoted) was not changed: \(change) during the run", hint: "run refresh again",
            status: .undecided)
    }
}
