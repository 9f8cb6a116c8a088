internal import CommandSupport
internal import Encodings
internal import PinSetMaintenance
internal import Pinning

/// Pins and properties that a person adds to hosts of a pin set.
struct PinAddition {
    let keys: [PinSet.PinnedKey]
    /// The state of the pins; nil for backup, or active in a new entry.
    var state: PinSet.State?
    var expires: Timestamp?
    var subdomains: PinSet.Subdomains?

    /// - Parameter host: a normalized host.
    func changes(in set: PinSet, host: String) throws(CommandError) -> [PinSetEditor.Change] {
        guard let index = set.indices[host] else {
            return [try newEntry(host, below: set.entry(for: host))]
        }
        let entry = set.entries[index]
        try checkActivePinStays(in: entry)
        try checkBackups(in: entry)
        var changes = keys.flatMap { changesOfPins(for: $0, in: entry, at: index) }
        if let expires, expires != entry.expires {
            let text = "\(entry.host): the pins expire on \(expires.date)"
            changes.append(PinSetEditor.Change(.expires(expires, entry: index), text))
        }
        if let subdomains, subdomains != entry.subdomains {
            let text = "\(entry.host): \"subdomains\" is \(subdomains.rawValue.quoted)"
            changes.append(PinSetEditor.Change(.subdomains(subdomains, entry: index), text))
        }
        return changes
    }

    private func checkActivePinStays(in entry: PinSet.Entry) throws(CommandError) {
        guard let state, state != .active else { return }
        let active = entry.pins.filter { $0.state == .active }
        let isAnyLeft = active.contains { old in !keys.contains { $0.pin == old.pin && $0.role == old.role } }
        guard active.isEmpty || isAnyLeft else {
            throw CommandError(
                "\(entry.host.quoted) would have no active pin left",
                hint: "first add the pin that replaces it with --state active")
        }
    }

    /// Checks that no new backup is the key of an active pin, which a server uses.
    private func checkBackups(in entry: PinSet.Entry) throws(CommandError) {
        guard state ?? .backup == .backup else { return }
        for key in keys where !entry.pins.contains(where: { $0.pin == key.pin && $0.role == key.role }) {
            guard let active = entry.pins.first(where: { $0.pin == key.pin && $0.state == .active }) else { continue }
            throw CommandError(
                "\(entry.host.quoted): the key \(key.pin.base64) cannot be a backup: it is active in the set, with the role"
                    + " \(active.role.rawValue.quoted)",
                hint: "use a key that no server uses, or --state active to pin the key with both roles")
        }
    }

    /// - Parameter parent: the entry that covers the host until now; nil if none does.
    private func newEntry(_ host: String, below parent: PinSet.Entry?) throws(CommandError) -> PinSetEditor.Change {
        guard !keys.isEmpty else {
            throw CommandError(
                "the set has no host \(host.quoted): a new host needs a pin",
                hint: "use --from-cert, --from-csr, --from-key or --pin")
        }
        let state = state ?? .active
        do throws(PinSetError) {
            let entry = try PinSet.Entry(
                host: host, subdomains: subdomains ?? .none, expires: expires, pins: keys.map { $0.with(state) })
            let pins = entry.pins.map { $0.phrase(as: state) }.joined(separator: " and ")
            return PinSetEditor.Change(
                .insert(entry),
                "\(host): added the host with \(pins)"
                    + (parent.map { "; the pins of \($0.host.quoted) no longer apply to it" } ?? ""))
        } catch {
            throw CommandError(error.description, hint: error.hint)
        }
    }

    /// Returns the changes for one key: the key is added, an equal pin gets another state and loses its mark as gone, or nothing changes.
    private func changesOfPins(
        for key: PinSet.PinnedKey, in entry: PinSet.Entry, at index: Int
    ) -> [PinSetEditor.Change] {
        guard let position = entry.pins.firstIndex(where: { $0.pin == key.pin && $0.role == key.role }) else {
            let added = key.with(state ?? .backup)
            return [
                PinSetEditor.Change(
                    .add(added, entry: index), "\(entry.host): added \(added.phrase(as: added.state))")
            ]
        }
        let old = entry.pins[position]
        let wanted = state ?? (old.state == .retired ? .backup : old.state)
        var changes: [PinSetEditor.Change] = []
        if wanted != old.state {
            changes.append(
                PinSetEditor.Change(
                    .change(.state(wanted), entry: index, pin: position),
                    "\(entry.host): \(old.phrase(as: wanted)) was \(old.state.rawValue)"))
        }
        // The certificate of a CA was renewed with the same key.
        if let end = key.notAfter, let known = old.notAfter, end > known {
            changes.append(
                PinSetEditor.Change(
                    .change(.notAfter(end), entry: index, pin: position),
                    "\(entry.host): \"notAfter\" of this pin is \(end.date)"))
        }
        // If "goneSince" stayed, the next refresh could retire the pin that a person wants now.
        if old.goneSince != nil {
            changes.append(
                PinSetEditor.Change(
                    .change(.goneSince(nil), entry: index, pin: position),
                    "\(entry.host): removed \"goneSince\" of this pin"))
        }
        return changes
    }
}

extension PinSet.PinnedKey {
    fileprivate func with(_ state: PinSet.State) -> PinSet.PinnedKey {
        PinSet.PinnedKey(pin: pin, role: role, state: state, label: label, notAfter: notAfter, added: added)
    }
}
