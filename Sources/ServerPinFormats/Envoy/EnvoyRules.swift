internal import Encodings
public import PinSetCodec
internal import Pinning

/// Envoy's default validator (envoyproxy/envoy 00fc27cc, source/common/tls/cert_validator/default_validator.cc
/// `doVerifyCertChain`). With `trusted_ca`, which pinctl writes, the chain must validate, and the server's key must also be in the
/// list.
///
/// Without `trusted_ca`, only the list counts.
enum EnvoyRules: HostEntryRules {
    static func ruling(on connection: PinSetConnection) -> PlatformRuling {
        connection.leafKeyRuling(option: "verify_certificate_spki")
    }

    static func rulingOnInvalidChain(_: PinSetConnection) -> PlatformRuling {
        PlatformRuling(
            .rejects,
            "with trusted_ca, Envoy validates the chain first, and this one does not validate; without it, only the pins count"
        )
    }
}

extension Platform {
    /// An upstream TLS context of Envoy.
    public static let envoy = Platform("envoy", isOnlyByName: true, EnvoyRules.self)
}
