internal import Encodings
public import PinSetCodec
internal import Pinning

/// `trusted-cert` of openfortivpn (1.24.1, cce87c7, src/tunnel.c `ssl_verify_cert`), which is a list of exceptions, not of pins.
///
/// If a chain validates, openfortivpn accepts it without a comparison. Otherwise the server's certificate must be in the list.
enum OpenFortiVPNRules: HostEntryRules {
    static func ruling(on _: PinSetConnection) -> PlatformRuling {
        PlatformRuling(.notPinned, "the chain validates, and openfortivpn compares trusted-cert only if it does not")
    }

    static func rulingOnInvalidChain(_ connection: PinSetConnection) -> PlatformRuling {
        let ruling = connection.fingerprintRuling(list: "trusted-cert")
        guard ruling.verdict == .notPinned else {
            return PlatformRuling(ruling.verdict, "\(ruling.rule); the name and the dates do not count")
        }
        return PlatformRuling(.rejects, "\(ruling.rule), and this chain does not validate")
    }
}

extension Platform {
    /// openfortivpn with `trusted-cert`.
    public static let openfortivpn = Platform("openfortivpn", isOnlyByName: true, OpenFortiVPNRules.self)
}
