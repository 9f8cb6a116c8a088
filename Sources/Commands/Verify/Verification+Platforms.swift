internal import CommandSupport
internal import Fetching
internal import PinSetCodec
internal import Pinning

extension Verification {
    /// The platforms' verdicts on a host and its chain.
    static func platforms(
        _ platforms: [PlatformConfiguration], on check: TargetCheck, _ chain: CertificateChain, at now: Timestamp
    ) -> [PlatformVerdict] {
        guard !platforms.isEmpty else { return [] }
        let connection = PlatformConnection(host: check.identity.text, chain: chain, at: now)
        return platforms.map { $0.verdict(on: connection) }
    }

    /// The platforms' verdicts on a host that no entry covers. Platforms whose verdict depends on the chain are left out.
    static func platforms(
        _ platforms: [PlatformConfiguration], onUncovered check: TargetCheck, at now: Timestamp
    ) -> [PlatformVerdict] {
        guard check.entry == nil else { return [] }
        return platforms.compactMap { $0.verdict(onEveryChainOf: check.identity.text, at: now) }
    }

    /// pinctl's verdict as a verdict of a platform; nil for an unreachable host.
    ///
    /// If there is no entry, or the entry has expired, no pin is compared: apps would accept any trusted chain.
    var asPlatform: PlatformVerdict.Verdict? {
        switch verdict {
        case .match: .accepts
        case .mismatch: isOnlyReported ? .accepts : .rejects
        case .untrusted: .rejects
        case .expired, .noPins: .notPinned
        case .unreachable: nil
        }
    }

    /// The platform verdicts that differ from pinctl's.
    var disagreeing: [PlatformVerdict] { platforms.filter { $0.verdict != asPlatform } }
}

extension VerifyPlan {
    /// Whether the result for a target depends on its chain: an entry covers it, or a platform of `--as` would apply an entry to it.
    var needsChain: @Sendable (Target) -> Bool {
        { [set = pins.set, serverName, platforms, now] target in
            let check = Self.check(target, at: 0, in: set, serverName: serverName)
            return check.entry != nil
                || Verification.platforms(platforms, onUncovered: check, at: now).count < platforms.count
        }
    }
}

extension PlatformVerdict {
    /// Whether the platform would refuse the connection.
    var isFailure: Bool { verdict == .rejects || verdict == .refusesConfig }
}
