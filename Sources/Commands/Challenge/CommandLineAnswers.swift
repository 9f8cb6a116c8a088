internal import Authentication
internal import HTTPSession

/// The answers that the options of a command line give.
struct CommandLineAnswers: Sendable {
    enum Login: Sendable {
        case credential(Credential)
        /// The password is that of this user in the `.netrc` file.
        case ofNetrc(String)
    }

    let login: Login?
    let netrc: Netrc?
    let identity: ClientIdentity?
    /// The methods to answer; nil for all.
    let only: Set<AuthenticationMethod>?
    let answersNone: Bool

    func handler(for url: RequestURL) -> Handler { Handler(answers: self, url: url) }

    /// Answers the challenges of one URL. Credentials are for its host, port and protocol only.
    struct Handler: ChallengeHandler {
        let answers: CommandLineAnswers
        let url: RequestURL

        func task(_ task: AuthenticationTask, didReceive challenge: Challenge) async -> Disposition {
            let space = challenge.protectionSpace
            let method = space.authenticationMethod
            // The chain is always validated.
            if method == .serverTrust { return .performDefaultHandling }
            guard !answers.answersNone, answers.only?.contains(method) ?? true else { return .rejectProtectionSpace }
            let isOfURL =
                !space.isProxy && space.host == url.hostText && space.port == url.port
                && space.protocol.rawValue == url.scheme.rawValue
            guard isOfURL else { return .performDefaultHandling }
            switch method {
            case .clientCertificate:
                guard let identity = answers.identity else { return .performDefaultHandling }
                return .useCredential(Credential(identity: identity))
            case .httpBasic, .httpDigest, .default:
                return login(challenge)
            case .serverTrust, .negotiate, .ntlm, .htmlForm: return .performDefaultHandling
            }
        }

        private func login(_ challenge: Challenge) -> Disposition {
            switch answers.login {
            case nil: return .performDefaultHandling
            case .credential(let credential)?:
                return challenge.previousFailureCount == 0 ? .useCredential(credential) : .rejectProtectionSpace
            case .ofNetrc(let user)?:
                guard challenge.previousFailureCount == 0,
                    let credential = answers.netrc?.credential(for: challenge.protectionSpace.host, user: user),
                    credential.hasPassword
                else { return .rejectProtectionSpace }
                return .useCredential(credential)
            }
        }
    }
}
