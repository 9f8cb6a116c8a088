public import Pinning

/// An app framework or tool that checks pins by its own rules. The names are those of `verify --as`.
public struct Platform: Hashable, Sendable {
    public let rawValue: String
    private let rules: any PlatformRules.Type

    package init(_ name: String, _ rules: any PlatformRules.Type) {
        rawValue = name
        self.rules = rules
    }

    public static func == (one: Platform, other: Platform) -> Bool { one.rawValue == other.rawValue }

    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension Platform {
    /// Predicts how the platform treats a connection.
    ///
    /// The pin set is taken as it is once it is converted to the platform with nothing added: what the platform cannot say is
    /// lost, and a retired pin is left out. The verdict is about that, and not about the set as it stands.
    public func verdict(on connection: PlatformConnection) -> PlatformVerdict {
        let ruling = ruling(on: connection)
        return PlatformVerdict(platform: self, verdict: ruling.verdict, rule: ruling.rule)
    }

    /// What the platform would make of a host that no entry of the set covers, whatever valid chain it has; nil where the chain
    /// decides all the same, for a platform that has no word for the entry's depth may take it to cover more.
    public func verdict(onUncovered host: String, set: PinSet, at now: Timestamp) -> PlatformVerdict? {
        guard set.entry(for: host) == nil else { return nil }
        let connection = PlatformConnection(host: host, chain: [], isTrusted: true, set: set, at: now)
        if let refusal = rules.refusal(of: connection) {
            return PlatformVerdict(platform: self, verdict: refusal.verdict, rule: refusal.rule)
        }
        let ruling = rules.ruling(on: connection)
        guard ruling.verdict == .notPinned else { return nil }
        return PlatformVerdict(platform: self, verdict: .notPinned, rule: ruling.rule)
    }

    private func ruling(on connection: PlatformConnection) -> PlatformRuling {
        if let refusal = rules.refusal(of: connection) { return refusal }
        guard connection.isTrusted else {
            return PlatformRuling(
                .rejects, "the chain is validated before any pin is compared, and this one does not validate")
        }
        return rules.ruling(on: connection)
    }
}
