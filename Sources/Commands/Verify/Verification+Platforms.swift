internal import Pinning

extension Verification {
    /// What the platforms that were asked for would make of this host; none where there is no chain to show them.
    static func platforms(
        _ platforms: [Platform], on check: Check, _ chain: Chain, set: PinSet, at now: Timestamp
    ) -> [PlatformVerdict] {
        guard !platforms.isEmpty else { return [] }
        let connection = PlatformConnection(host: check.identity.text, chain: chain, set: set, at: now)
        return platforms.map { $0.verdict(on: connection) }
    }

    /// pinctl's own verdict in the words for platforms; nil where it gave none.
    ///
    /// An entry that has expired pins nothing: apps would accept any trusted chain.
    var asPlatform: PlatformVerdict.Verdict? {
        switch verdict {
        case .match: .accepts
        case .mismatch: isOnlyReported ? .accepts : .rejects
        case .untrusted: .rejects
        case .expired: .notPinned
        case .noPins, .unreachable: nil
        }
    }

    /// The platforms that would do something else than pinctl's own verdict says.
    var dissenters: [PlatformVerdict] { platforms.filter { $0.verdict != asPlatform } }
}

extension PlatformVerdict {
    /// Whether the connection would come to nothing.
    var isFailure: Bool { verdict == .rejects || verdict == .refusesConfig }
}
