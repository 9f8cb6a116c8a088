/// Accepts every server, including an attacker between client and server. Use it for experiments only.
public struct DisabledTrustEvaluator: ServerTrustEvaluator {
    public init() {}

    public func evaluate(_ trust: ServerTrust, forHost host: String) throws(ServerTrustError) {}
}
