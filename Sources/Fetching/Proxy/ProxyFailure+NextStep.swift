internal import PlaintextProtocols

extension ProxyFailure {
    /// A step that may help; nil if no step is known.
    var nextStep: FetchError.NextStep? {
        switch self {
        case .credentialsRequired, .noAcceptableMethod(offersPassword: false): .sendProxyCredential
        case .credentialRefused: .correctProxyCredential
        case .refused, .socks4, .socks5: .checkTargetOfProxy
        case .untrusted: .nameProxyAnchors
        case .invalidFraming, .invalidChallenge: .checkProxy
        case .noUsableScheme, .credentialNotTransportable, .needsNewConnection, .noAcceptableMethod, .needsIPv4,
            .pinMismatch:
            nil
        }
    }
}
