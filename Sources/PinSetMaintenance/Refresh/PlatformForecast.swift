internal import Encodings
package import PinSetCodec
package import Pinning

/// A forecast for one platform: whether the platform still accepts a host after each kind of rotation.
///
/// The platform's own rules judge invented chains, in which new keys replace the keys that change.
package struct PlatformForecast: Sendable {
    package let platform: Platform
    package let forecast: RotationForecast
    /// Backups with which the pin set survives a rotation that the platform does not survive.
    package let lostBackups: [PinSet.PinnedKey]

    /// - Parameters:
    ///   - entry: the entry that decides for the host in the pin set.
    ///   - own: the forecast for the pin set itself, from the same chains.
    ///   - chains: chains of the host, leaf first, all valid. The result is nil if the platform does not accept each judged one as it
    ///     is: then it does not use this set, or another finding says why it rejects the host.
    package init?(
        on configuration: PlatformConfiguration, of entry: PinSet.Entry, comparedWith own: RotationForecast,
        chains: [[PlatformConnection.Link]], at now: Timestamp
    ) {
        let judge = RotationJudge(
            configuration: configuration, entry: entry, host: entry.name, chains: chains, now: now)
        guard !chains.isEmpty, judge.chains.allSatisfy({ judge.verdict(on: $0) == .accepts }) else { return nil }
        platform = configuration.platform
        let forecast = judge.forecast
        self.forecast = forecast
        var lost: [PinSet.PinnedKey] = []
        var known: Set<PinSet.PinnedKey> = []
        for (own, other) in zip(own.outcomes, forecast.outcomes) {
            guard case .ifBackupTakesOver(let keys) = own, other == .fails else { continue }
            for key in keys where known.insert(key).inserted { lost.append(key) }
        }
        lostBackups = lost
    }
}

/// The forecast by the rules of a platform that accepts the chains as they are.
struct PlatformRotation {
    let forecast: RotationForecast
    /// For each event after which no single key is sufficient: pinned keys that are sufficient together; nil if there are none.
    let combinations: [[PinSet.PinnedKey]?]

    /// - Parameters:
    ///   - entry: the entry that decides for the host in the pin set.
    ///   - host: the normalized host name or IP address.
    ///   - chains: chains of the host, leaf first, all valid; at least one.
    ///   - acceptsUnpinned: whether a connection for which no pin is compared counts as accepted.
    init(
        on configuration: PlatformConfiguration, of entry: PinSet.Entry, for host: String,
        chains: [[PlatformConnection.Link]], acceptsUnpinned: Bool, at now: Timestamp
    ) {
        let judge = RotationJudge(
            configuration: configuration, entry: entry, host: host, chains: chains, acceptsUnpinned: acceptsUnpinned,
            now: now)
        forecast = judge.forecast
        let kept: [Set<Role>] = [[.leaf, .intermediate, .root], [.intermediate, .root], [.root], []]
        combinations = zip(kept, forecast.outcomes).map { roles, outcome in
            outcome == .fails ? judge.combination(keeping: roles, keepsKey: roles.count < 2) : nil
        }
    }
}

extension PlatformForecast {
    /// A sentence about a backup that does not work on some platforms.
    package static func message(on key: PinSet.PinnedKey, lostOn platforms: [String]) -> String {
        let names = platforms.joined(conjunction: "and")
        return
            "the backup \(key.label?.quotedExcerpt ?? key.pin.base64) does not work on \(names): a chain in which only this"
            + " pin matches is rejected there"
    }
}

extension PlatformConnection.Link {
    /// Another certificate in the same position, with this key or with a new one. Every platform supports a new key.
    func renewed(with pin: Pin?) -> Self {
        let pinned = ChainPin(
            role: certificate.role, position: certificate.position,
            pin: pin ?? Pin(subjectPublicKeyInfo: Array("a new key at position \(certificate.position)".utf8)))
        return Self(
            certificate: pinned, key: pin == certificate.pin ? key : nil, fingerprint: nil, commonName: commonName)
    }
}

extension PlatformConnection {
    /// The chain of a host whose certificates are not known: leaf, intermediate and root, with the keys that the entry's active pins
    /// are for.
    package static func expectedChain(of entry: PinSet.Entry) -> [Link] {
        let active = entry.pins.filter { $0.state == .active }
        func pin(of roles: [PinSet.AllowedRole]) -> Pin? {
            roles.lazy.compactMap { role in active.first { $0.role == role }?.pin }.first
        }
        let pins = [pin(of: [.leaf, .any]), pin(of: [.intermediate, .ca, .any]), pin(of: [.root])]
        return zip(Role.allCases, pins).enumerated().map { position, element in
            let (role, pin) = element
            let unknown = Pin(subjectPublicKeyInfo: Array("an unknown key at position \(position)".utf8))
            return Link(certificate: ChainPin(role: role, position: position, pin: pin ?? unknown))
        }
    }
}
