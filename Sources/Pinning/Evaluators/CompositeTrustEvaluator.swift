/// Accepts what every one of several evaluators accepts. The first that refuses tells why.
public struct CompositeTrustEvaluator: ServerTrustEvaluator {
    private let evaluators: [any ServerTrustEvaluator]

    /// - Parameter evaluators: asked in this order. None: every server is refused, for nobody vouches for it.
    public init(evaluators: [any ServerTrustEvaluator]) { self.evaluators = evaluators }

    public func evaluate(_ trust: ServerTrust, forHost host: String) throws(ServerTrustError) {
        guard !evaluators.isEmpty else { throw ServerTrustError(self, host, .nothingToCheck) }
        for evaluator in evaluators { try evaluator.evaluate(trust, forHost: host) }
    }
}
