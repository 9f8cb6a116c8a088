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
    private(set) var addresses: [AddressHandshake]
    /// The addresses to which this machine has no route.
    let skipped: [AddressHandshake]
    /// Chains that the addresses send to other clients, if they were requested before a pin is called gone.
    private(set) var otherClientChains: [OtherChain] = []
    /// Why the hosts may have addresses or chains that are not known; nil if nothing indicates it.
    private(set) var gap: RefreshGap?
    /// Whether refresh has made every check that is necessary before it calls a pin gone.
    private var isChecked = false
    private(set) var outcome: RefreshOutcome

    /// - Parameter results: The results of the entry's hosts.
    init(_ subject: RefreshPlan.Subject, of results: [FetchResult], by plan: RefreshPlan) {
        self.subject = subject
        let observed = results.map(AddressHandshake.all)
        addresses = observed.flatMap(\.contacted)
        skipped = observed.flatMap(\.skipped)
        outcome = RefreshOutcome(
            subject.entry, at: subject.index, subject, addresses, [], skipped: skipped, nil, by: plan)
    }

    /// Adds the reason why the hosts may have addresses or chains that are not known.
    mutating func add(_ gap: RefreshGap, by plan: RefreshPlan) {
        self.gap = self.gap ?? gap
        updateOutcome(by: plan)
    }

    /// Whether the chains for other clients decide about a change: a pin that is gone, or a backup that no server may use.
    var needsOtherClients: Bool { outcome.refresh.needsEveryChain || outcome.refresh.addsBackup }

    /// Searches all valid paths of the chains. A pin in one of them is in use.
    mutating func findPaths(by completion: PathCompletion, _ plan: RefreshPlan) {
        for index in addresses.indices {
            let target = addresses[index].target
            addresses[index].mapChains { completion.completed($0, of: target) }
        }
        gap = gap ?? addresses.lazy.compactMap { Self.pathGap(of: $0, plan) }.first
        updateOutcome(by: plan)
    }

    private static func pathGap(of address: AddressHandshake, _ plan: RefreshPlan) -> RefreshGap? {
        let chains = [address.chain].compactMap(\.self) + (address.otherChains?.results.map(\.chain) ?? [])
        return chains.lazy.compactMap { pathGap(of: $0, at: address.name, plan) }.first
    }

    private static func pathGap(of chain: CertificateChain, at name: String, _ plan: RefreshPlan) -> RefreshGap? {
        chain.mayHaveOtherPaths
            ? .manyPaths(name) : chain.crossCertificate(at: plan.rules.now).map { .otherPath(name, by: $0) }
    }

    /// Adds the chains for other clients. This is the last of the checks before a pin is called gone.
    mutating func add(_ search: OtherClientSearch, by plan: RefreshPlan) {
        isChecked = true
        for (index, address) in addresses.enumerated() {
            guard let findings = search.findings(of: address) else { continue }
            for (chain, client) in findings.newChains(of: address) {
                let other = OtherChain(
                    address: index, chain: chain, client: client, isUnfinished: findings.includesUnfinished)
                otherClientChains.append(other)
                gap = gap ?? other.gap(at: address.name)
                gap = gap ?? Self.pathGap(of: chain, at: address.name, plan)
            }
            gap = gap ?? findings.failure.map { RefreshGap($0, at: address.name) }
            if findings.includesUnfinished { gap = gap ?? .unfinished(address.name) }
        }
        updateOutcome(by: plan)
    }

    private mutating func updateOutcome(by plan: RefreshPlan) {
        outcome = RefreshOutcome(
            subject.entry, at: subject.index, subject, addresses, otherClientChains, skipped: skipped, gap, by: plan)
    }

    /// The outcome of the same observation for another version of the set; nil if that version has no such entry.
    func outcome(in set: PinSet, by plan: RefreshPlan) -> RefreshOutcome? {
        guard let index = set.indices[subject.entry.name] else { return nil }
        func outcome(_ gap: RefreshGap?) -> RefreshOutcome {
            RefreshOutcome(
                set.entries[index], at: index, subject, addresses, otherClientChains, skipped: skipped, gap, by: plan)
        }
        let first = outcome(gap)
        guard first.refresh.needsEveryChain, !isChecked || hasNewerPin(first.refresh) else { return first }
        // Only the other version has a pin to retire or to activate, so the checks were not made, or another process can have seen the pin
        // after this run asked the host.
        return outcome(
            RefreshGap(reason: "the set changed during the run", hint: "run refresh again", hidden: .nothing))
    }

    /// Whether a pin that would be gone or activated was added or reinstated after this run read the set.
    private func hasNewerPin(_ refresh: EntryRefresh) -> Bool {
        refresh.pins.contains { pin in
            switch pin.status {
            case .gone, .retires, .backupPromoted:
                !subject.entry.pins.contains {
                    ($0.pin, $0.role) == (pin.key.pin, pin.key.role) && $0.state == pin.key.state
                        && ($0.goneSince == nil || pin.key.goneSince != nil)
                }
            default: false
            }
        }
    }
}

/// The outcome of a refresh for one entry.
struct RefreshOutcome {
    let name: String
    let refresh: EntryRefresh
    /// The contacted addresses, in the order of the observations of ``refresh``.
    let addresses: [AddressHandshake]
    /// Number of addresses, without the error about those beyond the limit.
    var addressCount: Int {
        addresses.count {
            if case .failure(let error) = $0.result { error.code != .tooManyAddresses } else { true }
        }
    }
    /// The other chains, one for each of the other observations of ``refresh``.
    let otherChains: [OtherChain]
    /// The forecast for the set as it is when the run ends.
    let forecast: RotationForecast?
    /// The forecasts of the platforms that accept the chains of the host.
    let platforms: [PlatformForecast]
    /// Why a pin that was not seen may be in use at another address or in another chain; nil if nothing indicates it.
    let gap: RefreshGap?
    let mode: RefreshPlan.Mode
    let findings: [RefreshFinding]
    private let now: Timestamp

    init(
        _ entry: PinSet.Entry, at index: Int, _ subject: RefreshPlan.Subject, _ addresses: [AddressHandshake],
        _ otherClientChains: [OtherChain], skipped: [AddressHandshake], _ foundGap: RefreshGap?, by plan: RefreshPlan
    ) {
        let others = OtherKeyTypes(addresses)
        name = plan.name(of: subject)
        self.addresses = addresses
        mode = plan.mode
        now = plan.rules.now
        let otherChains = others.chains + otherClientChains
        self.otherChains = otherChains
        let knownGap =
            plan.gap(of: entry, in: subject, skipped: skipped) ?? plan.selectionGap(of: entry) ?? foundGap ?? others.gap
            ?? plan.clockGap
        let refresh = EntryRefresh(
            entry, at: index, chains: addresses.map(\.chain),
            otherChains: otherChains.map {
                ($0.address, $0.chain, isAccepted: plan.accepts(addresses[$0.address].target))
            },
            unauthenticated: Set(addresses.indices.filter { addresses[$0].isUnfinished }),
            unauthenticatedOthers: Set(otherChains.indices.filter { otherChains[$0].isUnfinished }),
            coversAllAddresses: knownGap == nil, by: plan.rules
        ) { index in
            plan.accepts(addresses[index].target)
        }
        self.refresh = refresh
        let mismatch = zip(refresh.otherObservations, otherChains).first { $0.0.verdict == .mismatch }?.1
        gap = knownGap ?? mismatch.map { $0.mismatchGap(at: addresses[$0.address].name) }
        let kept = plan.mode == .write ? refresh.changed : entry
        let predicted = plan.mode == .write ? kept : refresh.noted
        let forecast = RotationForecast(of: predicted, chains: refresh.forecastChains, at: plan.rules.now)
        self.forecast = forecast
        platforms = Self.platforms(of: predicted, refresh.forecastChains, comparedWith: forecast, by: plan)
        findings =
            RefreshFindings(
                refresh, addresses, otherChains, skipped: skipped, kept: kept, gap: gap,
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
        if verdicts.contains(.mismatch) || isMismatchForOthers { return .mismatch }
        if verdicts.contains(.untrusted) || isUntrustedForOthers { return .untrusted }
        if verdicts.contains(.unreachable) { return .unreachable }
        if refresh.entry.isExpired(at: now) { return .expired }
        // The keys of a chain that nothing authenticated are not written.
        guard refresh.unlearned.isEmpty else { return .different }
        guard refresh.isDifferent else { return .current }
        return mode == .write ? .changed : .different
    }

    /// Whether a chain for other clients is valid and contains no pin of the set.
    private var isMismatchForOthers: Bool { refresh.otherObservations.contains { $0.verdict == .mismatch } }

    /// Whether only chains for other clients contain no pin of the set.
    var isMismatchOnlyForOthers: Bool {
        isMismatchForOthers && !refresh.observations.contains { $0.verdict == .mismatch }
    }

    /// Whether a chain for other clients is not trusted.
    private var isUntrustedForOthers: Bool { refresh.otherObservations.contains { $0.verdict == .untrusted } }

    /// Whether only chains for other clients are not trusted.
    var isUntrustedOnlyForOthers: Bool {
        isUntrustedForOthers && !refresh.observations.contains { $0.verdict == .untrusted }
    }

    var status: ExitStatus {
        let errors = findings.filter { $0.severity == .error }
        return errors.contains { !$0.isInconclusive } ? .failure : errors.isEmpty ? .success : .undecided
    }
}
