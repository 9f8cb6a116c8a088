internal import Encodings
internal import PinSetCodec
internal import Pinning

/// Judges the chains that a host may have after a rotation.
struct RotationJudge {
    let configuration: PlatformConfiguration
    let entry: PinSet.Entry
    let host: String
    let chains: [[PlatformConnection.Link]]
    /// Whether a connection for which no pin is compared counts as accepted.
    let acceptsUnpinned: Bool
    let now: Timestamp
    /// The pins that can match and whose keys are in no chain, in the order of the entry.
    private let spares: [PinSet.PinnedKey]
    private let kinds: PinKinds
    private let keys: MatchingKeys

    /// Maximum of ``chains``. A platform compares each chain with all pins, and the servers of a host can have as many keys as it has
    /// addresses.
    private static let maximumChains = 64

    /// - Parameter chains: chains of the host. Of those that differ, the first ``maximumChains`` are judged.
    init(
        configuration: PlatformConfiguration, entry: PinSet.Entry, host: String,
        chains: [[PlatformConnection.Link]], acceptsUnpinned: Bool = false, now: Timestamp
    ) {
        self.acceptsUnpinned = acceptsUnpinned
        (self.configuration, self.entry, self.host) = (configuration, entry, host)
        var known: Set<[PlatformConnection.Link]> = []
        self.chains = Array(chains.filter { known.insert($0).inserted }.prefix(Self.maximumChains))
        self.now = now
        keys = MatchingKeys(of: entry)
        spares = entry.spares(beside: chains.map { $0.map(\.certificate) }, at: now)
        // A platform can read a file with mistakes differently than pinctl, and not use each of the pins.
        let hasMistakes = configuration.isFile && !configuration.traps.isEmpty
        kinds = PinKinds(of: entry, spares: spares) { pin in
            guard hasMistakes else { return true }
            return chains.contains { chain in
                let connection = PlatformConnection(
                    host: host, chain: chain.map { $0.renewed(with: pin) }, isTrusted: true, at: now)
                return configuration.verdict(on: connection).verdict == .accepts
            }
        }
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
        var results: [PinKinds.Kind: Bool] = [:]
        let backups = spares.filter { key in
            let kind = kinds.kind(of: key)
            if let known = results[kind] { return known }
            let isAccepted = changed.indices.contains { index in
                let link = changed[index].certificate
                guard !roles.contains(link.role), key.role.allows(link.role, at: link.position) else { return false }
                var other = changed
                other[index] = other[index].renewed(with: key.pin)
                return accepts(other)
            }
            results[kind] = isAccepted
            return isAccepted
        }
        return backups.isEmpty ? .fails : .ifBackupTakesOver(backups)
    }

    /// A key of the leaf and a key of a CA that are sufficient together after an event, for a platform that requires both.
    ///
    /// - Returns: keys that are sufficient for every chain; nil if there are none.
    func combination(keeping roles: Set<Role>, keepsKey: Bool) -> [PinSet.PinnedKey]? {
        guard !roles.contains(.leaf) else { return nil }
        let spares = kinds.samples(of: spares)
        let current = keepsKey ? chains.first?.first { $0.certificate.role == .leaf }?.certificate.pin : nil
        let candidates = Set(spares)
        let leaves = entry.pins.filter { key in
            key.state != .retired && key.role.allows(.leaf, at: 0) && (key.pin == current || candidates.contains(key))
        }
        for first in leaves {
            for second in spares where second.pin != first.pin {
                let isSufficient = chains.allSatisfy { chain in
                    replacements(of: chain, keeping: roles, leaf: first, other: second).contains { accepts($0) }
                }
                if isSufficient { return [first, second] }
            }
        }
        return nil
    }

    /// The chains after an event in which the new leaf has one key, and a new certificate above it has another one.
    ///
    /// - Parameters:
    ///   - first: the pin of a spare key, or of the key of the first chain's leaf.
    ///   - second: the pin of a spare key.
    private func replacements(
        of chain: [PlatformConnection.Link], keeping roles: Set<Role>, leaf first: PinSet.PinnedKey,
        other second: PinSet.PinnedKey
    ) -> [[PlatformConnection.Link]] {
        guard let leaf = chain.firstIndex(where: { $0.certificate.role == .leaf }),
            kinds.kind(of: first).isSpare || first.pin == chain[leaf].certificate.pin
        else { return [] }
        var changed = chain.map { link in
            link.renewed(with: roles.contains(link.certificate.role) ? link.certificate.pin : nil)
        }
        changed[leaf] = chain[leaf].renewed(with: first.pin)
        return changed.indices.compactMap { index in
            let link = changed[index].certificate
            guard index != leaf, !roles.contains(link.role), second.role.allows(link.role, at: link.position) else {
                return nil
            }
            var other = changed
            other[index] = other[index].renewed(with: second.pin)
            return other
        }
    }

    private func keys(in chain: [PlatformConnection.Link]) -> [PinSet.PinnedKey] {
        keys.keys(matching: chain.map(\.certificate))
    }
}
