internal import Fetching
internal import Pinning

/// What the hosts of an entry served, and what follows for the set as it was read.
struct RefreshObservation {
    let subject: RefreshPlan.Subject
    let addresses: [RefreshOutcome.Address]
    let outcome: RefreshOutcome

    /// - Parameter results: those of the entry's hosts.
    init(_ subject: RefreshPlan.Subject, of results: [FetchResult], by plan: RefreshPlan) {
        self.subject = subject
        addresses = results.flatMap(RefreshOutcome.Address.all)
        outcome = RefreshOutcome(subject.entry, at: subject.index, subject, addresses, by: plan)
    }

    /// What follows for the set as it is now.
    func outcome(in set: PinSet, by plan: RefreshPlan) -> RefreshOutcome? {
        guard let index = set.entries.firstIndex(where: { $0.name == subject.entry.name }) else { return nil }
        return RefreshOutcome(set.entries[index], at: index, subject, addresses, by: plan)
    }
}

/// What a refresh has to say of an entry.
struct RefreshOutcome {
    /// What one address of one host answered.
    struct Address {
        let target: Target
        /// Nil where the name could not be looked up.
        let endpoint: Endpoint?
        let result: Result<HandshakeResult, FetchError>

        var chain: Chain? { try? result.get().chain }
        var name: String { endpoint?.description ?? target.description }

        /// The addresses of a host. One to which this machine has no way is left out where another answered: most networks
        /// still lack one of the two families.
        static func all(of result: FetchResult) -> [Address] {
            let addresses = result.addresses.map {
                Address(target: result.target, endpoint: $0.endpoint, result: $0.outcome)
            }
            let routable = addresses.filter { address in
                if case .failure(let error) = address.result { !error.isUnroutable } else { true }
            }
            guard routable.isEmpty else { return routable }
            guard addresses.isEmpty else { return addresses }
            return [Address(target: result.target, endpoint: nil, result: result.outcome)]
        }
    }

    let name: String
    let refresh: EntryRefresh
    /// One for each answer of the refresh.
    let addresses: [Address]
    /// Of the set as it is when the run ends.
    let survival: Survival?
    let mode: RefreshPlan.Mode
    let findings: [CheckFinding]
    private let now: Timestamp

    init(
        _ entry: PinSet.Entry, at index: Int, _ subject: RefreshPlan.Subject, _ addresses: [Address],
        by plan: RefreshPlan
    ) {
        name = plan.name(of: subject)
        self.addresses = addresses
        (mode, now) = (plan.mode, plan.rules.now)
        let refresh = EntryRefresh(entry, at: index, chains: addresses.map(\.chain), by: plan.rules) { place in
            plan.accepts(addresses[place].target)
        }
        self.refresh = refresh
        let kept = plan.mode == .write ? refresh.changed : entry
        survival = Survival(of: plan.mode == .write ? kept : refresh.noted, chains: refresh.chains)
        findings = RefreshFindings(refresh, addresses, kept: kept, by: plan).all
    }

    /// One word for it all; part of the JSON interface.
    enum Verdict: String, CaseIterable {
        case mismatch, untrusted, unreachable, expired
        /// The set should say something else.
        case different
        /// It did, and now says so.
        case changed
        case current
    }

    var verdict: Verdict {
        let verdicts = refresh.answers.map(\.verdict)
        if verdicts.contains(.mismatch) { return .mismatch }
        if verdicts.contains(.untrusted) { return .untrusted }
        if verdicts.contains(.unreachable) { return .unreachable }
        if refresh.entry.isExpired(at: now) { return .expired }
        guard refresh.isDifferent else { return .current }
        return mode == .write ? .changed : .different
    }

    var status: ExitStatus {
        let errors = findings.filter { $0.severity == .error }
        return errors.contains { !$0.isInconclusive } ? .failure : errors.isEmpty ? .success : .undecided
    }
}
