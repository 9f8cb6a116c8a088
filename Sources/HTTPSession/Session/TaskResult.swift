public import Authentication

/// The response to a request.
public struct Response: Sendable {
    /// The status of HTTP (RFC 9110, section 15), or the reply code of FTP (RFC 959, section 4.2).
    public let status: Int
    public let reason: String
    public let headers: [FailureResponse.Field]
    public let body: [UInt8]
    /// Whether ``body`` is the whole body. Otherwise it was cut at the limit of the configuration, or the server closed a TLS connection
    /// without the alert that ends a body of unknown length (RFC 9112, section 9.8).
    public let isBodyComplete: Bool
}

/// The outcome of a task: the challenges in order, then a response or an error.
public struct TaskResult: Sendable {
    /// One request of a task. A redirect adds another one.
    public struct Hop: Sendable {
        public let url: String
        /// The status of the response; nil for none.
        public internal(set) var status: Int?
        /// The redirect that led to the URL, as the server sent it; nil for the first request.
        var location: String? = nil
    }

    public let outcome: Result<Response, SessionError>
    public let challenges: [ChallengeRecord]
    /// At least one.
    public let hops: [Hop]
    /// Whether the server requested a client certificate.
    package let requestedCertificate: Bool
    /// Whether the response is a page that may contain a login form in a part that was not received.
    package let hasUnreadPage: Bool
    /// The last redirect, as the server sent it, if it was not followed.
    var refusedRedirect: String? = nil

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

    /// Whether a response does not say whether the server checked a login: the server could not read or process the request (RFC 9110,
    /// sections 15.5.1, 15.5.9, 15.5.20 and 15.6; RFC 6585, sections 4 and 5). RFC 7616, section 3.4.6, uses 400 to refuse a login.
    static func isUndecided(status: Int) -> Bool {
        [400, 408, 421, 429, 431].contains(status) || status >= 500 && status != 511
    }

    /// Derived from the outcome: the statuses 401, 403, 407 and 511 refuse (RFC 9110, section 15.5; RFC 6585, section 6), and 400, 495
    /// and 496 if the server requested a client certificate, as nginx answers without a valid one. Otherwise 400 is undecided, and so are
    /// 408, 421, 429, 431 and server errors. A page with a login form refuses, and a page that was not read as far as it is searched for
    /// one is undecided.
    public var admission: Admission {
        switch outcome {
        case .failure(let error): return error.isRefusal ? .refused : .undecided
        case .success(let response):
            switch response.status {
            case let status where Self.refusingStatuses.contains(status): return .refused
            case let status where requestedCertificate && [400, 495, 496].contains(status): return .refused
            case let status where Self.isUndecided(status: status): return .undecided
            default:
                let hasForm = challenges.contains { $0.protectionSpace.authenticationMethod == .htmlForm }
                return hasForm ? .refused : hasUnreadPage ? .undecided : .admitted
            }
        }
    }
}
