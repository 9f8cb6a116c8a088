/// Selects the evaluator for each host.
public struct ServerTrustManager: ServerTrustEvaluator {
    private let evaluators: [Pattern: any ServerTrustEvaluator]
    private let allHostsMustBeEvaluated: Bool

    /// - Parameters:
    ///   - allHostsMustBeEvaluated: whether a host that no pattern covers is refused. Otherwise ``DefaultTrustEvaluator`` evaluates
    ///     it.
    ///   - evaluators: the evaluators by pattern: `example.com` for this host only, `*.example.com` for names with exactly one more
    ///     label, `**.example.com` for `example.com` and all names below it. Case and a dot at the end are ignored.
    /// - Throws: ``PatternError`` for a malformed pattern, and for two patterns that cover the same hosts.
    public init(
        allHostsMustBeEvaluated: Bool = true, evaluators: [String: any ServerTrustEvaluator]
    ) throws(PatternError) {
        self.allHostsMustBeEvaluated = allHostsMustBeEvaluated
        var parsed: [Pattern: any ServerTrustEvaluator] = [:]
        // The patterns are sorted, so that the error does not depend on the order of the dictionary.
        for (text, evaluator) in evaluators.sorted(by: { $0.key < $1.key }) {
            guard parsed.updateValue(evaluator, forKey: try Pattern(text)) == nil else { throw .sameHosts(text) }
        }
        self.evaluators = parsed
    }

    /// The evaluator for a host: that of the exact host, otherwise that of the pattern with the longest name. If both patterns have
    /// that name, `*.` takes precedence over `**.`.
    ///
    /// - Returns: nil if no pattern covers the host and this is allowed.
    /// - Throws: ``ServerTrustError`` if no pattern covers the host and this is not allowed, and if the host is malformed.
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
