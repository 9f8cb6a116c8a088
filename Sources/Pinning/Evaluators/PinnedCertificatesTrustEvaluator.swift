internal import Encodings

/// Accepts a chain that contains one of the pinned certificates.
///
/// Every renewal replaces the certificate, so the new one must be pinned. ``PublicKeysTrustEvaluator`` also accepts a renewed
/// certificate with the same key.
public struct PinnedCertificatesTrustEvaluator: ServerTrustEvaluator {
    private let pinned: Set<Certificate>
    private let ownAnchors: TrustAnchors?
    private let performDefaultValidation: Bool
    private let validateHost: Bool

    /// - Parameters:
    ///   - certificates: certificates of servers or CAs. If empty, every server is refused.
    ///   - acceptSelfSignedCertificates: whether the pinned certificates are the only trust anchors, self-signed or not.
    ///   - performDefaultValidation: whether the chain must be valid.
    ///   - validateHost: whether the chain must be valid and the server's certificate valid for the host. If both are false,
    ///     dates, names and signatures are not checked, and only the server's own certificate can match.
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
