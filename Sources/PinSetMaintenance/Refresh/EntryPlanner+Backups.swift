internal import PinSetCodec
internal import Pinning

/// New backups, and backups that become active.
extension EntryPlanner {
    mutating func addBackups() {
        for key in rules.backups {
            let same = entry.pins.filter { $0.pin == key.pin }
            // Check also the certificates outside the path, because the server may have their keys, and the other paths, because clients
            // may build them.
            let chains = (observations + otherObservations).compactMap(\.chain)
            let isServedHere = chains.contains { $0.keys.contains(key.pin) }
            let isServed = isServedHere || rules.served.contains(key.pin)
            let reason: RefusedBackup.Reason? =
                if isServed { .served } else if same.contains(where: { $0.state == .backup }) {
                    nil
                } else if same.contains(where: { $0.state == .active }) { .active } else if !same.isEmpty {
                    .retired
                } else if key.role == .leaf, rules.active.contains(key.pin) {
                    .active
                } else if !hasEveryAnswer || hasUnknownPaths {
                    .unknown
                } else if key.role != .leaf, !areAuthenticated {
                    .unauthenticated
                } else if chains.contains(where: { $0.crossCertificate(at: rules.now, by: key, isNew: true) != nil }) {
                    .otherPath
                } else { nil }
            if let reason {
                refused.append(RefusedBackup(key: key, reason: reason))
            } else if same.isEmpty {
                added.append(AddedPin(key: key, chainPin: nil))
            } else {
                known.append(key)
                updateEnd(of: key)
            }
        }
    }

    /// A backup that becomes active can have a role that no pin had before. The chains for other clients then need a pin with this role.
    mutating func promoteBackups() {
        guard hasUnusedBackup else { return }
        promoted = Set(
            entry.pins.indices.filter { index in
                let key = entry.pins[index]
                guard key.state == .backup else { return false }
                return isLeafEverywhere(key)
                    || isInUseEverywhere(key) && (!hasActivePinInUse || replacesActivePins(key))
            })
        guard !promoted.isEmpty else { return }
        hasActivePinInUse = true
        knownRoles = nil
        addPins()
    }

    /// Whether a key is that of the leaf at every address. Only a complete rollout counts, because an incomplete one can be rolled back.
    private func isLeafEverywhere(_ key: PinSet.PinnedKey) -> Bool {
        isConclusive && observations.allSatisfy { $0.chainPins(of: key).contains { $0.position == 0 } }
    }

    /// Whether the paths of every address contain a key in its role. If no active pin is in use, also by other clients, the host has moved
    /// to this key.
    private func isInUseEverywhere(_ key: PinSet.PinnedKey) -> Bool {
        isConclusive && observations.allSatisfy { !$0.chainPins(of: key).isEmpty }
    }

    /// Whether the entry pinned the role of a key, and no active pin with this role is in use. Then the host has moved to this key, also if
    /// pins with other roles were added from the same chains.
    private func replacesActivePins(_ key: PinSet.PinnedKey) -> Bool {
        let roles = Set(roles(of: key))
        let former = entry.pins.indices.filter { index in
            let pin = entry.pins[index]
            let known = self.roles(of: pin)
            let covered: [Role] = known.isEmpty && pin.role == .ca ? [.intermediate, .root] : known
            return (pin.state == .active || pin.state == .retired && pin.goneSince != nil)
                && !roles.isDisjoint(with: covered)
        }
        return !former.isEmpty
            && former.allSatisfy { entry.pins[$0].state == .retired || !isInUse(entry.pins[$0]) }
            && reinstated.isDisjoint(with: former)
    }

    /// Whether the entry has a backup that is in no chain.
    private var hasUnusedBackup: Bool {
        let backups =
            entry.pins.filter { $0.state == .backup && $0.expiry(before: rules.now) == nil }
            + added.filter { $0.chainPin == nil }.map(\.key)
        return backups.contains { key in
            !(observations + otherObservations).contains { $0.hasKey(key.pin) }
        }
    }

    /// Notes the end of a certificate that was renewed with the same key.
    private mutating func updateEnd(of key: PinSet.PinnedKey) {
        for (pinIndex, old) in entry.pins.enumerated() where old.pin == key.pin && old.state == .backup {
            guard let end = key.notAfter, let noted = old.notAfter, end > noted else { continue }
            edit(.change(.notAfter(end), entry: index, pin: pinIndex))
        }
    }
}
