internal import Fetching
internal import Pinning

extension Verification {
    /// What the platforms that were asked for would make of this host and its chain.
    static func platforms(
        _ platforms: [Platform], on check: Check, _ chain: Chain, set: PinSet, at now: Timestamp
    ) -> [PlatformVerdict] {
        guard !platforms.isEmpty else { return [] }
        let connection = PlatformConnection(host: check.identity.text, chain: chain, set: set, at: now)
        return platforms.map { $0.verdict(on: connection) }
    }

    /// The same for a host that no entry covers, of those platforms to which its chain makes no difference.
    static func platforms(
        _ platforms: [Platform], onUncovered check: Check, set: PinSet, at now: Timestamp
    ) -> [PlatformVerdict] {
        platforms.compactMap { $0.verdict(onUncovered: check.identity.text, set: set, at: now) }
    }

    /// pinctl's own verdict in the words for platforms; nil where it gave none.
    ///
    /// An entry that has expired pins nothing, nor does one that is not there: apps would accept any trusted chain.
    var asPlatform: PlatformVerdict.Verdict? {
        switch verdict {
        case .match: .accepts
        case .mismatch: isOnlyReported ? .accepts : .rejects
        case .untrusted: .rejects
        case .expired, .noPins: .notPinned
        case .unreachable: nil
        }
    }

    /// The platforms that would do something else than pinctl's own verdict says.
    var dissenters: [PlatformVerdict] { platforms.filter { $0.verdict != asPlatform } }
}

extension VerifyPlan {
    /// Whether the answer is in a host's chain: pins hold for it, or a platform that was asked for takes an entry of the set to
    /// cover more than it says. The verdict on others is known before anyone is asked.
    var needsChain: @Sendable (Target) -> Bool {
        { [set = pins.set, serverName, platforms, now] target in
            let check = Self.check(target, at: 0, in: set, serverName: serverName)
            return check.entry != nil
                || Verification.platforms(platforms, onUncovered: check, set: set, at: now).count < platforms.count
        }
    }
}

extension PlatformVerdict {
    /// Whether the connection would come to nothing.
    var isFailure: Bool { verdict == .rejects || verdict == .refusesConfig }
}
