internal import Encodings
public import PinSetCodec
internal import Pinning

/// `ssl.ca_sha256` of Beats and Elastic Agent (elastic/elastic-agent-libs 004fa62e, transport/tlscommon/tls_config.go
/// `verifyCAPin`). After validation, the chain must contain a CA with a pinned key.
///
/// `ssl.ca_trusted_fingerprint`, which pinctl can read, is not a pin: it selects a trust anchor in the served chain. If no
/// certificate matches it, the other trust anchors are used.
enum ElasticRules: HostEntryRules {
    static func ruling(on connection: PinSetConnection) -> PlatformRuling {
        connection.authorityKeyRuling(option: "ssl.ca_sha256")
    }
}

extension Platform {
    /// Beats and Elastic Agent with `ssl.ca_sha256`.
    public static let elastic = Platform("elastic", isOnlyByName: true, ElasticRules.self)
}
