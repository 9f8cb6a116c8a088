internal import Encodings
internal import PinSetCodec
package import Pinning

/// The changes of an entry that follow from the chains of its host.
///
/// A refresh adds pins only from a trusted chain that matches a pin of the entry, or that the user accepted by naming the host. It
/// adds pins only for roles that the entry pins: an entry that pins CAs never gets a leaf's key. It adds none from a chain that no handshake
/// authenticated, and such a chain makes no pin return that is gone. From a chain that the user did not accept, it adds no key that a trusted
/// chain without a pin of the entry contains, too: that chain would match.
///
/// A pin is gone if every address of the host sent a usable chain, each chain for other clients is usable too, no chain contains its key
/// at any position of its searched paths, and another key has replaced it. That key must be one that a refresh added later, or a backup. So a
/// pinned CA that is not in use stays, because it may be a backup that is not marked as one. In an entry with subdomains, a pin is
/// never gone, because a name that was not contacted may use it. A pin that is gone stays active while no other active pin is in use.
package struct EntryRefresh: Sendable {
    package let entry: PinSet.Entry
    /// The result for each address, in the given order.
    package let observations: [AddressObservation]
    /// The result for each of the other chains, in the order given.
    package let otherObservations: [AddressObservation]
    /// The result for each pin, in the order of the entry.
    package let pins: [PinRefresh]
    package let added: [AddedPin]
    /// The first position of each pinned role without a pin, in chains from which no key is added because no handshake authenticated them.
    package let unlearned: [ChainPin]
    package let refused: [RefusedBackup]
    /// Given backups that are already in the entry.
    package let known: [PinSet.PinnedKey]
    /// The changes of the set.
    package let edits: [PinSetEdit]
    /// Whether an edit changes more than a date that has no effect on matching.
    package let isDifferent: Bool

    /// - Parameters:
    ///   - index: the index of the entry in its set.
    ///   - chains: the chain of each address of the host; nil for an address that sent none.
    ///   - otherChains: chains that the hosts send to other clients, such as those that accept other key types; for each, the
    ///     index of its address in `chains`, and whether the user accepts it even if no pin matches. A pin in one of them is in use.
    ///     A key in one of them replaces no pin.
    ///   - unauthenticated: the indices of the chains that no handshake authenticated.
    ///   - unauthenticatedOthers: the indices of such other chains.
    ///   - coversAllAddresses: whether the chains come from all addresses of the hosts. If false, refresh marks no pin as gone,
    ///     because the pin may be in use at another address.
    ///   - accepts: returns whether the user accepts the chain with this index even if no pin matches.
    package init(
        _ entry: PinSet.Entry, at index: Int, chains: [CertificateChain?],
        otherChains: [(address: Int, chain: CertificateChain, isAccepted: Bool)] = [],
        unauthenticated: Set<Int> = [], unauthenticatedOthers: Set<Int> = [],
        coversAllAddresses: Bool = true, by rules: RefreshRules,
        accepts: (Int) -> Bool = { _ in false }
    ) {
        let observations = chains.enumerated().map { index, chain in
            AddressObservation(
                chain, of: entry, isAccepted: accepts(index), isAuthenticated: !unauthenticated.contains(index))
        }
        let otherObservations = otherChains.enumerated().map { index, other in
            AddressObservation(
                other.chain, of: entry, isAccepted: other.isAccepted,
                isAuthenticated: !unauthenticatedOthers.contains(index))
        }
        var planner = EntryPlanner(
            entry: entry, index: index, observations: observations, otherObservations: otherObservations,
            otherAddresses: otherChains.map(\.address), coversAllAddresses: coversAllAddresses, rules: rules)
        planner.plan()
        self.entry = entry
        self.observations = observations
        self.otherObservations = otherObservations
        pins = planner.pins
        added = planner.added
        unlearned = planner.unlearned
        refused = planner.refused
        known = planner.known
        edits = planner.edits
        isDifferent = planner.isDifferent
    }

    /// Whether a pin is gone or a backup becomes active. Both require that every address and every chain of the host is known.
    package var needsEveryChain: Bool {
        pins.contains {
            switch $0.status {
            case .gone, .retires, .backupPromoted: true
            default: false
            }
        }
    }

    /// Whether a key becomes a backup, which no server may use, also not for other clients.
    package var addsBackup: Bool { added.contains { $0.chainPin == nil } }

    /// Whether a key is learned from one chain, although another one contains no pin. The keys of the other chain are not learned, so all of
    /// its paths must be known.
    package var learnsBesideMismatch: Bool {
        let learns = added.contains { $0.chainPin != nil } || pins.contains { $0.status == .reinstated }
        return learns && (observations + otherObservations).contains { $0.verdict == .mismatch }
    }

    /// Whether a pin is in no chain. Other valid paths of the chains can contain it.
    package var hasUnservedPin: Bool { pins.contains { $0.status == .unserved } }

    /// The entry after the changes.
    package var changed: PinSet.Entry { entry.applying(edits) }

    /// The entry after only those changes that mark pins as gone.
    package var noted: PinSet.Entry {
        entry.applying(edits.filter { if case .change(.goneSince, _, _) = $0 { true } else { false } })
    }

    /// Whether every contacted address sent a usable chain.
    package var hasEveryAnswer: Bool { !observations.isEmpty && observations.allSatisfy(\.isUsable) }

    /// The usable chains: trusted, and matched or accepted.
    package var chains: [CertificateChain] {
        (observations + otherObservations).filter(\.isUsable).compactMap(\.chain)
    }

    /// The chains for which a forecast holds: also those that no pin matches now. Empty without a usable chain.
    package var forecastChains: [CertificateChain] {
        guard !chains.isEmpty else { return [] }
        return (observations + otherObservations).filter { $0.isUsable || $0.verdict == .mismatch }.compactMap(\.chain)
    }
}

extension PinSet.Entry {
    /// The entry after changes. Ignores the entry index of the edits.
    func applying(_ edits: [PinSetEdit]) -> PinSet.Entry {
        var keys = pins
        for case .change(let field, _, let pin) in edits where keys.indices.contains(pin) {
            keys[pin] = keys[pin].changing(field)
        }
        for case .add(let key, _) in edits { keys.append(key) }
        let changed = try? PinSet.Entry(
            host: host, subdomains: subdomains, expires: expires, enforce: enforce, anchors: anchors,
            endpoints: endpoints, pins: keys)
        return changed ?? self
    }
}

extension PinSet.PinnedKey {
    fileprivate func changing(_ field: PinSetEdit.Field) -> PinSet.PinnedKey {
        var (state, label, notAfter, added, goneSince) = (state, label, notAfter, added, goneSince)
        switch field {
        case .state(let new): state = new
        case .label(let new): label = new
        case .notAfter(let new): notAfter = new
        case .added(let new): added = new
        case .goneSince(let new): goneSince = new
        }
        return PinSet.PinnedKey(
            pin: pin, role: role, state: state, label: label, notAfter: notAfter, added: added, goneSince: goneSince)
    }
}
