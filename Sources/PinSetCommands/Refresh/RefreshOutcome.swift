internal import CommandSupport
internal import Encodings
internal import Fetching
internal import PinSetCodec
internal import PinSetMaintenance
internal import Pinning

/// The chains of an entry's hosts, and the outcome for the set as it was read.
struct RefreshObservation {
    let subject: RefreshPlan.Subject
    /// The addresses that were contacted.
    let addresses: [AddressHandshake]
    /// The addresses to which this machine has no route.
    let skipped: [AddressHandshake]
    /// Why the hosts may have addresses that name resolution did not return; nil if nothing indicates it.
    private(set) var lookUpGap: RefreshGap?
    private(set) var outcome: RefreshOutcome

    /// - Parameter results: The results of the entry's hosts.
    init(_ subject: RefreshPlan.Subject, of results: [FetchResult], by plan: RefreshPlan) {
        self.subject = subject
        let observed = results.map(AddressHandshake.all)
        addresses = observed.flatMap(\.contacted)
        skipped = observed.flatMap(\.skipped)
        outcome = RefreshOutcome(
            subject.entry, at: subject.index, subject, addresses, skipped: skipped, lookUpGap, by: plan)
    }

    /// Adds the reason why the hosts may have addresses that name resolution did not return.
    mutating func add(_ lookUpGap: RefreshGap, by plan: RefreshPlan) {
        self.lookUpGap = lookUpGap
        outcome = RefreshOutcome(
            subject.entry, at: subject.index, subject, addresses, skipped: skipped, lookUpGap, by: plan)
    }

    /// The outcome of the same observation for another version of the set; nil if that version has no such entry.
    func outcome(in set: PinSet, by plan: RefreshPlan) -> RefreshOutcome? {
        guard let index = set.indices[subject.entry.name] else { return nil }
        return RefreshOutcome(
            set.entries[index], at: index, subject, addresses, skipped: skipped, lookUpGap, by: plan)
    }
}

/// The outcome of a refresh for one entry.
struct RefreshOutcome {
    let name: String
    let refresh: EntryRefresh
    /// The contacted addresses, in the order of the observations of ``refresh``.
    let addresses: [AddressHandshake]
    /// The other chains, one for each of the other observations of ``refresh``.
    let otherChains: [OtherKeyTypes.Chain]
    /// The forecast for the set as it is when the run ends.
    let forecast: RotationForecast?
    /// The forecasts of the platforms that accept the chains of the host.
    let platforms: [PlatformForecast]
    /// Why a pin that was not seen may be in use at an address that was not contacted; nil if all addresses were contacted.
    let gap: RefreshGap?
    let mode: RefreshPlan.Mode
    let findings: [RefreshFinding]
    private let now: Timestamp

    init(
        _ entry: PinSet.Entry, at index: Int, _ subject: RefreshPlan.Subject, _ addresses: [AddressHandshake],
        skipped: [AddressHandshake], _ lookUpGap: RefreshGap?, by plan: RefreshPlan
    ) {
        let others = OtherKeyTypes(addresses)
        name = plan.name(of: subject)
        self.addresses = addresses
        mode = plan.mode
        now = plan.rules.now
        otherChains = others.chains
        gap = plan.gap(in: subject, skipped: skipped) ?? plan.selectionGap ?? lookUpGap ?? others.gap
        let refresh = EntryRefresh(
            entry, at: index, chains: addresses.map(\.chain),
            otherChains: others.chains.map { ($0.chain, isAccepted: plan.accepts(addresses[$0.address].target)) },
            coversAllAddresses: gap == nil, by: plan.rules
        ) { index in
            plan.accepts(addresses[index].target)
        }
        self.refresh = refresh
        let kept = plan.mode == .write ? refresh.changed : entry
        let predicted = plan.mode == .write ? kept : refresh.noted
        let forecast = RotationForecast(of: predicted, chains: refresh.chains)
        self.forecast = forecast
        platforms = Self.platforms(of: predicted, refresh.chains, comparedWith: forecast, by: plan)
        findings =
            RefreshFindings(
                refresh, addresses, others.chains, skipped: skipped, kept: kept, gap: gap,
                platforms: plan.platforms.areKnown ? platforms : [], by: plan
            ).all
    }

    private static func platforms(
        of entry: PinSet.Entry, _ chains: [CertificateChain], comparedWith own: RotationForecast?, by plan: RefreshPlan
    ) -> [PlatformForecast] {
        guard let own else { return [] }
        let links = chains.map { PlatformConnection(host: entry.name, chain: $0, at: plan.rules.now).chain }
        return plan.platforms.configurations(for: entry, in: plan.pins.set).compactMap { configuration in
            PlatformForecast(on: configuration, of: entry, comparedWith: own, chains: links, at: plan.rules.now)
        }
    }

    /// The verdict in one word; part of the JSON interface.
    enum Verdict: String, CaseIterable {
        case mismatch, untrusted, unreachable, expired
        /// The set is out of date.
        case different
        /// The set was out of date and has been updated.
        case changed
        case current
    }

    var verdict: Verdict {
        let verdicts = refresh.observations.map(\.verdict)
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
