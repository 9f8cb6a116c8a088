internal import Encodings
internal import PinSetMaintenance
package import Pinning

/// A change of a pinned key, as the title of a finding: `root changed: X → Y`.
package enum KeyChange {
    /// The change from the pins of an entry to a chain that contains none of them: the change of the highest certificate that is
    /// pinned. Nil if no pin is for a known position.
    package static func title(from pins: [PinSet.PinnedKey], to chain: CertificateChain) -> String? {
        let active = pins.filter { $0.state == .active }
        for role in Role.allCases.reversed() {
            let allowed = PinSet.AllowedRole(role)
            guard let old = active.first(where: { $0.role == allowed }),
                let entry = chain.entries.first(where: { $0.role == role })
            else { continue }
            return title(role.rawValue, old, to: entry)
        }
        guard let old = active.first(where: { $0.role == .ca }),
            let entry = chain.entries.last(where: { $0.role != .leaf })
        else { return nil }
        return title("CA", old, to: entry)
    }

    /// The change of one certificate.
    ///
    /// - Parameter subject: the role of the certificate.
    package static func title(
        _ subject: String, _ old: PinSet.PinnedKey, to entry: CertificateChain.Entry
    ) -> String {
        let new = entry.certificate
        let names = (
            old.role == .leaf ? nil : old.shownLabel ?? KnownAuthorities.name(of: old.pin),
            entry.role == .leaf ? nil : KnownAuthorities.name(of: new.pin) ?? new.subject?.displayName
        )
        guard let oldName = names.0, let newName = names.1, oldName != newName, newName != old.label else {
            return "\(subject) key changed: \(short(old.pin)) → \(short(new.pin))"
        }
        return "\(subject) changed: \(oldName) → \(newName)"
    }

    /// The start of a pin, by which a person recognizes it in the message.
    private static func short(_ pin: Pin) -> String { pin.base64.prefix(6) + "…" }
}
