/// Accepts a chain that is valid for the anchors of the ``ServerTrust`` (RFC 5280, section 6).
public struct DefaultTrustEvaluator: ServerTrustEvaluator {
    private let validateHost: Bool

    /// - Parameter validateHost: whether the server's certificate must be valid for the host (RFC 9525). Otherwise every server
    ///   with a certificate for any host is accepted.
    public init(validateHost: Bool = true) { self.validateHost = validateHost }

    public func evaluate(_ trust: ServerTrust, forHost host: String) throws(ServerTrustError) {
        _ = try trust.validated(for: self, host, validateHost: validateHost)
    }
}
