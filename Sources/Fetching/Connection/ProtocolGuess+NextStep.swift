internal import Pinning
internal import PlaintextProtocols

extension ProtocolGuess {
    /// A step that may help; nil if no step is known.
    ///
    /// - Parameter endpoint: the address whose answer this is. Its port selects one of several protocols.
    func nextStep(for target: Target?, at endpoint: Endpoint) -> FetchError.NextStep? {
        switch detected {
        case .http: return .avoidPlainHTTP
        case .greeting(_, let protocols):
            // After STARTTLS, the server has spoken its protocol already.
            guard let target, target.startTLS == nil else { return .useImplicitTLS }
            let likely = protocols.filter { proto in
                TargetScheme.allCases.contains { $0.startTLS == proto && $0.defaultPort == endpoint.port }
            }
            return .useStartTLS((likely.isEmpty ? protocols : likely).map { target.with(startTLS: $0) })
        case .ssh, .unknown: return nil
        }
    }
}
