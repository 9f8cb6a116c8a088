public import Authentication
package import Pinning

/// A challenge of a task, with its answer and its result.
public struct ChallengeRecord: Sendable {
    /// How a challenge was answered. The raw values are part of the JSON interface of `pinctl challenge`.
    public enum Answer: String, Sendable {
        /// A handler used a credential.
        case useCredential = "use-credential"
        /// The default handling used a stored credential, or validated the server.
        case performDefaultHandling = "default-handling"
        case cancelAuthenticationChallenge = "cancel"
        case rejectProtectionSpace = "reject"
        /// The session remembered the answer to a former challenge of the same server.
        case remembered
        /// The session cannot answer: the method is not supported, or a password would be readable on the network.
        case none
    }

    /// What followed. The raw values are part of the JSON interface of `pinctl challenge`.
    public enum Result: String, Sendable {
        /// The server or the proxy accepted the credential, or the client accepted the server.
        case accepted
        /// The server or the proxy refused the credential, or the client refused the server.
        case refused
        /// No credential was sent: none was chosen, or the request ended before that.
        case unanswered
        /// The method, the scheme or its algorithm is not supported.
        case unsupported
        /// The password would be readable on the network.
        case insecure
        /// The credential was sent, and the server did not say whether it accepts it.
        case unknown
    }

    public let protectionSpace: ProtectionSpace
    /// The scheme as it was offered, such as "Digest SHA-256" or "Bearer"; nil for other challenges.
    public let scheme: String?
    /// The parameter `charset` of the challenge; nil if it is absent.
    public let charset: String?
    /// The URL of the request.
    public let url: String
    /// Number of credentials that were refused before.
    public let previousFailureCount: Int
    public internal(set) var answer: Answer
    public internal(set) var result: Result
    /// The user who was sent with a password, or whom an FTP server accepted or refused without one; nil for none.
    public internal(set) var user: String?
    /// The reason for the result, as a sentence without a full stop; nil for none.
    public internal(set) var reason: String?
    /// The validated chain of the server.
    package internal(set) var chain: CertificateChain?
    /// The comparison with the pin set; nil if there is no set, or if the chain is not trusted.
    package internal(set) var pins: PinEvaluation?
    /// The negotiated version of TLS.
    package internal(set) var protocolVersion: String?
    /// The address of the connection; nil if only a proxy knows it.
    package internal(set) var address: String?
    /// The certificate that was sent.
    package internal(set) var certificate: Certificate?
    /// Whether the server requires a client certificate in TLS; nil if it is unknown.
    package internal(set) var isRequired: Bool?

    init(
        _ challenge: Challenge, scheme: String? = nil, charset: String? = nil, url: String, answer: Answer,
        result: Result, user: String? = nil, reason: String? = nil
    ) {
        protectionSpace = challenge.protectionSpace
        previousFailureCount = challenge.previousFailureCount
        (self.scheme, self.charset, self.url) = (scheme, charset, url)
        (self.answer, self.result, self.user, self.reason) = (answer, result, user, reason)
    }
}
