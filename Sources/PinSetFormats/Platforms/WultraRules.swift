internal import Encodings
public import PinSetCodec
internal import Pinning

/// WultraSSLPinning: fingerprints of the server's own certificate, by exact host name.
///
/// A fingerprint comes of a certificate, which the set does not hold: the one that the server presents is taken to be at hand
/// where its key is pinned. Any fingerprint of the name that has not expired is enough.
enum WultraRules: PlatformRules {
    static func refusal(of connection: PlatformConnection) -> PlatformRuling? {
        connection.retiredEntry(among: [connection.ownEntry].compactMap { $0 })
    }

    static func ruling(on connection: PlatformConnection) -> PlatformRuling {
        guard !connection.isAddress else {
            return PlatformRuling(.notPinned, "fingerprints are for names, not for IP addresses")
        }
        guard let entry = connection.ownEntry else {
            let isBelow = connection.parents.contains { $0.entry.subdomains != .none }
            return PlatformRuling(
                .notPinned,
                "there is no fingerprint with this name" + (isBelow ? ": a name covers nothing below it" : ""))
        }
        guard !entry.leafPins.isEmpty else {
            return PlatformRuling(
                .notPinned, "a fingerprint is of the leaf certificate, and every pin of \(entry.name) is of a CA")
        }
        if let expires = entry.expires, entry.isExpired(at: connection.now) {
            return PlatformRuling(
                .notPinned, "every fingerprint of \(entry.name) expired at \(expires), and counts no more")
        }
        guard connection.hit(entry.leafPins, where: { $0.certificate.position == 0 }) != nil else {
            return PlatformRuling(
                .rejects, "a fingerprint is of the leaf certificate, and no pin of \(entry.name) is of this leaf's key")
        }
        return PlatformRuling(
            .accepts,
            "a fingerprint of \(entry.name) is of the leaf certificate, if it was made of the one that the server has now"
        )
    }
}

extension Platform {
    /// WultraSSLPinning.
    public static let wultra = Platform("wultra", WultraRules.self)
}
