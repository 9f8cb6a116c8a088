internal import Encodings
public import PinSetCodec
internal import Pinning

/// stubby with `tls_pubkey_pinset` (getdns f8c95b4, src/openssl/tls.c `_getdns_tls_connection_set_host_pinset`).
///
/// getdns uses each pin as two DANE records: for the leaf (3 1 1), and for a trust anchor in the served chain (2 1 1). If the leaf
/// matches, an unknown issuer is accepted. How getdns combines this with other validation errors is unknown.
enum StubbyRules: PinSetRules {
    static func refusal(of connection: PinSetConnection) -> PlatformRuling? {
        connection.retiredEntry(among: [connection.ownEntry].compactMap { $0 })
    }

    static func ruling(on connection: PinSetConnection) -> PlatformRuling {
        guard let entry = connection.ownEntry else {
            return PlatformRuling(.notPinned, "there is no tls_pubkey_pinset for this host")
        }
        guard let hit = connection.hit(entry.matchingPins) else {
            return PlatformRuling(.rejects, "tls_pubkey_pinset of \(entry.name) has no pin of this chain")
        }
        let note = hit.certificate.position == 0 ? "" : ", if the server sends this certificate"
        return PlatformRuling(
            .accepts, "tls_pubkey_pinset of \(entry.name) has the pin of the \(hit.certificate.role.rawValue)\(note)")
    }
}

extension Platform {
    /// stubby with getdns.
    public static let stubby = Platform("stubby", isOnlyByName: true, StubbyRules.self)
}
