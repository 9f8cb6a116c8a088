internal import Encodings
internal import PinSetCodec
package import Pinning

/// A forecast of whether the pins of an entry still match after each kind of key or CA rotation.
///
/// Each outcome applies to every chain of the host and to any future key. If a match depends on a backup or on an unchanged key,
/// the outcome states this condition.
package struct RotationForecast: Hashable, Sendable {
    package enum Outcome: Hashable, Sendable {
        /// These pins match whatever the new key is.
        case survives([PinSet.PinnedKey])
        /// These pins match only if the server keeps its key.
        case ifKeyIsKept([PinSet.PinnedKey])
        /// A pin matches only if the new key is one of these keys, which are not in use now.
        case ifBackupTakesOver([PinSet.PinnedKey])
        /// No pin matches.
        case fails
        /// The platform compares no pin, and accepts every valid chain.
        case notPinned

        /// The value in JSON; part of the interface.
        package var code: String {
            switch self {
            case .survives: "yes"
            case .ifKeyIsKept: "if-key-kept"
            case .ifBackupTakesOver: "if-backup"
            case .fails: "no"
            case .notPinned: "not-pinned"
            }
        }

        package var keys: [PinSet.PinnedKey] {
            switch self {
            case .survives(let keys), .ifKeyIsKept(let keys), .ifBackupTakesOver(let keys): keys
            case .fails, .notPinned: []
            }
        }

        /// Whether this outcome is worse for the connections of an app than another one.
        package func isWorse(than other: Outcome) -> Bool { rank > other.rank }

        fileprivate var rank: Int {
            switch self {
            case .survives, .notPinned: 0
            case .ifKeyIsKept: 1
            case .ifBackupTakesOver: 2
            case .fails: 3
            }
        }
    }

    /// The leaf is renewed with its current key.
    package let leafWithSameKey: Outcome
    /// The leaf is renewed with another key.
    package let leafWithNewKey: Outcome
    /// Another intermediate issues the next leaf, under the same root.
    package let intermediate: Outcome
    /// Another CA issues the next leaf: all certificates above the leaf change.
    package let root: Outcome

    init(leafWithSameKey: Outcome, leafWithNewKey: Outcome, intermediate: Outcome, root: Outcome) {
        (self.leafWithSameKey, self.leafWithNewKey) = (leafWithSameKey, leafWithNewKey)
        (self.intermediate, self.root) = (intermediate, root)
    }

    /// The outcomes in the order of the events, from the smallest change to the largest.
    package var outcomes: [Outcome] { [leafWithSameKey, leafWithNewKey, intermediate, root] }

    /// - Parameter chains: the validated chains of the host. Without chains, the result is nil.
    package init?(of entry: PinSet.Entry, chains: [CertificateChain], at now: Timestamp) {
        self.init(of: entry, chainPins: chains.map(\.pins), at: now)
    }

    /// - Parameter chains: the pins of each chain, leaf first.
    init?(of entry: PinSet.Entry, chainPins chains: [[ChainPin]], at now: Timestamp) {
        guard !chains.isEmpty else { return nil }
        let keys = MatchingKeys(of: entry)
        let spares = entry.spares(beside: chains, at: now)
        func worst(_ outcome: ([ChainPin]) -> Outcome) -> Outcome { Outcome.worst(of: chains.map(outcome)) }
        func matching(_ chain: [ChainPin], _ roles: Set<Role>) -> [PinSet.PinnedKey] {
            keys.keys(matching: chain.filter { roles.contains($0.role) })
        }
        func outcome(keeping kept: Set<Role>, _ chain: [ChainPin], spare roles: Set<PinSet.AllowedRole>) -> Outcome {
            let above = matching(chain, kept.subtracting([.leaf]))
            guard above.isEmpty else { return .survives(above) }
            let leaf = matching(chain, [.leaf])
            if !leaf.isEmpty { return kept.contains(.leaf) ? .survives(leaf) : .ifKeyIsKept(leaf) }
            let spares = spares.filter { roles.contains($0.role) }
            return spares.isEmpty ? .fails : .ifBackupTakesOver(spares)
        }
        leafWithSameKey = worst { outcome(keeping: [.leaf, .intermediate, .root], $0, spare: [.leaf, .any]) }
        leafWithNewKey = worst { chain in
            let above = matching(chain, [.intermediate, .root])
            guard above.isEmpty else { return .survives(above) }
            let spares = spares.filter { $0.role == .leaf || $0.role == .any }
            return spares.isEmpty ? .fails : .ifBackupTakesOver(spares)
        }
        intermediate = worst { outcome(keeping: [.root], $0, spare: [.leaf, .intermediate, .ca, .any]) }
        root = worst { outcome(keeping: [], $0, spare: [.leaf, .intermediate, .root, .ca, .any]) }
    }
}

extension RotationForecast.Outcome {
    /// The outcome for a host with several chains.
    static func worst(of outcomes: [Self]) -> Self { outcomes.max { $0.rank < $1.rank } ?? .fails }
}

extension PinSet.Entry {
    /// The pins that can match and whose keys are in none of the chains. A key that was replaced is not one of them, nor is a CA whose
    /// certificate has expired.
    func spares(beside chains: [[ChainPin]], at now: Timestamp) -> [PinSet.PinnedKey] {
        let used = Set(chains.joined().map(\.pin))
        return pins.filter {
            $0.state != .retired && $0.goneSince == nil && $0.expiry(before: now) == nil && !used.contains($0.pin)
        }
    }
}
