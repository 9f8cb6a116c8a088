internal import Encodings
internal import PinSetFormats
package import Pinning

/// Whether the pins of an entry would still match after what happens to chains sooner or later.
///
/// Each answer holds for every chain that the host serves, and for keys that nobody knows yet: what a backup or a kept key could
/// save is said as a condition.
package struct Survival: Hashable, Sendable {
    package enum Outcome: Hashable, Sendable {
        /// These pins would match, whatever the new key is.
        case survives([PinSet.PinnedKey])
        /// Only if the server's key stays the same.
        case ifKeyIsKept([PinSet.PinnedKey])
        /// Only if one of these, which are not in use now, takes over.
        case ifBackupTakesOver([PinSet.PinnedKey])
        /// No pin would match.
        case fails

        /// For programs; part of the interface.
        package var code: String {
            switch self {
            case .survives: "yes"
            case .ifKeyIsKept: "if-key-kept"
            case .ifBackupTakesOver: "if-backup"
            case .fails: "no"
            }
        }

        package var keys: [PinSet.PinnedKey] {
            switch self {
            case .survives(let keys), .ifKeyIsKept(let keys), .ifBackupTakesOver(let keys): keys
            case .fails: []
            }
        }

        fileprivate var rank: Int {
            switch self {
            case .survives: 0
            case .ifKeyIsKept: 1
            case .ifBackupTakesOver: 2
            case .fails: 3
            }
        }
    }

    /// The leaf is renewed with the key that it has.
    package let leafWithSameKey: Outcome
    /// The leaf is renewed with another key.
    package let leafWithNewKey: Outcome
    /// Another intermediate issues the next leaf, under the same root.
    package let intermediate: Outcome
    /// Another authority issues the next leaf: nothing above it stays.
    package let root: Outcome

    /// - Parameters:
    ///   - chains: of the host, validated; nil comes of none.
    package init?(of entry: PinSet.Entry, chains: [CertificateChain]) {
        let keys = entry.pins.filter { $0.state != .retired }
        let chains = chains.map(\.pins)
        guard !chains.isEmpty else { return nil }
        // A key that another one has replaced is not held ready.
        let spares = keys.filter { key in key.goneSince == nil && !chains.contains { $0.contains { key.pin == $0.pin } }
        }
        func worst(_ outcome: ([ChainPin]) -> Outcome) -> Outcome {
            let outcomes = chains.map(outcome)
            return outcomes.max { $0.rank < $1.rank } ?? .fails
        }
        func matching(_ chain: [ChainPin], _ roles: Set<Role>) -> [PinSet.PinnedKey] {
            keys.filter { key in chain.contains { roles.contains($0.role) && key.matches($0) } }
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
