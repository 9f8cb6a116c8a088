internal import Encodings
public import PinSetCodec
internal import Pinning

/// `kubeadm join`: the pins are of the cluster's CA (kubernetes 038dec7f, cmd/kubeadm/app/discovery/token/token.go).
///
/// kubeadm reads the cluster's CA certificates over an unverified connection, compares each with the pins, and then connects
/// again with these certificates as the only trust anchors. So a pin of the served leaf does not match, and the anchor of the chain is
/// the CA that is compared. Without pins, kubeadm requires `unsafeSkipCAVerification`.
enum KubeadmRules: PinSetRules {
    static func refusal(of connection: PinSetConnection) -> PlatformRuling? {
        connection.retiredEntry(among: [connection.ownEntry].compactMap { $0 })
    }

    static func ruling(on connection: PinSetConnection) -> PlatformRuling {
        guard let entry = connection.ownEntry else {
            return PlatformRuling(.notPinned, "no caCertHashes are for this host")
        }
        let pins = entry.pinsOfAuthorities
        guard !pins.isEmpty else {
            return PlatformRuling(
                .notPinned, "caCertHashes are of the cluster's CA, and every pin of \(entry.name) is of a leaf")
        }
        guard let hit = connection.hit(pins, where: { $0.certificate.position >= 1 }) else {
            return PlatformRuling(.rejects, "caCertHashes have no pin of a CA of this chain")
        }
        let isAnchor = hit.certificate.position == connection.chain.map(\.certificate.position).max()
        return PlatformRuling(
            .accepts,
            isAnchor
                ? "caCertHashes have the pin of the \(hit.certificate.role.rawValue), the trust anchor of this chain"
                : "caCertHashes have the pin of an intermediate, if the cluster's CA certificates contain it")
    }
}

extension Platform {
    /// `kubeadm join` with a token.
    public static let kubeadm = Platform("kubeadm", isOnlyByName: true, KubeadmRules.self)
}
