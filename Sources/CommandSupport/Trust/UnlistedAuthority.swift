internal import Encodings
package import Pinning

/// A trust anchor of the system's trust store that is not in the table of public CAs.
///
/// A private CA can be installed in the store on purpose, or by a program that intercepts connections.
package struct UnlistedAuthority {
    package let anchor: Certificate

    /// - Parameter source: the anchors that the chain was validated with.
    /// - Returns: nil if the chain is not valid, or if its anchor is a public CA or was named by the user or the pin set.
    package init?(of chain: CertificateChain, _ source: TrustSource) {
        guard let anchor = chain.anchor, KnownAuthorities.name(of: anchor.pin) == nil,
            source.anchors?.certificates.contains(anchor) != true
        else { return nil }
        self.anchor = anchor
    }

    /// The message of the finding, to be written after the name of the host.
    package var message: String {
        "the trust anchor \((anchor.subject?.displayName ?? "").quoted) is not in pinctl's list of public CAs "
            + "(\(KnownAuthorities.date))"
    }

    /// The hint of the finding.
    package static let step =
        "if this CA is not yours, the connection may be intercepted: compare with a run from another network"
}
