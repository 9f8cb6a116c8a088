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
            return .useStartTLS(
                (likely.isEmpty ? protocols : likely).map { target.with(startTLS: $0, answeredAt: endpoint) })
        case .ssh, .unknown: return nil
        }
    }
}

extension Target {
    /// The target with a protocol. If the connection went to another port (`--connect-to`), port 443 is only the default of the text.
    fileprivate func with(startTLS: StartTLSProtocol, answeredAt endpoint: Endpoint) -> Target {
        let scheme = TargetScheme.allCases.first { $0.startTLS == startTLS }
        let isDefault = port == TargetScheme.https.defaultPort && endpoint.port != port
        return Target(
            host: host, port: isDefault ? scheme?.defaultPort ?? port : port, startTLS: startTLS, serverName: serverName
        )
    }
}
