internal import Encodings
internal import PinSetFormats
package import Pinning

/// What an entry of a pin set should say now, by what its host serves.
///
/// Pins are learnt only from a chain that validates and in which a pin of the entry stands already, or that a person accepted by
/// name; and only for places that the entry pins: one that pins authorities never learns a leaf's key. A pin is called gone where
/// every address of the host showed a chain that counts, none has the pin, and another key has taken its place: that of a
/// pin which a refresh added later, or of a backup. So an authority that is pinned and not in use stays: it may be a backup that
/// nobody called one. No pin of an entry with subdomains is: names that were not asked may use it.
package struct EntryRefresh: Sendable {
    package let entry: PinSet.Entry
    /// One for each address, in the order given.
    package let answers: [RefreshAnswer]
    /// One for each pin of the entry, in its order.
    package let pins: [PinRefresh]
    package let added: [AddedPin]
    package let refused: [RefusedBackup]
    /// Backups that were offered and are there already.
    package let known: [PinSet.PinnedKey]
    /// What would make the set say so.
    package let edits: [PinSetEdit]
    /// Whether some of that is more than a date for people.
    package let isDifferent: Bool

    /// - Parameters:
    ///   - index: of the entry in its set.
    ///   - chains: one for each address of its hosts; nil for an address that gave none.
    ///   - otherChains: chains that the hosts serve to clients that accept other types of keys. Nothing is learned from them, and
    ///     a pin in one of them is in use.
    ///   - coversAllAddresses: whether these are all addresses of the hosts. Otherwise no pin is gone, because it may be in use
    ///     at another address.
    ///   - accepts: whether a person vouches for the chain in this place, though no pin may match it.
    package init(
        _ entry: PinSet.Entry, at index: Int, chains: [CertificateChain?], otherChains: [CertificateChain] = [],
        coversAllAddresses: Bool = true, by rules: RefreshRules,
        accepts: (Int) -> Bool = { _ in false }
    ) {
        let answers = chains.enumerated().map { RefreshAnswer($1, of: entry, isAccepted: accepts($0)) }
        var planner = EntryPlanner(
            entry: entry, index: index, answers: answers,
            others: otherChains.map { RefreshAnswer($0, of: entry, isAccepted: false) },
            coversAllAddresses: coversAllAddresses, rules: rules)
        planner.plan()
        self.entry = entry
        self.answers = answers
        pins = planner.pins
        added = planner.added
        refused = planner.refused
        known = planner.known
        edits = planner.edits
        isDifferent = planner.isDifferent
    }

    /// Whether a pin is gone, now or from an earlier run.
    package var hasGonePins: Bool {
        pins.contains {
            switch $0.status {
            case .gone, .retires: true
            default: false
            }
        }
    }

    /// The entry once the changes are made.
    package var changed: PinSet.Entry { entry.applying(edits) }

    /// The entry with no more said of it than which pins are gone.
    package var noted: PinSet.Entry {
        entry.applying(edits.filter { if case .change(.goneSince, _, _) = $0 { true } else { false } })
    }

    /// Whether every address that was contacted gave a chain that may be learned from.
    package var hasEveryAnswer: Bool { !answers.isEmpty && answers.allSatisfy(\.isLearnable) }

    /// The chains that count.
    package var chains: [CertificateChain] { answers.filter(\.isLearnable).compactMap(\.chain) }
}

extension PinSet.Entry {
    /// The entry after changes of it, wherever the edits say that it stands.
    func applying(_ edits: [PinSetEdit]) -> PinSet.Entry {
        var keys = pins
        for case .change(let field, _, let place) in edits where keys.indices.contains(place) {
            keys[place] = keys[place].changing(field)
        }
        for case .add(let key, _) in edits { keys.append(key) }
        let changed = try? PinSet.Entry(
            host: host, subdomains: subdomains, expires: expires, enforce: enforce, anchors: anchors, pins: keys)
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
