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
    ///   - chains: chains of the host, leaf first, all valid. The result is nil if the platform does not accept each of them as they
    ///     are: then it does not use this set, or another finding says why it rejects the host.
    package init?(
        on configuration: PlatformConfiguration, of entry: PinSet.Entry, comparedWith own: RotationForecast,
        chains: [[PlatformConnection.Link]], at now: Timestamp
    ) {
        let judge = RotationJudge(
            configuration: configuration, entry: entry, host: entry.name, chains: chains, now: now)
        guard !chains.isEmpty, chains.allSatisfy({ judge.verdict(on: $0) == .accepts }) else { return nil }
        platform = configuration.platform
        let forecast = judge.forecast
        self.forecast = forecast
        var lost: [PinSet.PinnedKey] = []
        for (own, other) in zip(own.outcomes, forecast.outcomes) {
            guard case .ifBackupTakesOver(let keys) = own, other == .fails else { continue }
            for key in keys where !lost.contains(key) { lost.append(key) }
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

/// Judges the chains that a host may have after a rotation.
private struct RotationJudge {
    let configuration: PlatformConfiguration
    let entry: PinSet.Entry
    let host: String
    let chains: [[PlatformConnection.Link]]
    /// Whether a connection for which no pin is compared counts as accepted.
    let acceptsUnpinned: Bool
    let now: Timestamp
    private let spares: [PinSet.PinnedKey]

    init(
        configuration: PlatformConfiguration, entry: PinSet.Entry, host: String,
        chains: [[PlatformConnection.Link]], acceptsUnpinned: Bool = false, now: Timestamp
    ) {
        self.acceptsUnpinned = acceptsUnpinned
        (self.configuration, self.entry, self.host) = (configuration, entry, host)
        (self.chains, self.now) = (chains, now)
        spares = entry.spares(beside: chains.map { $0.map(\.certificate) })
    }

    func verdict(on chain: [PlatformConnection.Link]) -> PlatformVerdict.Verdict {
        configuration.verdict(on: PlatformConnection(host: host, chain: chain, isTrusted: true, at: now)).verdict
    }

    private func accepts(_ chain: [PlatformConnection.Link]) -> Bool {
        let verdict = verdict(on: chain)
        return verdict == .accepts || acceptsUnpinned && verdict == .notPinned
    }

    var forecast: RotationForecast {
        func worst(keeping roles: Set<Role>, keepsKey: Bool = false) -> RotationForecast.Outcome {
            .worst(of: chains.map { outcome(of: $0, keeping: roles, keepsKey: keepsKey) })
        }
        return RotationForecast(
            leafWithSameKey: worst(keeping: [.leaf, .intermediate, .root]),
            leafWithNewKey: worst(keeping: [.intermediate, .root]),
            intermediate: worst(keeping: [.root], keepsKey: true), root: worst(keeping: [], keepsKey: true))
    }

    /// - Parameter keepsKey: whether the leaf can have its present key although it is not one of the roles.
    private func outcome(
        of chain: [PlatformConnection.Link], keeping roles: Set<Role>, keepsKey: Bool
    ) -> RotationForecast.Outcome {
        let changed = chain.map { link in
            link.renewed(with: roles.contains(link.certificate.role) ? link.certificate.pin : nil)
        }
        switch verdict(on: changed) {
        case .accepts: return .survives(keys(in: changed))
        case .notPinned: return .notPinned
        case .rejects, .refusesConfig: break
        }
        if keepsKey {
            let same = zip(chain, changed).map {
                $0.certificate.role == .leaf ? $0.renewed(with: $0.certificate.pin) : $1
            }
            if accepts(same) { return .ifKeyIsKept(keys(in: same)) }
        }
        let backups = spares.filter { key in
            changed.indices.contains { index in
                let link = changed[index].certificate
                guard !roles.contains(link.role), key.role.allows(link.role, at: link.position) else { return false }
                var other = changed
                other[index] = other[index].renewed(with: key.pin)
                return accepts(other)
            }
        }
        return backups.isEmpty ? .fails : .ifBackupTakesOver(backups)
    }

    /// A key of the leaf and a key of a CA that are sufficient together after an event, for a platform that requires both.
    ///
    /// - Returns: keys that are sufficient for every chain; nil if there are none.
    func combination(keeping roles: Set<Role>, keepsKey: Bool) -> [PinSet.PinnedKey]? {
        let active = entry.pins.filter { $0.state != .retired }
        for first in active {
            for second in active where second.pin != first.pin {
                let isSufficient = chains.allSatisfy { chain in
                    replacements(of: chain, keeping: roles, keepsKey: keepsKey, leaf: first, other: second)
                        .contains { accepts($0) }
                }
                if isSufficient { return [first, second] }
            }
        }
        return nil
    }

    /// The chains after an event in which the new leaf has one key, and a new certificate above it has another one.
    private func replacements(
        of chain: [PlatformConnection.Link], keeping roles: Set<Role>, keepsKey: Bool, leaf first: PinSet.PinnedKey,
        other second: PinSet.PinnedKey
    ) -> [[PlatformConnection.Link]] {
        guard let leaf = chain.firstIndex(where: { $0.certificate.role == .leaf }), !roles.contains(.leaf),
            first.role.allows(.leaf, at: 0),
            spares.contains(first) || keepsKey && first.pin == chain[leaf].certificate.pin
        else { return [] }
        var changed = chain.map { link in
            link.renewed(with: roles.contains(link.certificate.role) ? link.certificate.pin : nil)
        }
        changed[leaf] = chain[leaf].renewed(with: first.pin)
        return changed.indices.compactMap { index in
            let link = changed[index].certificate
            guard index != leaf, !roles.contains(link.role), spares.contains(second),
                second.role.allows(link.role, at: link.position)
            else { return nil }
            var other = changed
            other[index] = other[index].renewed(with: second.pin)
            return other
        }
    }

    private func keys(in chain: [PlatformConnection.Link]) -> [PinSet.PinnedKey] {
        entry.pins.filter { key in key.state != .retired && chain.contains { key.matches($0.certificate) } }
    }
}

extension PlatformConnection.Link {
    /// Another certificate in the same position, with this key or with a new one. Every platform supports a new key.
    fileprivate func renewed(with pin: Pin?) -> Self {
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
