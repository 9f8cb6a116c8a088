internal import Encodings
public import PinSetCodec
internal import Pinning

/// TrustKit for Apple's platforms (TrustKit's documentation, "Configuration").
///
/// The whole configuration is refused, which stops the app, where an entry that enforces has fewer than two pins, or a host has
/// no public suffix. The host's own key decides, or else the longest parent with `TSKIncludeSubdomains`. From the start of the
/// day of `TSKExpirationDate` in UTC nothing is compared.
enum TrustKitRules: PlatformRules {
    static func refusal(of connection: PlatformConnection) -> PlatformRuling? {
        // A converter leaves IP addresses out.
        let entries = connection.set.entries.filter { !$0.isAddress }
        if let ruling = connection.retiredEntry(among: entries) { return ruling }
        for entry in entries {
            if let reason = SpecialUseName.reason(of: entry.name) {
                return PlatformRuling(
                    .refusesConfig,
                    "a host must end in a public suffix, and that of \(entry.name) does not, for \(reason): the app stops at"
                        + " start")
            }
            if entry.enforce, entry.countOfPins < 2 {
                return PlatformRuling(
                    .refusesConfig,
                    "an entry that enforces needs two pins, and \(entry.name) has one: the app stops at start")
            }
        }
        return nil
    }

    static func ruling(on connection: PlatformConnection) -> PlatformRuling {
        guard !connection.isAddress else {
            return PlatformRuling(.notPinned, "TSKPinnedDomains has no IP addresses")
        }
        guard let entry = connection.longestEntry else {
            return PlatformRuling(.notPinned, "no key of TSKPinnedDomains covers this host")
        }
        if let day = entry.expiryDay, connection.now >= day {
            return PlatformRuling(
                .notPinned, "TSKExpirationDate, \(day.date) in UTC, has come: the host is treated as not pinned")
        }
        let name = connection.shown(entry, subdomains: "TSKIncludeSubdomains")
        let pins = entry.matchingPins
        if let hit = connection.hit(pins, where: { canHash($0.key) }) {
            return PlatformRuling(
                .accepts,
                "the longest key that covers the host, \(name), has the pin of the \(hit.certificate.role.rawValue)")
        }
        let reason: String
        if let hit = connection.hit(pins) {
            let key = hit.key?.description ?? ""
            reason = "has only the pin of the \(hit.certificate.role.rawValue), whose \(key) key TrustKit cannot hash"
        } else {
            reason = "has no pin of this chain"
        }
        let sentence = "the longest key that covers the host, \(name), \(reason)"
        return entry.enforce
            ? PlatformRuling(.rejects, sentence)
            : PlatformRuling(.accepts, "\(sentence), which TSKEnforcePinning NO only reports")
    }

    /// TrustKit puts the start of the SubjectPublicKeyInfo before the key by itself, and knows it for these kinds only.
    private static func canHash(_ key: KeyDescription?) -> Bool {
        guard let key else { return true }
        switch key.type {
        case "RSA": return [2048, 3072, 4096].contains(key.bits)
        case "EC": return ["P-256", "P-384"].contains(key.curve)
        default: return false
        }
    }
}

extension Platform {
    /// TrustKit for Apple's platforms.
    public static let trustkit = Platform("trustkit", TrustKitRules.self)
}
