/// A request for authentication, for which a ``ChallengeHandler`` returns a ``Disposition``.
public struct Challenge: Sendable {
    public let protectionSpace: ProtectionSpace
    /// A credential that the handler can use. It is nil, or the last credential, which failed, or a user name without a password; then
    /// the handler must ask for the password.
    public let proposedCredential: Credential?
    /// Number of credentials that were refused for this space in this task.
    public let previousFailureCount: Int
    /// The response that contained the challenge; nil if the challenge is not part of a response.
    public let failureResponse: FailureResponse?
    /// The reason why the last credential was refused, or why the server is not trusted by default; nil for none.
    public let error: ChallengeError?

    public init(
        protectionSpace: ProtectionSpace, proposedCredential: Credential? = nil, previousFailureCount: Int = 0,
        failureResponse: FailureResponse? = nil, error: ChallengeError? = nil
    ) {
        self.protectionSpace = protectionSpace
        (self.proposedCredential, self.previousFailureCount) = (proposedCredential, previousFailureCount)
        (self.failureResponse, self.error) = (failureResponse, error)
    }
}

/// The status and the headers of a response with a challenge.
public struct FailureResponse: Sendable {
    /// A header field.
    public struct Field: Hashable, Sendable {
        /// In lower case.
        public let name: String
        public let value: String

        public init(name: String, value: String) { (self.name, self.value) = (name, value) }
    }

    /// The status of HTTP (RFC 9110, section 15), or the reply code of FTP (RFC 959, section 4.2).
    public let status: Int
    public let headers: [Field]

    public init(status: Int, headers: [Field]) { (self.status, self.headers) = (status, headers) }

    /// The values of all header fields with this name, which must be in lower case.
    public func values(_ name: String) -> [String] { headers.filter { $0.name == name }.map(\.value) }
}

/// The reason for a challenge, as a sentence without a full stop. It contains no secret.
public struct ChallengeError: Error, Hashable, Sendable, CustomStringConvertible {
    public let message: String

    public init(_ message: String) { self.message = message }

    public var description: String { message }
}
