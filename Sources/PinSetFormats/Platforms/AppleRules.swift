internal import Encodings
public import PinSetCodec
internal import Pinning

/// `NSPinnedDomains` (Apple Developer Documentation, Information Property List).
///
/// A host is covered by its own entry, and by that of the name without its first label where it includes subdomains; their
/// lists are united. A CA pin must match at position 1 or up, a leaf pin at position 0, and both lists must match where both
/// are there. There is no expiry, no report-only mode and no IP address.
enum AppleRules: PlatformRules {
    static let takesAddresses = false

    static func ruling(on connection: PlatformConnection) -> PlatformRuling {
        guard !connection.isAddress else {
            return PlatformRuling(.notPinned, "NSPinnedDomains has no IP addresses")
        }
        let parent = connection.parents.first { $0.depth == 1 && $0.entry.subdomains != .none }?.entry
        let entries = [connection.ownEntry, parent].compactMap { $0 }
        guard !entries.isEmpty else {
            let isDeeper = connection.parents.contains { $0.entry.subdomains == .all }
            return PlatformRuling(
                .notPinned,
                isDeeper
                    ? "NSIncludesSubdomains covers one label more, and this host is deeper"
                    : "NSPinnedDomains has no key for this host")
        }
        let lists = entries.map { ApplePinLists($0.matchingPins) }
        let leaves = lists.flatMap(\.leaves)
        let authorities = lists.flatMap(\.authorities)
        let names = entries.map { connection.shown($0, subdomains: "NSIncludesSubdomains") }
        let subject = names.joined(separator: " and ")
        let assumed = lists.compactMap(\.assumption).first.map { " (\($0))" } ?? ""

        let leaf = connection.hit(leaves) { $0.certificate.position == 0 }
        if !leaves.isEmpty, leaf == nil {
            return PlatformRuling(
                .rejects, "NSPinnedLeafIdentities of \(subject) must match the leaf, and does not\(assumed)")
        }
        let authority = connection.hit(authorities) { $0.certificate.position >= 1 }
        if !authorities.isEmpty, authority == nil {
            return PlatformRuling(
                .rejects,
                "NSPinnedCAIdentities of \(subject) must match a certificate above the leaf, and none does\(assumed)")
        }
        let matched = [
            leaf.map { _ in "NSPinnedLeafIdentities has the pin of the leaf" },
            authority.map { "NSPinnedCAIdentities has the pin of the \($0.certificate.role.rawValue)" },
        ].compactMap { $0 }
        return PlatformRuling(.accepts, "of \(subject), \(matched.joined(separator: ", and "))\(assumed)")
    }
}

extension Platform {
    /// `NSPinnedDomains` of App Transport Security.
    public static let apple = Platform("apple", AppleRules.self)
}
