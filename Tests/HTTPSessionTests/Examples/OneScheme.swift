import Authentication
import HTTPSession

/// Uses Basic only, and rejects all other challenges of the response.
struct BasicOnlyDelegate: ChallengeHandler {
    let credential: Credential

    func task(_ task: AuthenticationTask, didReceive challenge: Challenge) async -> Disposition {
        switch challenge.protectionSpace.authenticationMethod {
        case .httpBasic where challenge.previousFailureCount == 0: .useCredential(credential)
        case .httpBasic, .serverTrust, .clientCertificate: .performDefaultHandling
        default: .rejectProtectionSpace
        }
    }
}

func requestWithBasic(_ url: String, credential: Credential) throws -> TaskResult {
    var configuration = SessionConfiguration()
    // The example runs without TLS. A program must not send a password this way.
    configuration.allowsPlaintextPasswords = true
    return try Session(configuration, handler: BasicOnlyDelegate(credential: credential))
        .run(Session.Request(url: url))
}
