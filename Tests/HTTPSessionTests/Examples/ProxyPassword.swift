import Authentication
import HTTPSession

/// Logs in to a proxy. A challenge of a proxy has a proxy type.
struct ProxyDelegate: ChallengeHandler {
    let credential: Credential

    func task(_ task: AuthenticationTask, didReceive challenge: Challenge) async -> Disposition {
        guard challenge.protectionSpace.isProxy, challenge.previousFailureCount == 0 else {
            return .performDefaultHandling
        }
        return .useCredential(credential)
    }
}

func requestThroughProxy(
    _ url: String, proxy: String, credential: Credential
) throws -> TaskResult {
    var configuration = SessionConfiguration()
    configuration.allowsPlaintextPasswords = true
    try configuration.useProxy(proxy)
    return try Session(configuration, handler: ProxyDelegate(credential: credential)).run(Session.Request(url: url))
}
