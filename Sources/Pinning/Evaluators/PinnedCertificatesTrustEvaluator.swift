internal import Encodings

/// Accepts a chain in which some certificate is, byte for byte, one of those pinned.
///
/// A certificate is replaced at every renewal, and its pin with it; ``PublicKeysTrustEvaluator`` outlives renewals that keep the
/// key.
public struct PinnedCertificatesTrustEvaluator: ServerTrustEvaluator {
    private let pinned: Set<Certificate>
    private let ownAnchors: TrustAnchors?
    private let performDefaultValidation: Bool
    private let validateHost: Bool

    /// - Parameters:
    ///   - certificates: the server's, or those of authorities above it. None: every server is refused.
    ///   - acceptSelfSignedCertificates: makes the pinned certificates the only trust anchors, self-signed or not.
    ///   - performDefaultValidation: whether the chain must validate.
    ///   - validateHost: whether the chain must validate and the server's certificate be for the host. With neither of the two,
    ///     dates, names and signatures count for nothing, and the server's own certificate alone can match.
    public init(
        certificates: [Certificate], acceptSelfSignedCertificates: Bool = false, performDefaultValidation: Bool = true,
        validateHost: Bool = true
    ) {
        pinned = Set(certificates)
        ownAnchors = acceptSelfSignedCertificates ? TrustAnchors(certificates) : nil
        self.performDefaultValidation = performDefaultValidation
        self.validateHost = validateHost
    }

    public func evaluate(_ trust: ServerTrust, forHost host: String) throws(ServerTrustError) {
        guard !pinned.isEmpty else { throw ServerTrustError(self, host, .nothingToCheck) }
        let entries = try trust.pinnable(
            for: self, host, to: ownAnchors, performDefaultValidation: performDefaultValidation,
            validateHost: validateHost
        )
        guard entries.contains(where: { pinned.contains($0.certificate) }) else {
            throw ServerTrustError(self, host, .certificateNotPinned(compared: entries.map(\.certificate)))
        }
    }
}
