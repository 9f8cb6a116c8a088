internal import Encodings
internal import PinSetCodec
internal import Pinning

/// The leaf list and the CA list of `NSPinnedDomains` for an entry.
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
/// - A pin for any place creates no second list: it goes to the one that is there, to both if both are, and to the
///   list of authorities if there is no other, because that is where a pin outlives the next certificate. Such a pin does not match
///   in the other place.
struct ApplePinLists {
    let leaves: [PinSet.PinnedKey]
    let authorities: [PinSet.PinnedKey]

    /// The pins whose list is left out.
    private let leftOut: [PinSet.PinnedKey]
    /// The pins for any place.
    private let anywhere: [PinSet.PinnedKey]

    /// - Parameter pins: those of an entry that can match.
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
            // `ca` and `root` of one key are the same here.
            return isThere && known.insert(key.pin).inserted
        }
    }

    /// What was decided where a set leaves it open; nil where it says all.
    var assumption: String? {
        var assumed: [String] = []
        if !anywhere.isEmpty {
            let list = leaves.isEmpty ? "the CA list" : authorities.isEmpty ? "the leaf list" : "both lists"
            assumed.append("pins with the role \"any\" taken as written to \(list)")
        }
        for (isLeaf, list) in [(true, "the leaf list"), (false, "the CA list")]
        where leftOut.contains(where: { ($0.role == .leaf) == isLeaf }) {
            assumed.append("\(list) left out, for it would hold backup pins only")
        }
        return assumed.isEmpty ? nil : assumed.joined(separator: ", ")
    }

    /// Tells what the lists do not say of the entry of `host`.
    func tell(of host: String, _ warnings: inout ConversionWarnings) {
        for key in leftOut {
            warnings.add(.backupListLeftOut(key), of: host)
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

extension [PinSet.PinnedKey] {
    fileprivate var hasActive: Bool { contains { $0.state == .active } }
}
