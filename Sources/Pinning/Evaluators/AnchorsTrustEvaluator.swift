/// Accepts a chain that validates to authorities of one's own.
public struct AnchorsTrustEvaluator: ServerTrustEvaluator {
    private let anchors: TrustAnchors
    private let includingSystem: Bool
    private let validateHost: Bool

    /// - Parameters:
    ///   - anchors: the authorities. A server's own certificate may be among them.
    ///   - includingSystem: whether the anchors of the trust count too. Otherwise these count alone, and none of them means that
    ///     every server is refused.
    ///   - validateHost: whether the server's certificate must be for the host.
    public init(anchors: TrustAnchors, includingSystem: Bool = false, validateHost: Bool = true) {
        (self.anchors, self.includingSystem, self.validateHost) = (anchors, includingSystem, validateHost)
    }

    public func evaluate(_ trust: ServerTrust, forHost host: String) throws(ServerTrustError) {
        guard includingSystem || !anchors.certificates.isEmpty else {
            throw ServerTrustError(self, host, .nothingToCheck)
        }
        // One's own first: the system's are many, and are put together with them only where they are asked for.
        do throws(ServerTrustError) {
            _ = try trust.validated(for: self, host, to: anchors, validateHost: validateHost)
        } catch {
            guard includingSystem else { throw error }
            _ = try trust.validated(for: self, host, validateHost: validateHost)
        }
    }
}
