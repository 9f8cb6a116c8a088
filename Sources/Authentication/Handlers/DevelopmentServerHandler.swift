public import Pinning

/// A handler that trusts one self-signed development server, and gives all other servers the default handling.
///
/// It compares the key of the server's own certificate, because the handshake proves that the server has it. Dates, names and
/// signatures are not checked, so use it for development only.
public struct DevelopmentServerHandler: ChallengeHandler {
    private let host: String
    private let port: UInt16
    private let evaluator: PublicKeysTrustEvaluator

    /// - Parameters:
    ///   - host: the name or the address of the server, as in the URL.
    ///   - pin: the pin of the server's own key.
    public init(host: String, port: UInt16, pin: Pin) {
        self.host = host.lowercased()
        self.port = port
        evaluator = PublicKeysTrustEvaluator(keys: [pin], performDefaultValidation: false, validateHost: false)
    }

    public func sessionDidReceive(_ challenge: Challenge) async -> Disposition? {
        let space = challenge.protectionSpace
        guard space.authenticationMethod == .serverTrust else { return nil }
        guard space.host == host, space.port == port, !space.isProxy else { return .performDefaultHandling }
        guard let trust = space.serverTrust, (try? evaluator.evaluate(trust, forHost: host)) != nil else {
            return .cancelAuthenticationChallenge
        }
        return .useCredential(Credential(trust: trust))
    }
}
