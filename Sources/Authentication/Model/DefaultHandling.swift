/// What happens to a challenge without a handler, and for ``Disposition/performDefaultHandling``.
public enum DefaultHandling: Sendable {
    /// Validate the chain to the trust anchors, then compare it with the pin set if that has an entry for the host. Refuse the
    /// server if one of both fails.
    case validateServer
    /// Continue without a credential: without a client certificate, or with the response that contained the challenge.
    case continueWithoutCredential
    /// Answer with a stored credential, or with the anonymous login of FTP.
    case use(Credential)
    /// Offer the next challenge of the response, because the method is not supported.
    case nextChallenge

    /// The user name and the password of an anonymous login (RFC 1635, sections 3 and 4).
    public static let anonymous = Credential(user: "anonymous", password: "anonymous@", persistence: .none)

    /// - Parameter stored: the credential that the storage has for the space; nil if it has none.
    public init(for challenge: Challenge, stored: Credential?) {
        var usable = stored?.hasPassword == true ? stored : nil
        // A refused credential is not sent again.
        if challenge.previousFailureCount > 0, let refused = challenge.proposedCredential, let other = usable,
            other.isSameLogin(as: refused)
        {
            usable = nil
        }
        let login: DefaultHandling = if let usable { .use(usable) } else { .continueWithoutCredential }
        switch challenge.protectionSpace.authenticationMethod {
        case .serverTrust: self = .validateServer
        case .clientCertificate, .htmlForm: self = .continueWithoutCredential
        case .negotiate, .ntlm: self = .nextChallenge
        case .httpBasic, .httpDigest: self = login
        case .default:
            let isFirst = usable == nil && challenge.previousFailureCount == 0 && !challenge.protectionSpace.isProxy
            self = isFirst ? .use(Self.anonymous) : login
        }
    }
}
