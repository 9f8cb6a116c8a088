internal import Encodings
public import PinSetCodec
internal import Pinning

/// `kubeadm join`, which compares only keys of the cluster's CA (kubernetes 038dec7f, cmd/kubeadm/app/discovery/token/token.go).
///
/// kubeadm reads the cluster's CA certificates over an unverified connection and compares each with the pins. Then it connects
/// again, and these certificates are the only trust anchors. So a pin of the served leaf never matches, and the anchor of the chain
/// is the CA that was compared. Without pins, kubeadm requires `unsafeSkipCAVerification`.
enum KubeadmRules: PinSetRules {
    static func refusal(of connection: PinSetConnection) -> PlatformRuling? {
        connection.retiredEntry(among: [connection.ownEntry].compactMap { $0 })
    }

    static func ruling(on connection: PinSetConnection) -> PlatformRuling {
        guard let entry = connection.ownEntry else {
            return PlatformRuling(.notPinned, "there are no caCertHashes for this host")
        }
        let pins = entry.pinsOfAuthorities
        guard !pins.isEmpty else {
            return PlatformRuling(
                .notPinned,
                "caCertHashes contain only pins of the cluster's CA, and every pin of \(entry.name) is of a leaf")
        }
        guard let hit = connection.hit(pins, where: { $0.certificate.position >= 1 }) else {
            return PlatformRuling(.rejects, "caCertHashes contain no pin of a CA in this chain")
        }
        let isAnchor = hit.certificate.position == connection.chain.map(\.certificate.position).max()
        return PlatformRuling(
            .accepts,
            isAnchor
                ? "caCertHashes contain the pin of the \(hit.certificate.role.rawValue), the trust anchor of this chain"
                : "caCertHashes contain the pin of an intermediate, which counts if it is one of the cluster's CA certificates"
        )
    }
}

extension Platform {
    /// `kubeadm join` with a token.
    public static let kubeadm = Platform("kubeadm", isOnlyByName: true, KubeadmRules.self)
}
