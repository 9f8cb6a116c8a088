internal import Encodings
internal import PinSetCodec
internal import Pinning

/// The leaf list and the CA list of `NSPinnedDomains` for an entry.
///
/// A pin set requires one match. Apple's systems require a match in **each** list that exists: a certificate in position 0 for
/// `NSPinnedLeafIdentities`, and one in position 1 or higher for `NSPinnedCAIdentities`. So the written lists never accept a chain
/// that the set rejects, but they can reject a chain that the set accepts. The following rules make this rare. Each use of a rule
/// is a warning:
///
/// - `leaf` pins are in the leaf list; `ca`, `intermediate` and `root` pins are in the CA list.
/// - If one list would contain only backup pins and the other list has active pins, the first list is omitted. It would block the
///   host at once, because no current certificate matches a backup pin.
/// - If both lists have active pins, both are written, and both must match.
/// - A pin for any role does not cause a second list. It is added to the existing list, or to both lists if both exist. If no list
///   exists, it is added to the CA list, because the pin of a CA stays valid when the leaf changes. The pin does not match in the
///   positions of the other list.
struct ApplePinLists {
    let leaves: [PinSet.PinnedKey]
    let authorities: [PinSet.PinnedKey]

    /// The pins of a list that was omitted.
    private let leftOut: [PinSet.PinnedKey]
    /// The pins for any role.
    private let anywhere: [PinSet.PinnedKey]

    /// - Parameter pins: the pins of an entry that can match.
    init(_ pins: [PinSet.PinnedKey]) {
        let ofLeaf = pins.filter { $0.role == .leaf }
        let ofAuthority = pins.filter { $0.role != .leaf && $0.role != .any }
        anywhere = pins.filter { $0.role == .any }

        let hasLeaves = ofLeaf.hasActive || !ofLeaf.isEmpty && !(ofAuthority + anywhere).hasActive
        let hasAuthorities = ofAuthority.hasActive || !ofAuthority.isEmpty && !ofLeaf.hasActive
        leftOut = (hasLeaves ? [] : ofLeaf) + (hasAuthorities ? [] : ofAuthority)
        let anywhereIsAuthority = hasAuthorities || !hasLeaves
        leaves = pins.filter { hasLeaves && ($0.role == .leaf || $0.role == .any) }
        var known: Set<Pin> = []
        authorities = pins.filter { key in
            let isThere = key.role == .any ? anywhereIsAuthority : key.role != .leaf && hasAuthorities
            // For one key, the roles `ca` and `root` give the same element.
            return isThere && known.insert(key.pin).inserted
        }
    }

    /// The assumptions about pins of any role and about omitted lists; nil if the entry needs no assumption.
    var assumption: String? {
        var assumed: [String] = []
        if !anywhere.isEmpty {
            let list = leaves.isEmpty ? "the CA list" : authorities.isEmpty ? "the leaf list" : "both lists"
            assumed.append("pins with the role \"any\" taken as written to \(list)")
        }
        for (isLeaf, list) in [(true, "the leaf list"), (false, "the CA list")]
        where leftOut.contains(where: { ($0.role == .leaf) == isLeaf }) {
            assumed.append("\(list) is left out, because it would contain only backup pins")
        }
        return assumed.isEmpty ? nil : assumed.joined(separator: ", ")
    }

    /// Adds warnings about settings of `host` that the lists do not represent.
    func addWarnings(for host: String, _ warnings: inout ConversionWarnings) {
        let hasBackup = (leaves + authorities).contains { $0.state == .backup }
        for key in leftOut {
            warnings.add(.backupListLeftOut(key, others: hasBackup), of: host)
        }
        if leaves.contains(where: { $0.role == .leaf }), authorities.contains(where: { $0.role != .any }) {
            warnings.add(.bothListsMustMatch, of: host)
        }
        if leaves.isEmpty != authorities.isEmpty {
            let scope: ConversionWarning.PinScope = authorities.isEmpty ? .leafOnly : .authoritiesOnly
            for key in anywhere { warnings.add(.roleNotSupported(key, scope), of: host) }
        }
        for key in authorities where key.role == .intermediate || key.role == .root {
            warnings.add(.roleNotSupported(key, .anyAuthority), of: host)
        }
    }
}
