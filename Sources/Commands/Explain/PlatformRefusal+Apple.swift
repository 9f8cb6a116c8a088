internal import ConnectionFailures
internal import PinSetCodec
internal import Pinning

extension PlatformRefusal {
    /// The result of App Transport Security for a trusted chain; nil if it does not reject the chain.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of Apple's systems in the file of the set.
    ///   - set: The set that was read from this file.
    init?(
        of chain: CertificateChain, _ host: String, _ configuration: PlatformConfiguration, _ set: PinSet,
        at now: Timestamp
    ) {
        guard chain.isTrusted else { return nil }
        let verdict = configuration.verdict(on: PlatformConnection(host: host, chain: chain, at: now))
        guard verdict.verdict == .rejects else { return nil }
        self.init(rule: verdict.rule, cause: Self.cause(chain, host, configuration, set, at: now))
    }

    /// Why no pin of a list matches. Each list of Apple's file has one role in the set.
    private static func cause(
        _ chain: CertificateChain, _ host: String, _ configuration: PlatformConfiguration, _ set: PinSet,
        at now: Timestamp
    ) -> Cause {
        let entry = set.entry(for: host)
        let parent = host.split(separator: ".", omittingEmptySubsequences: false).dropFirst().joined(separator: ".")
        // Apple's systems combine the lists of the host with those of its parent.
        if entry?.name != parent, let index = set.indices[parent], set.entries[index].subdomains != .none {
            return .unknown
        }
        let name = entry?.name ?? host
        if let trap = configuration.traps.first(where: { $0.kind == .neverMatches && $0.host?.lowercased() == name }) {
            return .set(trap.message)
        }
        guard let entry else { return .unknown }
        var cause = Cause.unknown
        for role in PinSet.AllowedRole.allCases {
            let keys = entry.pins.filter { $0.role == role }
            guard let list = try? PinSet.Entry(host: entry.host, pins: keys),
                case .mismatch(let misses) = PinEvaluation(of: chain.pins, by: list, at: now).verdict
            else { continue }
            // With any other pin, the keys can have changed.
            if let miss = misses.first, Set(misses.map(\.key.pin)) == Set(keys.map(\.pin)) {
                return .set("\(miss.message), and no other pin has this role")
            }
            cause = .keys
        }
        return cause
    }
}
