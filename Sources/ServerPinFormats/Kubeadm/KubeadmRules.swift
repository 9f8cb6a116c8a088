internal import Encodings
public import PinSetCodec
internal import Pinning

/// `kubeadm join`, which compares only keys of the cluster's CA (kubernetes 038dec7f, cmd/kubeadm/app/discovery/token/token.go).
///
/// kubeadm reads the cluster's CA certificates over an unverified connection and compares each with the pins. Then it connects
/// again, and these certificates are the only trust anchors. So a pin of the served leaf never matches, and the anchor of the chain
/// is the CA that was compared. Without pins, kubeadm requires `unsafeSkipCAVerification`.
enum KubeadmRules: HostEntryRules {
    static func ruling(on connection: PinSetConnection) -> PlatformRuling {
        let anchor = connection.chain.map(\.certificate.position).max()
        return connection.authorityKeyRuling(option: "caCertHashes") { hit in
            hit.certificate.position == anchor
                ? ", the trust anchor of this chain" : ", which counts if it is one of the cluster's CA certificates"
        }
    }
}

extension Platform {
    /// `kubeadm join` with a token.
    public static let kubeadm = Platform("kubeadm", isOnlyByName: true, KubeadmRules.self)
}
