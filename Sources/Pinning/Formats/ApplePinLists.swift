/// Which pins of an entry stand in which of the two lists of `NSPinnedDomains`.
///
/// A pin set is content with one pin that matches; Apple's systems demand a match in **each** list that is there: a certificate
/// at position 0 for `NSPinnedLeafIdentities`, one at position 1 or up for `NSPinnedCAIdentities`. So nothing that is written
/// accepts a chain that the set refuses, and the only harm is to refuse chains that it accepts. The rules keep that small, and
/// each that applies is told:
///
/// - `leaf` goes to the leaf list; `ca`, `intermediate` and `root` to the list of authorities.
/// - Where one list would hold nothing but backup pins beside active ones in the other, it is left out: no certificate of
///   today matches a backup pin, so it would block the host at once.
/// - Where both have active pins, both are written, and both must match.
/// - A pin for any place brings no second list into being: it goes to the one that is there, to both if both are, and to the
///   list of authorities if there is none, for that is where a pin outlives the next certificate. Such a pin does not match
///   in the other place.
struct ApplePinLists {
    let leaves: [PinSet.PinnedKey]
    let authorities: [PinSet.PinnedKey]

    /// - Parameter pins: those of `entry` that can match.
    init(of entry: PinSet.Entry, pins: [PinSet.PinnedKey], losses: inout FormatLosses) {
        let leaves = pins.filter { $0.role == .leaf }
        let authorities = pins.filter { $0.role != .leaf && $0.role != .any }
        let anywhere = pins.filter { $0.role == .any }

        let leavesWait = !leaves.isEmpty && !Self.hasActive(leaves)
        let authoritiesWait = !authorities.isEmpty && !Self.hasActive(authorities)
        let hasLeaves = !leaves.isEmpty && !(leavesWait && Self.hasActive(authorities + anywhere))
        let hasAuthorities = !authorities.isEmpty && !(authoritiesWait && Self.hasActive(leaves))
        if !leaves.isEmpty, !hasLeaves { Self.addLeftOut(leaves, "leaf", of: entry, losses: &losses) }
        if !authorities.isEmpty, !hasAuthorities { Self.addLeftOut(authorities, "CA", of: entry, losses: &losses) }
        if hasLeaves, hasAuthorities {
            losses.add(
                "a leaf pin and a CA pin must both match, where the set is content with one", host: entry.host)
        }

        let anywhereIsLeaf = hasLeaves
        let anywhereIsAuthority = hasAuthorities || !hasLeaves
        if !anywhere.isEmpty, anywhereIsLeaf != anywhereIsAuthority {
            losses.add(
                anywhereIsLeaf
                    ? "the role \"any\" cannot be said: these pins match the leaf and no CA"
                    : "the role \"any\" cannot be said: these pins match a CA and no leaf; give the server's own keys the role"
                        + " \"leaf\"", host: entry.host)
        }
        if hasAuthorities { Self.addRoles(authorities, of: entry, losses: &losses) }

        self.leaves = pins.filter { $0.role == .leaf ? hasLeaves : $0.role == .any && anywhereIsLeaf }
        self.authorities = pins.filter {
            $0.role == .any ? anywhereIsAuthority : $0.role != .leaf && hasAuthorities
        }
    }

    private static func hasActive(_ pins: [PinSet.PinnedKey]) -> Bool {
        pins.contains { $0.state == .active }
    }

    private static func addLeftOut(
        _ pins: [PinSet.PinnedKey], _ kind: String, of entry: PinSet.Entry, losses: inout FormatLosses
    ) {
        for pin in pins {
            losses.add(
                "the backup pin \(pin.pin.base64) is left out: a list of \(kind) pins must match beside the other list, and"
                    + " no certificate in use matches this one", host: entry.host)
        }
    }

    private static func addRoles(
        _ pins: [PinSet.PinnedKey], of entry: PinSet.Entry, losses: inout FormatLosses
    ) {
        for role in [PinSet.AllowedRole.intermediate, .root] where pins.contains(where: { $0.role == role }) {
            losses.add("the role \(role.rawValue.quoted) becomes any CA", host: entry.host)
        }
    }
}
