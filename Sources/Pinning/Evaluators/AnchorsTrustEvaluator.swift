/// Accepts a chain that is valid for given CAs.
public struct AnchorsTrustEvaluator: ServerTrustEvaluator {
    private let anchors: TrustAnchors
    private let includingSystem: Bool
    private let validateHost: Bool

    /// - Parameters:
    ///   - anchors: the trust anchors. A chain may end in any of them, even in a server's own certificate.
    ///   - includingSystem: whether the anchors of the ``ServerTrust`` are trusted as well. If not, and there are no anchors, the
    ///     evaluator refuses every server.
    ///   - validateHost: whether the server's certificate must be valid for the host.
    public init(anchors: TrustAnchors, includingSystem: Bool = false, validateHost: Bool = true) {
        (self.anchors, self.includingSystem, self.validateHost) = (anchors, includingSystem, validateHost)
    }

    public func evaluate(_ trust: ServerTrust, forHost host: String) throws(ServerTrustError) {
        guard includingSystem || !anchors.certificates.isEmpty else {
            throw ServerTrustError(self, host, .nothingToCheck)
        }
        // The given anchors are tried first. If the chain ends in one of them, the many system anchors need not be searched.
        do throws(ServerTrustError) {
            _ = try trust.validated(for: self, host, to: anchors, validateHost: validateHost)
        } catch {
            guard includingSystem else { throw error }
            _ = try trust.validated(for: self, host, validateHost: validateHost)
        }
    }
}
