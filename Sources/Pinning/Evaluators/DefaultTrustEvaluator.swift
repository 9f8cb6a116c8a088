/// Accepts a chain that validates to the anchors of the trust, as every TLS client does by default (RFC 5280, section 6).
public struct DefaultTrustEvaluator: ServerTrustEvaluator {
    private let validateHost: Bool

    /// - Parameter validateHost: whether the server's certificate must be for the host (RFC 9525). Without that, anybody with a
    ///   certificate for any host is accepted.
    public init(validateHost: Bool = true) { self.validateHost = validateHost }

    public func evaluate(_ trust: ServerTrust, forHost host: String) throws(ServerTrustError) {
        _ = try trust.validated(for: self, host, validateHost: validateHost)
    }
}
