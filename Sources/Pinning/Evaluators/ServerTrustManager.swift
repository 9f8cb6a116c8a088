/// Which evaluator decides about which host.
public struct ServerTrustManager: ServerTrustEvaluator {
    private let evaluators: [Pattern: any ServerTrustEvaluator]
    private let allHostsMustBeEvaluated: Bool

    /// - Parameters:
    ///   - allHostsMustBeEvaluated: whether a host that no pattern covers is refused. Otherwise ``DefaultTrustEvaluator`` decides
    ///     about it.
    ///   - evaluators: by host: `example.com` alone, `*.example.com` for names with one label more, `**.example.com` for
    ///     `example.com` and every name below it. Case and a dot at the end do not count.
    /// - Throws: ``PatternError`` for what is none of these, and for two patterns that are the same.
    public init(
        allHostsMustBeEvaluated: Bool = true, evaluators: [String: any ServerTrustEvaluator]
    ) throws(PatternError) {
        self.allHostsMustBeEvaluated = allHostsMustBeEvaluated
        var parsed: [Pattern: any ServerTrustEvaluator] = [:]
        // In a fixed order, so that the same mistake gives the same error.
        for (text, evaluator) in evaluators.sorted(by: { $0.key < $1.key }) {
            guard parsed.updateValue(evaluator, forKey: try Pattern(text)) == nil else { throw .sameHosts(text) }
        }
        self.evaluators = parsed
    }

    /// The evaluator for a host: that of the host itself, else of the pattern with the longest name, `*.` before `**.`.
    ///
    /// - Returns: nil for a host that no pattern covers, where that is allowed.
    /// - Throws: ``ServerTrustError`` where it is not, and for what is no host.
    public func serverTrustEvaluator(
        forHost host: String
    ) throws(ServerTrustError) -> (any ServerTrustEvaluator)? {
        let name: String
        do throws(HostNameError) {
            name = try HostName.normalized(host)
        } catch {
            throw ServerTrustError(self, host, .host(error))
        }
        for pattern in Pattern.covering(name) {
            if let evaluator = evaluators[pattern] { return evaluator }
        }
        guard allHostsMustBeEvaluated else { return nil }
        throw ServerTrustError(self, host, .noEvaluator)
    }

    public func evaluate(_ trust: ServerTrust, forHost host: String) throws(ServerTrustError) {
        let evaluator = try serverTrustEvaluator(forHost: host) ?? DefaultTrustEvaluator()
        try evaluator.evaluate(trust, forHost: host)
    }
}
