public import Authentication

/// The response to a request.
public struct Response: Sendable {
    /// The status of HTTP (RFC 9110, section 15), or the reply code of FTP (RFC 959, section 4.2).
    public let status: Int
    public let reason: String
    public let headers: [FailureResponse.Field]
    public let body: [UInt8]
    /// Whether ``body`` is the whole body. Otherwise it was cut at the limit of the configuration.
    public let isBodyComplete: Bool
}

/// The outcome of a task: the challenges in order, then a response or an error.
public struct TaskResult: Sendable {
    /// One request of a task. A redirect adds another one.
    public struct Hop: Sendable {
        public let url: String
        /// The status of the response; nil for none.
        public internal(set) var status: Int?
    }

    public let outcome: Result<Response, SessionError>
    public let challenges: [ChallengeRecord]
    /// At least one.
    public let hops: [Hop]
    /// Whether the server requested a client certificate.
    package let requestedCertificate: Bool

    /// Whether the server admitted the request.
    public enum Admission: Sendable {
        case admitted
        /// The login, a certificate or the server itself was refused.
        case refused
        /// The server did not say: the connection or the server failed.
        case undecided
    }

    /// The statuses of responses that refuse a request (RFC 9110, section 15.5; RFC 6585, section 6).
    static let refusingStatuses: Set = [401, 403, 407, 511]

    /// Derived from the outcome: the statuses 401, 403, 407 and 511 refuse (RFC 9110, section 15.5; RFC 6585, section 6), and 400, 495
    /// and 496 if the server requested a client certificate, as nginx answers without a valid one. Server errors are undecided. A page
    /// with a login form refuses.
    public var admission: Admission {
        switch outcome {
        case .failure(let error): return error.isRefusal ? .refused : .undecided
        case .success(let response):
            switch response.status {
            case let status where Self.refusingStatuses.contains(status): return .refused
            case 400, 495, 496: return requestedCertificate ? .refused : .admitted
            case 500...: return .undecided
            default:
                let hasForm = challenges.contains { $0.protectionSpace.authenticationMethod == .htmlForm }
                return hasForm ? .refused : .admitted
            }
        }
    }
}
