internal import Authentication
internal import Encodings
internal import Fetching
internal import PlaintextProtocols

/// One task of a session: requests, challenges, redirects.
final class TaskRun {
    let state: SessionState
    let number: Int
    let method: Session.Request.Method
    /// The URL of the task. Settings of the command line, such as another address, apply to its origin only.
    let first: RequestURL
    private(set) var deadline: MonotonicTime
    var records: [ChallengeRecord] = []
    var requestedCertificate = false
    private var hasUnreadPage = false
    /// The credentials that were sent with Digest in any realm, and refused.
    var refusedByDigest: [LoginSide: [Credential]] = [:]
    /// Total size of the different certificate lists that servers presented in this task, in bytes.
    var certificateBytes = 0
    /// Total size of the challenges of HTTP in this task, in bytes.
    var challengeBytes = 0
    private var hops: [TaskResult.Hop] = []
    /// The last redirect, as the server sent it.
    private var location: String?

    /// Maximum of ``certificateBytes``. The record of each list contains its certificates, and a server can present others in each
    /// connection.
    static let maximumCertificateBytes = 4 << 20

    /// The setting within the range in which sums of lengths do not overflow.
    private var maximumBodyLength: Int { min(max(0, state.configuration.maximumBodyLength), 1 << 30) }

    /// Maximum of ``challengeBytes``. Each realm is recorded, and a report searches it for passwords after the deadline.
    static let maximumChallengeBytes = 1 << 18

    /// Maximum number of requests for one URL, with those that a closed connection ended.
    private static let maximumRequests = 24

    init(
        _ url: RequestURL, _ method: Session.Request.Method, number: Int, _ state: SessionState,
        on loop: isolated EventLoop
    ) {
        (first, self.method, self.number, self.state) = (url, method, number, state)
        deadline = loop.now + state.configuration.timeout
    }

    func run(on loop: isolated EventLoop) async -> TaskResult {
        let outcome: Result<Response, SessionError>
        do throws(SessionError) {
            outcome = .success(try await response(on: loop))
        } catch {
            outcome = .failure(error)
        }
        return TaskResult(
            outcome: outcome, challenges: records, hops: hops, requestedCertificate: requestedCertificate,
            hasUnreadPage: hasUnreadPage, refusedRedirect: hops.last?.location == location ? nil : location)
    }

    private func response(on loop: isolated EventLoop) async throws(SessionError) -> Response {
        var url = first
        for _ in 0...max(0, state.configuration.maximumRedirects) {
            hops.append(TaskResult.Hop(url: url.description, status: nil, location: location))
            guard url.scheme != .ftp else {
                let response = try await FTPLogin(url, self).response(on: loop)
                setStatus(response.status)
                return response
            }
            let response = try await response(to: url, on: loop)
            setStatus(response.head.status)
            guard let location = Self.redirect(response.head) else {
                if hops.count > 1, response.head.status == 200 {
                    switch LoginForm.search(response) {
                    case .found: try await report(formAt: url, response, on: loop)
                    case .absent: break
                    case .unknown: hasUnreadPage = true
                    }
                }
                return Response(response)
            }
            self.location = location
            url = try next(location, from: url)
        }
        throw SessionError(.redirect, "\(first) redirects more than \(state.configuration.maximumRedirects) times")
    }

    private func next(_ location: String, from url: RequestURL) throws(SessionError) -> RequestURL {
        let notHTTP = "it is not an http or https URL"
        let reason: String
        do throws(RequestURL.Failure) {
            let next = try url.resolving(location)
            if next.scheme != .ftp { return next }
            reason = notHTTP
        } catch {
            reason =
                switch error {
                case .scheme: notHTTP
                case .userInfo: "it contains a user or a password"
                case .tooLong, .host: error.reason
                }
        }
        throw SessionError(.redirect, "\(url) redirects to \(Self.shown(location, from: url)): \(reason)")
    }

    /// The target of a redirect for a message.
    private static func shown(_ location: String, from url: RequestURL) -> String {
        // Only a URL with a scheme is recognized in a text.
        let text = location.begins(with: "//") ? "\(url.scheme.rawValue):\(location)" : location
        let isURL = text[text.before(anyOf: ":/?#").endIndex...].begins(with: "://")
        return (isURL ? text : text.withoutUserInfo).bounded.quoted
    }

    private func setStatus(_ status: Int) {
        guard let last = hops.indices.last else { return }
        hops[last].status = status
    }

    /// The target of a redirect (RFC 9110, section 15.4).
    private static func redirect(_ head: HTTPResponseHead) -> String? {
        guard [301, 302, 303, 307, 308].contains(head.status) else { return nil }
        return head.values("location").first.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Requests one URL until no challenge is left.
    private func response(
        to url: RequestURL, on loop: isolated EventLoop
    ) async throws(SessionError) -> HTTPExchange.Response {
        let server = LoginNegotiation(for: url, self)
        let connector = Connector(url, self)
        let forwarder = connector.forwardingProxy.map { LoginNegotiation(with: $0, for: url, self) }
        var current: OpenConnection?
        for _ in 0..<Self.maximumRequests {
            let connection: OpenConnection
            if let current { connection = current } else { connection = try await connector.connection(on: loop) }
            current = nil
            let isRequested = connection.requestedCertificate
            requestedCertificate = requestedCertificate || isRequested
            let target = forwarder == nil ? url.path : url.requestTarget
            var request = Array("\(method.rawValue) \(target) HTTP/1.1\r\nHost: \(url.authority)\r\n".utf8)
            request += Array("User-Agent: pinctl\r\nAccept: */*\r\n".utf8)
            // A proxy sends the path only to the server (RFC 9112, section 3.2.1), which compares it with the target of Digest.
            request += server.field(method: method.rawValue, target: url.path) ?? []
            request += forwarder?.field(method: method.rawValue, target: target) ?? []
            request += Array("\r\n".utf8)
            var response: HTTPExchange.Response
            do throws(HTTPExchange.Failure) {
                response = try await HTTPExchange(
                    deadline: deadline, maximumBodyLength: maximumBodyLength
                ).response(to: request, method: method.rawValue, over: connection.stream, on: loop)
            } catch {
                connector.close(connection, on: loop)
                // A server may close a connection that it had promised to keep open (RFC 9112, section 9.3.1).
                if connection.isReused, case .closedBeforeResponse = error { continue }
                throw connector.sessionError(for: error, connection)
            }
            var kept = connection
            kept.isReused = true
            let isForwarded = try await forwarder?.receive(response, on: loop) ?? false
            var isRepeated = isForwarded
            if !isRepeated, response.head.status != 407 { isRepeated = try await server.receive(response, on: loop) }
            if isRepeated, response.keepsConnection {
                current = kept
            } else if response.keepsConnection {
                connector.keep(kept)
            } else {
                connector.close(connection, on: loop)
            }
            if server.provesBody || forwarder?.provesBody == true { response.isBodyComplete = true }
            if !isRepeated { return response }
        }
        // Behind a proxy that forwards requests, the logins can be those of the proxy.
        let peer = connector.forwardingProxy.map { "the proxy \($0) or the server" } ?? "the server"
        throw SessionError(
            .response, "\(url): \(peer) did not accept or refuse the login in \(Self.maximumRequests) requests")
    }

    private func report(
        formAt url: RequestURL, _ response: HTTPExchange.Response, on loop: isolated EventLoop
    ) async throws(SessionError) {
        let challenge = Challenge(
            protectionSpace: url.space(.htmlForm), failureResponse: FailureResponse(response.head))
        var record = ChallengeRecord(challenge, url: url.description, answer: .none, result: .unsupported)
        record.reason = "a login form is never filled in"
        let disposition = await disposition(of: challenge, url, on: loop)
        switch disposition {
        case .cancelAuthenticationChallenge:
            record.answer = .cancelAuthenticationChallenge
            records.append(record)
            throw SessionError(
                .cancelled, "the request was cancelled at the challenge: \(challenge.protectionSpace)",
                challenge.protectionSpace)
        case .performDefaultHandling: record.answer = .performDefaultHandling
        case .rejectProtectionSpace: record.answer = .rejectProtectionSpace
        case .useCredential: break
        }
        records.append(record)
    }

    // MARK: Decisions

    /// Asks the handler. The time that it needs does not count.
    func disposition(
        of challenge: Challenge, _ url: RequestURL, on loop: isolated EventLoop
    ) async -> Disposition {
        let task = AuthenticationTask(number: number, url: url.description, method: method.rawValue)
        let start = loop.now
        let answer = await state.handler.disposition(of: challenge, for: task)
        deadline = deadline + .nanoseconds(max(0, loop.now.nanoseconds - start.nanoseconds))
        return answer
    }

    /// Asks the handler for the credential of one login, and records its answer.
    ///
    /// - Parameter stored: the credential for the default handling; nil for none.
    /// - Returns: nil if the handler wants no login.
    /// - Throws: if the handler cancels the request.
    func credential(
        for challenge: Challenge, _ stored: Credential?, _ url: RequestURL,
        recordingIn record: inout ChallengeRecord, on loop: isolated EventLoop
    ) async throws(SessionError) -> Credential? {
        switch await disposition(of: challenge, url, on: loop) {
        case .useCredential(let credential):
            record.answer = .useCredential
            return credential
        case .performDefaultHandling:
            record.answer = .performDefaultHandling
            guard case .use(let credential) = DefaultHandling(for: challenge, stored: stored) else { return nil }
            return credential
        case .rejectProtectionSpace:
            record.answer = .rejectProtectionSpace
            return nil
        case .cancelAuthenticationChallenge:
            record.answer = .cancelAuthenticationChallenge
            let space = challenge.protectionSpace
            throw SessionError(.cancelled, "the request was cancelled at the challenge: \(space)", space)
        }
    }

    /// The credential for a space: that of the proxy's settings, or of the storage.
    ///
    /// - Parameter proxy: the proxy of the connection, if it requires the login; nil if a server does. Other proxies of the settings
    ///   can have the same host and port, and the space of a proxy does not say which one it is.
    func storedCredential(for space: ProtectionSpace, of proxy: Proxy?) -> Credential? {
        if let credential = proxy?.credential { return Credential(credential, persistence: .none) }
        // A .netrc entry has no port and no scheme, and the entry "default" has no host. So a redirect could choose where its password
        // goes.
        let origin = first.space(space.authenticationMethod)
        let isOfFirst =
            !space.isProxy && space.host == origin.host && space.port == origin.port
            && space.protocol == origin.protocol
        return state.configuration.storage.defaultCredential(for: space, usesNetrc: isOfFirst)
    }
}

extension Response {
    init(_ response: HTTPExchange.Response) {
        self.init(
            status: response.head.status, reason: response.head.reason,
            headers: FailureResponse(response.head).headers, body: response.body,
            isBodyComplete: response.isBodyComplete)
    }
}
