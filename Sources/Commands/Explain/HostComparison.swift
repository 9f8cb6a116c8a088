internal import CommandSupport
internal import ConnectionFailures
internal import Fetching
internal import Pinning

/// The chains of a host, compared with a failure.
///
/// An address can have a chain for each kind of client. The program sees one of them, which can be another one than the first that
/// pinctl receives.
struct HostComparison {
    typealias ServedChain = HostResults.ServedChain
    /// Draws the conclusion from one chain, with the knowledge whether another chain of the host has a pinned key.
    typealias HostRule = (HostEvidence.Live, _ hasPinnedKeyElsewhere: Bool) -> Conclusion.Draw
    /// Draws the conclusion from one chain.
    typealias Rule = (HostEvidence.Live) -> Conclusion.Draw

    /// The keys of a failure.
    struct Keys {
        let failure: ConnectionFailure
        /// The pins of the program.
        let pinned: Set<Pin>
        /// Whether the program's platform rejects a trusted chain by its own rules.
        private let isRefused: (CertificateChain) -> Bool

        init(of failure: ConnectionFailure, pinned: Set<Pin>, isRefused: @escaping (CertificateChain) -> Bool) {
            (self.failure, self.pinned, self.isRefused) = (failure, pinned, isRefused)
        }

        /// The keys that the program saw, leaf first.
        var seen: [Pin] { failure.seenPins }

        /// The first pinned key of a chain that the program accepts; nil if it rejects the chain.
        func pinnedKey(of chain: CertificateChain) -> Pin? {
            guard chain.isTrusted, !isRefused(chain) else { return nil }
            return chain.pins.prefix(failure.comparesOnlyServerKey ? 1 : chain.pins.count).map(\.pin).first(
                where: pinned.contains)
        }

        /// The first pinned key in another valid path of a chain than the one here.
        func pinnedKeyOfOtherPath(of chain: CertificateChain) -> Pin? {
            guard chain.isTrusted, !failure.comparesOnlyServerKey else { return nil }
            return chain.validPaths?.paths.joined().lazy.map(\.certificate.pin).first(where: pinned.contains)
        }
    }

    /// The chain that the conclusion is about; nil if the host did not answer.
    let subject: ServedChain?
    let conclusion: Conclusion
    /// The other chains of the host.
    let others: [ServedChain]
    /// Whether the addresses of the host send different chains.
    let differByAddress: Bool
    /// The chain for other clients on which the conclusion depends; nil if it depends on chains for usual clients only.
    let decisive: ServedChain?

    var chain: CertificateChain? { subject?.chain }

    /// - Parameter host: Nil if pinctl did not connect.
    init(_ host: HostResults?, _ keys: Keys, rule hostRule: HostRule) {
        var draws: [Conclusion.Draw] = []
        let served = Self.distinctChains(of: host?.addresses ?? [])
        let holder = served.first { keys.pinnedKey(of: $0.chain) != nil }
        func rule(_ live: HostEvidence.Live) -> Conclusion.Draw {
            hostRule(live, holder.map { !$0.hasSamePath(as: live.chain) } ?? false)
        }
        for address in host?.addresses ?? [] {
            guard let draw = Self.draw(from: address.chains, keys, rule) else { continue }
            if !draws.contains(where: {
                $0.live.chain.map(ServedChain.usual)?.hasSamePath(as: draw.live.chain) ?? false
            }) {
                draws.append(draw)
            }
        }
        let addressesDiffer = draws.count > 1
        let all = draws
        draws = Self.explaining(draws, keys, holder)
        let first: Conclusion.Draw =
            if let first = draws.first {
                first
            } else if case .failure(let error)? = host?.result.outcome {
                rule(.unreachable(error.message))
            } else {
                rule(.notAsked)
            }
        let agreed = Conclusion.agreed(first, Array(draws.dropFirst()))
        let subject = served.first { $0.hasSamePath(as: agreed.live.chain) }
        var conclusion = agreed.conclusion
        var decisive = subject
        if let subject, [.rotation, .interception, .undecided].contains(conclusion.verdict),
            keys.pinnedKey(of: subject.chain) == nil,
            let holder, let pin = keys.pinnedKey(of: holder.chain)
        {
            let clause =
                conclusion.verdict == .rotation
                ? Self.clause(about: holder, with: pin, besides: subject, all, keys)
                : Self.clause(about: holder, with: pin, besides: subject)
            conclusion = conclusion.withPinnedKeyElsewhere(
                clause, sawThisChain: keys.seen.first == subject.chain.pins.first?.pin)
            if case .usual = subject.clients { decisive = holder }
        }
        if conclusion.verdict == .rotation, keys.seen.first.map({ $0 != subject?.chain.pins.first?.pin }) ?? true,
            let clause = served.lazy.compactMap({ other -> String? in
                guard !other.hasSamePath(as: subject?.chain) else { return nil }
                return keys.pinnedKeyOfOtherPath(of: other.chain).map { pin in
                    "; but some clients build another valid path of \(other.title), with the pinned key \(pin.base64)"
                }
            }).first
        {
            conclusion = conclusion.undecided(clause, next: .fetchPaths)
        }
        (self.subject, self.conclusion) = (subject, conclusion)
        others = served.filter { !$0.hasSamePath(as: subject?.chain) }
        differByAddress = addressesDiffer
        self.decisive = if case .usual? = decisive?.clients { nil } else { decisive }
    }

    /// The chains of all addresses without repetitions. A chain that usual clients receive from an address counts as theirs.
    private static func distinctChains(of addresses: [HostResults.Address]) -> [ServedChain] {
        var distinct: [ServedChain] = []
        for served in addresses.flatMap({ $0.chains.prefix(1) }) + addresses.flatMap({ $0.chains.dropFirst() })
        where !distinct.contains(where: { $0.hasSamePath(as: served.chain) }) {
            distinct.append(served)
        }
        return distinct
    }

    /// The conclusion from the chains of one address: from the one that the program saw, otherwise from the first one.
    ///
    /// - Returns: Nil without chains.
    private static func draw(from chains: [ServedChain], _ keys: Keys, _ rule: Rule) -> Conclusion.Draw? {
        guard let first = chains.first else { return nil }
        let draw = rule(.chain(first.chain))
        let others = chains.dropFirst()
        guard let own = Self.chainOfProgram(others, first, draw.conclusion.verdict, keys, rule) else { return draw }
        let other = rule(.chain(own.chain))
        // The first chain can be an interceptor's, who passes other clients on.
        if !first.chain.isTrusted, [.rotation, .interception].contains(other.conclusion.verdict) { return draw }
        return (other.live, other.conclusion.adding("; this is \(own.title)"))
    }

    /// The chain for other clients that the program saw, or that explains the failure; nil if the first chain decides.
    private static func chainOfProgram(
        _ others: ArraySlice<ServedChain>, _ first: ServedChain, _ verdict: Conclusion.Verdict, _ keys: Keys,
        _ rule: Rule
    ) -> ServedChain? {
        if let leaf = keys.seen.first {
            guard leaf != first.chain.pins.first?.pin else { return nil }
            if let own = others.first(where: { $0.chain.pins.first?.pin == leaf }) { return own }
            if !first.hasKey(of: keys.seen), let related = others.first(where: { $0.hasKey(of: keys.seen) }) {
                return related
            }
        }
        func chain(with isWanted: (Conclusion.Verdict) -> Bool, isTrusted: Bool) -> ServedChain? {
            others.first {
                $0.chain.isTrusted == isTrusted && (isTrusted || keys.failure.isExplained(by: $0.chain))
                    && isWanted(rule(.chain($0.chain)).conclusion.verdict)
            }
        }
        return switch verdict {
        // Without keys in the log, the names in it decide.
        case .interception where keys.seen.isEmpty: chain(with: { $0 != .interception }, isTrusted: true)
        // A pin can be wrong for one of the chains only.
        case .rotation: chain(with: { $0 == .wrongSet }, isTrusted: true)
        case .undecided where first.chain.isTrusted, .expiredCertificate where first.chain.isTrusted:
            chain(with: { $0 == .expiredCertificate || $0 == .serverError }, isTrusted: false)
        default: nil
        }
    }
}

extension HostResults.ServedChain {
    fileprivate static func usual(_ chain: CertificateChain) -> Self { Self(chain: chain, clients: .usual) }
}
