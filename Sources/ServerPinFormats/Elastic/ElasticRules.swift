internal import Encodings
public import PinSetCodec
internal import Pinning

/// `ssl.ca_sha256` of Beats and Elastic Agent (elastic/elastic-agent-libs 004fa62e, transport/tlscommon/tls_config.go
/// `verifyCAPin`). After validation, the chain must contain a CA with a pinned key.
///
/// `ssl.ca_trusted_fingerprint`, which pinctl can read, is not a pin: it selects a trust anchor in the served chain. If no
/// certificate matches it, the other trust anchors are used.
enum ElasticRules: PinSetRules {
    static func refusal(of connection: PinSetConnection) -> PlatformRuling? {
        connection.retiredEntry(among: [connection.ownEntry].compactMap { $0 })
    }

    static func ruling(on connection: PinSetConnection) -> PlatformRuling {
        guard let entry = connection.ownEntry else {
            return PlatformRuling(.notPinned, "there is no ssl.ca_sha256 for this host")
        }
        let pins = entry.pinsOfAuthorities
        guard !pins.isEmpty else {
            return PlatformRuling(
                .notPinned, "ssl.ca_sha256 compares only CAs, and every pin of \(entry.name) is of a leaf")
        }
        guard let hit = connection.hit(pins, where: { $0.certificate.position >= 1 }) else {
            return PlatformRuling(.rejects, "ssl.ca_sha256 of \(entry.name) has no pin of a CA in this chain")
        }
        return PlatformRuling(
            .accepts, "ssl.ca_sha256 of \(entry.name) has the pin of the \(hit.certificate.role.rawValue)")
    }
}

extension Platform {
    /// Beats and Elastic Agent with `ssl.ca_sha256`.
    public static let elastic = Platform("elastic", isOnlyByName: true, ElasticRules.self)
}
