internal import Encodings
public import PinSetCodec
internal import Pinning

/// `aiohttp.Fingerprint` (aiohttp 3.14, 495e777, aiohttp/connector.py `_get_ssl_context`, client_reqrep.py `Fingerprint.check`).
///
/// If `ssl` is a fingerprint, aiohttp does not validate the chain, the name or the dates. Only the server's certificate counts.
enum AIOHTTPRules: HostEntryRules {
    static func ruling(on connection: PinSetConnection) -> PlatformRuling {
        connection.fingerprintRuling(list: "aiohttp.Fingerprint")
    }

    static func rulingOnInvalidChain(_ connection: PinSetConnection) -> PlatformRuling {
        let ruling = connection.fingerprintRuling(list: "aiohttp.Fingerprint")
        guard ruling.verdict == .notPinned else {
            return PlatformRuling(ruling.verdict, "\(ruling.rule); the chain, the name and the dates do not count")
        }
        return PlatformRuling(.rejects, "\(ruling.rule), and this chain does not validate")
    }
}

extension Platform {
    /// aiohttp with a fingerprint.
    public static let aiohttp = Platform("aiohttp", isOnlyByName: true, AIOHTTPRules.self)
}
