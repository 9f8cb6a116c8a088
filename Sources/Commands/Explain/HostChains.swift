internal import CommandSupport
internal import ConnectionFailures
internal import Fetching
internal import Pinning

/// The chains that the addresses of a host serve, compared with a failure.
///
/// An address can have a chain for each type of key. The program sees one of them, which can be another one than the first that pinctl
/// receives.
struct HostChains {
    /// Draws the conclusion from one chain.
    typealias Rule = (HostEvidence.Live) -> Conclusion.Draw

    /// The chain that the conclusion is about; nil if the host did not answer.
    let chain: CertificateChain?
    let conclusion: Conclusion
    /// Whether the addresses of the host serve different chains.
    let differByAddress: Bool
    /// Whether the conclusion depends on a chain for another type of key than that of the first one.
    let includeOtherKeyTypes: Bool

    /// - Parameters:
    ///   - result: nil if pinctl did not connect.
    ///   - seen: the keys that the program saw, leaf first.
    ///   - pinned: the pins of the program.
    init(_ result: FetchResult?, seen: [Pin], pinned: Set<Pin>, rule: Rule) {
        var draws: [Conclusion.Draw] = []
        var hasOtherTypes = false
        for address in result.map({ AddressHandshake.all(of: $0).contacted }) ?? [] {
            guard let chain = address.chain else { continue }
            let comparison = Self.comparison(
                of: chain, address.otherChains, seen: seen, pinned: pinned, rule: rule)
            hasOtherTypes = hasOtherTypes || comparison.isAboutOthers
            let known = draws.firstIndex { $0.live.chain?.hasSamePath(as: comparison.draw.live.chain) ?? false }
            if let known {
                // The search for another chain can fail at one of the addresses only.
                if comparison.draw.conclusion.verdict == .undecided { draws[known] = comparison.draw }
            } else {
                draws.append(comparison.draw)
            }
        }
        let first: Conclusion.Draw =
            if let first = draws.first {
                first
            } else if case .failure(let error)? = result?.outcome {
                rule(.unreachable(error.message))
            } else {
                rule(.notAsked)
            }
        let agreed = Conclusion.agreed(first, Array(draws.dropFirst()))
        (chain, conclusion) = (agreed.live.chain, agreed.conclusion)
        (differByAddress, includeOtherKeyTypes) = (draws.count > 1, hasOtherTypes)
    }

    /// The conclusion from the chains of one address.
    private static func comparison(
        of chain: CertificateChain, _ others: OtherChains?, seen: [Pin], pinned: Set<Pin>, rule: Rule
    ) -> (draw: Conclusion.Draw, isAboutOthers: Bool) {
        let first = rule(.chain(chain))
        let chains = others?.results.map(\.chain) ?? []
        if let leaf = seen.first, leaf != chain.pins.first?.pin,
            let own = chains.first(where: { $0.pins.first?.pin == leaf })
        {
            return (onOther(own, rule), true)
        }
        switch first.conclusion.verdict {
        case .interception:
            if let related = chains.first(where: { $0.hasKey(of: seen) }) {
                let draw = onOther(related, rule)
                // The program did not see the leaf of this chain, and accepts the first one.
                guard draw.conclusion.verdict == .rotation, chain.hasKey(of: pinned) else {
                    return (draw, true)
                }
                let clause = "; but the first chain of the host has a pinned key"
                return ((draw.live, draw.conclusion.undecided(clause, next: .fetch)), true)
            }
            guard let failure = others?.failure else { return (first, false) }
            let clause = "; but the host may have another chain for other types of keys: \(failure.message)"
            return ((first.live, first.conclusion.undecided(clause, next: .fetch)), true)
        case .rotation where seen.first != chain.pins.first?.pin:
            guard chains.contains(where: { $0.hasKey(of: pinned) }) else {
                return (first, false)
            }
            let clause = "; but the host has a chain with a pinned key for clients that accept another type of key"
            return ((first.live, first.conclusion.undecided(clause, next: .fetch)), true)
        default: return (first, false)
        }
    }

    private static func onOther(_ chain: CertificateChain, _ rule: Rule) -> Conclusion.Draw {
        let draw = rule(.chain(chain))
        return (
            draw.live,
            draw.conclusion.adding("; this is the chain of the host for clients that select another type of key")
        )
    }
}

extension CertificateChain {
    /// Whether the path contains one of these keys.
    fileprivate func hasKey(of keys: some Sequence<Pin>) -> Bool { !Set(pins.map(\.pin)).isDisjoint(with: keys) }

    fileprivate func hasSamePath(as other: CertificateChain?) -> Bool {
        entries.map(\.certificate) == other?.entries.map(\.certificate)
    }
}
