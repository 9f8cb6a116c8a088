internal import CommandSupport
internal import Encodings
internal import PinSetMaintenance
internal import Pinning

/// Pins that a person retires.
struct PinRetirement {
    let pins: [Pin]
    /// Normalized hosts; empty for all hosts with one of the pins.
    let hosts: Set<String>

    func changes(in set: PinSet) throws(CommandError) -> [PinSetEditor.Change] {
        var changes: [PinSetEditor.Change] = []
        var found: Set<Pin> = []
        for (index, entry) in set.entries.enumerated() where hosts.isEmpty || hosts.contains(entry.name) {
            let retired = entry.pins.indices.filter { pins.contains(entry.pins[$0].pin) }
            found.formUnion(retired.map { entry.pins[$0].pin })
            let changed = retired.filter { entry.pins[$0].state != .retired }
            for pin in retired where entry.pins[pin].state == .retired { changes += release(pin, of: entry, at: index) }
            guard !changed.isEmpty else { continue }
            let isActiveLeft = entry.pins.indices.contains { !retired.contains($0) && entry.pins[$0].state == .active }
            guard isActiveLeft else {
                throw CommandError(
                    "\(entry.host.quoted) would have no active pin left",
                    hint:
                        "add the pin that replaces it, or activate a backup that is in use, with pinctl add --state active"
                )
            }
            for pin in changed {
                let key = entry.pins[pin]
                changes.append(
                    PinSetEditor.Change(
                        .change(.state(.retired), entry: index, pin: pin),
                        "\(entry.host): retired \(key.phrase(as: key.state))"))
                changes += release(pin, of: entry, at: index)
            }
        }
        if let missing = pins.first(where: { !found.contains($0) }) {
            throw CommandError(
                "no \(hosts.isEmpty ? "host of the set" : "given host") has the pin \(missing.base64)",
                hint: "check the pin with pinctl hash, and the host")
        }
        return changes
    }

    /// Removes the date since which a pin is gone. If a server uses a retired pin with this date, a refresh makes it active again. But a pin
    /// that a person retires must stay retired, also if a refresh has retired it before.
    private func release(_ pin: Int, of entry: PinSet.Entry, at index: Int) -> [PinSetEditor.Change] {
        let key = entry.pins[pin]
        guard key.goneSince != nil else { return [] }
        let name = key.state == .retired ? key.phrase(as: key.state) : "this pin"
        return [
            PinSetEditor.Change(
                .change(.goneSince(nil), entry: index, pin: pin), "\(entry.host): removed \"goneSince\" of \(name)")
        ]
    }
}
