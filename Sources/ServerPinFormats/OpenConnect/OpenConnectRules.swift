internal import Encodings
public import PinSetCodec
internal import Pinning

/// `openconnect --servercert` (openconnect ca7bc36, main.c `validate_peer_cert`, gnutls.c `verify_peer`).
///
/// The option disables the system's trust store, so validation fails and openconnect compares only the server's key. The chain, the
/// name and the dates do not count. With `--cafile`, openconnect accepts a chain that validates and compares nothing.
enum OpenConnectRules: HostEntryRules {
    static func ruling(on connection: PinSetConnection) -> PlatformRuling {
        connection.leafKeyRuling(option: "--servercert")
    }

    static func rulingOnInvalidChain(_ connection: PinSetConnection) -> PlatformRuling {
        let ruling = connection.leafKeyRuling(
            option: "--servercert", note: "; the chain, the name and the dates do not count")
        guard ruling.verdict == .notPinned else { return ruling }
        return PlatformRuling(.rejects, "\(ruling.rule), and this chain does not validate")
    }
}

extension Platform {
    /// openconnect with `--servercert`.
    public static let openconnect = Platform("openconnect", isOnlyByName: true, OpenConnectRules.self)
}
