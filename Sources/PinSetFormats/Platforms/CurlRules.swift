public import PinSetCodec
internal import Pinning

/// `--pinnedpubkey` of curl and wget (curl(1), wget(1)): the server's own key and no other.
///
/// The string contains the pins of the entry that decides for the host, without pins of CAs. It does not expire,
/// and there is no report-only mode.
enum CurlRules: PlatformRules {
    static func refusal(of connection: PlatformConnection) -> PlatformRuling? {
        connection.retiredEntry(among: connection.set.entries(for: connection.host).prefix(1).map { $0 })
    }

    static func ruling(on connection: PlatformConnection) -> PlatformRuling {
        guard let entry = connection.set.entry(for: connection.host) else {
            return PlatformRuling(.notPinned, "the set has no pins for this host, so there is no --pinnedpubkey")
        }
        let pins = entry.leafPins
        guard !pins.isEmpty else {
            return PlatformRuling(
                .notPinned, "--pinnedpubkey compares the leaf alone, and every pin of \(entry.name) is of a CA")
        }
        guard connection.hit(pins, where: { $0.certificate.position == 0 }) != nil else {
            return PlatformRuling(
                .rejects,
                "--pinnedpubkey compares the leaf alone, and no pin of \(entry.name) is the leaf's: curl exits 90, wget 5"
            )
        }
        return PlatformRuling(
            .accepts, "--pinnedpubkey compares the leaf alone, and a pin of \(entry.name) is the leaf's")
    }
}

extension PinSet.Entry {
    /// Pins that a converter writes for a platform that compares only the leaf.
    var leafPins: [PinSet.PinnedKey] { matchingPins.filter { $0.role == .leaf || $0.role == .any } }
}

extension Platform {
    /// `--pinnedpubkey` of curl and wget.
    public static let curl = Platform("curl", CurlRules.self)
}
