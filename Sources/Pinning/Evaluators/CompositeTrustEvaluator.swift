/// Accepts a server if several evaluators all accept it. If one refuses, the error is that of the first one.
public struct CompositeTrustEvaluator: ServerTrustEvaluator {
    private let evaluators: [any ServerTrustEvaluator]

    /// - Parameter evaluators: the evaluators in the order of evaluation. If empty, every server is refused.
    public init(evaluators: [any ServerTrustEvaluator]) { self.evaluators = evaluators }

    public func evaluate(_ trust: ServerTrust, forHost host: String) throws(ServerTrustError) {
        guard !evaluators.isEmpty else { throw ServerTrustError(self, host, .nothingToCheck) }
        for evaluator in evaluators { try evaluator.evaluate(trust, forHost: host) }
    }
}
