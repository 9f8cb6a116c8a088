package import PinSetCodec
package import Pinning

/// What a platform does with a host after each kind of rotation, or why that is unknown.
package struct PlatformOutlook: Sendable {
    package enum Result: Sendable {
        /// The platform compares pins and accepts the chains as they are. For each event after which no single key is sufficient,
        /// `combinations` has keys that are sufficient together, or nil.
        case forecast(RotationForecast, combinations: [[PinSet.PinnedKey]?])
        /// The platform rejects a chain as it is, for this reason. It also rejects a renewal with the same keys.
        case rejects(rule: String)
        /// The platform compares no pin of the host, for this reason, and accepts every valid chain.
        case notPinned(rule: String)
        /// The platform rejects its configuration for this reason, whatever the chain is.
        case refusesConfig(rule: String)
        /// The platform compares no pin with a chain as it is, for this reason, but would do so with another chain.
        case undecidable(rule: String)
    }

    package let platform: Platform
    package let result: Result

    /// - Parameters:
    ///   - entry: the entry that decides for the host in the pin set.
    ///   - host: the host name or IP address.
    ///   - own: the forecast for the pin set itself, from the same chains.
    ///   - chains: valid chains of the host. Without chains, the result is nil.
    package init?(
        on configuration: PlatformConfiguration, of entry: PinSet.Entry, for host: String,
        comparedWith own: RotationForecast, chains: [CertificateChain], at now: Timestamp
    ) {
        let connections = chains.map { PlatformConnection(host: host, chain: $0, at: now) }
        guard let first = connections.first else { return nil }
        platform = configuration.platform
        let verdicts = connections.map { configuration.verdict(on: $0) }
        func rule(of verdict: PlatformVerdict.Verdict) -> String? { verdicts.first { $0.verdict == verdict }?.rule }
        if let rule = rule(of: .refusesConfig) {
            result = .refusesConfig(rule: rule)
            return
        }
        if let rule = rule(of: .rejects) {
            result = .rejects(rule: rule)
            return
        }
        let unpinned = rule(of: .notPinned)
        if let unpinned {
            // Chains with all pinned keys, and with none of them.
            let others = [PlatformConnection.expectedChain(of: entry), []].map {
                PlatformConnection(host: host, chain: $0, isTrusted: true, at: now)
            }
            guard others.contains(where: { configuration.verdict(on: $0).verdict != .notPinned }) else {
                result = .notPinned(rule: unpinned)
                return
            }
            guard case .survives = own.leafWithSameKey else {
                result = .undecidable(rule: unpinned)
                return
            }
        }
        let rotation = PlatformRotation(
            on: configuration, of: entry, for: first.host, chains: connections.map(\.chain),
            acceptsUnpinned: unpinned != nil, at: now)
        result = .forecast(rotation.forecast, combinations: rotation.combinations)
    }
}
