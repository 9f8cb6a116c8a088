/// A handler that answers Basic, Digest and FTP logins with a password from a prompt.
///
/// It asks only for the given hosts, and once more after each refusal, up to a limit. Then it gives the default handling, so that the
/// request ends with the refusal. Challenges of other methods get the default handling, too.
public struct PasswordHandler: ChallengeHandler {
    private let hosts: Set<String>?
    private let maximumAttempts: Int
    private let prompt: @Sendable (Challenge) async -> Credential?

    /// - Parameters:
    ///   - hosts: the host names and addresses to ask for; nil for all, also after redirects.
    ///   - maximumAttempts: maximum number of prompts for one protection space in one task.
    ///   - prompt: returns the credential for a challenge; nil if the person cancels. The proposed credential of the challenge can have
    ///     the user name.
    public init(
        hosts: Set<String>? = nil, maximumAttempts: Int = 3,
        prompt: @escaping @Sendable (Challenge) async -> Credential?
    ) {
        self.hosts = hosts.map { Set($0.map { $0.lowercased() }) }
        (self.maximumAttempts, self.prompt) = (maximumAttempts, prompt)
    }

    public func task(_ task: AuthenticationTask, didReceive challenge: Challenge) async -> Disposition {
        let space = challenge.protectionSpace
        switch space.authenticationMethod {
        case .httpBasic, .httpDigest, .default: break
        case .serverTrust, .clientCertificate, .negotiate, .ntlm, .htmlForm: return .performDefaultHandling
        }
        guard hosts?.contains(space.host) ?? true, challenge.previousFailureCount < maximumAttempts else {
            return .performDefaultHandling
        }
        if let proposed = challenge.proposedCredential, proposed.hasPassword, challenge.previousFailureCount == 0 {
            return .useCredential(proposed)
        }
        guard let credential = await prompt(challenge) else { return .cancelAuthenticationChallenge }
        return .useCredential(credential)
    }
}
