internal import Pinning

/// The kinds of pins in an entry. The rules of every platform treat the pins of one kind alike, so one verdict applies to all of them.
///
/// The entry of a host can have any number of pins, and each verdict reads all of them. With a verdict for each pin, the work would grow
/// with the square of their number.
struct PinKinds {
    /// How `convert` writes a pin, and whether it can match in a later chain.
    struct Kind: Hashable {
        let role: PinSet.AllowedRole
        let state: PinSet.State
        let isSpare: Bool
        /// The roles and states with which the entry has the pin.
        fileprivate let uses: Set<Use>
        /// Whether the platform uses the pin.
        fileprivate let isUsed: Bool
    }

    fileprivate struct Use: Hashable {
        let role: PinSet.AllowedRole
        let state: PinSet.State
    }

    private var uses: [Pin: Set<Use>] = [:]
    private let spares: Set<PinSet.PinnedKey>
    private let unused: Set<Pin>

    /// - Parameters:
    ///   - spares: the pins whose keys are in no chain.
    ///   - isUsed: returns whether the platform uses a pin.
    init(of entry: PinSet.Entry, spares: [PinSet.PinnedKey], isUsed: (Pin) -> Bool) {
        for key in entry.pins { uses[key.pin, default: []].insert(Use(role: key.role, state: key.state)) }
        self.spares = Set(spares)
        unused = Set(uses.keys.filter { !isUsed($0) })
    }

    func kind(of key: PinSet.PinnedKey) -> Kind {
        Kind(
            role: key.role, state: key.state, isSpare: spares.contains(key), uses: uses[key.pin] ?? [],
            isUsed: !unused.contains(key.pin))
    }

    /// The first two pins of each kind, in the given order. Two, because a combination needs two different keys. A pin that the entry
    /// has twice is one of them.
    func samples(of keys: [PinSet.PinnedKey]) -> [PinSet.PinnedKey] {
        var known: [Kind: Set<Pin>] = [:]
        return keys.filter { key in
            let kind = kind(of: key)
            return known[kind, default: []].count < 2 && known[kind, default: []].insert(key.pin).inserted
        }
    }
}
