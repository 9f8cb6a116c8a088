internal import Encodings
public import PinSetCodec
internal import Pinning

/// `pinned_certs` of a NATS server for its peers: routes, gateways and leaf nodes (nats-server 1787eee, server/auth.go
/// `matchesPinnedCert`, server/client.go `doTLSHandshake`).
///
/// In the `tls` block of a client listener, the peer is the client, so the pins apply to client certificates.
enum NATSRules: HostEntryRules {
    static func ruling(on connection: PinSetConnection) -> PlatformRuling {
        connection.leafKeyRuling(option: "pinned_certs")
    }
}

extension Platform {
    /// A NATS server that connects to another one.
    public static let nats = Platform("nats", isOnlyByName: true, NATSRules.self)
}
