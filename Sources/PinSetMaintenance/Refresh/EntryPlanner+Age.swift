internal import PinSetCodec
internal import Pinning

/// The ages of keys, which decide whether a key has replaced another one.
extension EntryPlanner {
    /// Whether a newer key replaced this one in its role.
    func isReplaced(_ key: PinSet.PinnedKey) -> Bool {
        let roles = roles(of: key)
        // The pin's CA is unknown. If the user accepted a chain with another CA, that CA has replaced it.
        if roles.isEmpty, key.role == .ca {
            return observations.contains { observation in
                guard observation.verdict == .accepted else { return false }
                return added.contains { $0.key.role == .ca && !observation.chainPins(of: $0.key).isEmpty }
            }
        }
        return roles.contains { role in
            switch newest[role] {
            case nil: false
            case .some(nil): true
            case .some(let added?): key.added.map { $0 < added } ?? true
            }
        }
    }

    /// For each role in the first chains, the date on which its newest key was added to the set; nil if the key is newer than every other
    /// active key. A role is absent if the age of its key is unknown.
    func newestKeys() -> [Role: Timestamp?] {
        var newest: [Role: Timestamp?] = [:]
        func note(_ key: PinSet.PinnedKey, added: Timestamp?) {
            for role in Set(positions(of: key).map(\.role)) {
                guard let known = newest[role] else {
                    newest[role] = .some(added)
                    continue
                }
                if let latest = known { newest[role] = .some(added.map { max($0, latest) }) }
            }
        }
        for (pinIndex, key) in entry.pins.enumerated() {
            if reinstated.contains(pinIndex) || promoted.contains(pinIndex) {
                note(key, added: nil)
            } else if key.state != .retired {
                guard key.added != nil || key.state == .backup else { continue }
                note(key, added: key.added)
            }
        }
        for pin in added { note(pin.key, added: nil) }
        return newest
    }
}
