package import Pinning

/// Pins of one host in the order of the file, without repetitions. Adding a pin takes constant time.
package struct PinnedKeyList {
    package private(set) var keys: [PinSet.PinnedKey] = []
    private var indices: [Pin: Int] = [:]
    /// The roles of each pin (``addEachRole(_:)``).
    private var roles: [Pin: Set<PinSet.AllowedRole>] = [:]

    package var isEmpty: Bool { keys.isEmpty }

    package init() {}

    package init(_ key: PinSet.PinnedKey) { add(key) }

    /// Adds a pin unless the list contains it.
    package mutating func add(_ key: PinSet.PinnedKey) {
        guard indices[key.pin] == nil else { return }
        indices[key.pin] = keys.count
        keys.append(key)
    }

    /// Adds a pin unless the list contains it with the same role. A list of such pins has no others.
    package mutating func addEachRole(_ key: PinSet.PinnedKey) {
        guard roles[key.pin, default: []].insert(key.role).inserted else { return }
        keys.append(key)
    }

    /// Adds a pin. If the list contains the pin with another role, the role becomes `any`, because one role is for the leaf and the
    /// other for CAs.
    package mutating func addUnitingRoles(_ key: PinSet.PinnedKey) {
        guard let index = indices[key.pin] else { return add(key) }
        let other = keys[index]
        guard other.role != .any, (other.role == .leaf) != (key.role == .leaf) else { return }
        keys[index] = PinSet.PinnedKey(
            pin: other.pin, role: .any, state: other.state, label: other.label, notAfter: other.notAfter)
    }
}
