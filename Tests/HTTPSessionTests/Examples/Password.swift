import Authentication
import HTTPSession

/// Answers Basic and Digest of one host with a password, and gives up after the first refusal.
struct PasswordDelegate: ChallengeHandler {
    let host: String
    let credential: Credential

    func task(_ task: AuthenticationTask, didReceive challenge: Challenge) async -> Disposition {
        let space = challenge.protectionSpace
        guard space.host == host, [.httpBasic, .httpDigest].contains(space.authenticationMethod) else {
            return .performDefaultHandling
        }
        guard challenge.previousFailureCount == 0 else { return .cancelAuthenticationChallenge }
        return .useCredential(credential)
    }
}

func requestWithPassword(_ url: String, host: String, user: String, password: [UInt8]) throws -> TaskResult {
    let delegate = PasswordDelegate(host: host, credential: Credential(user: user, password: password))
    return try Session(handler: delegate).run(Session.Request(url: url))
}
