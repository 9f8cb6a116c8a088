internal import Authentication
internal import Encodings
internal import Fetching
internal import PlaintextProtocols

/// The logins of one URL at the server or at a proxy: it answers challenges until one is accepted or none is left.
final class LoginNegotiation {
    /// What happened to a credential that the handler or the default handling chose.
    private enum Choice {
        case use(Credential, ChallengeRecord.Answer)
        case next
    }

    /// Maximum number of responses with a challenge for one URL.
    private static let maximumChallenges = 16
    /// Maximum number of nonces in a row that a server may declare stale.
    private static let maximumRenewals = 2

    /// The reason of a record whose credential Basic cannot transport.
    static let notTransportable =
        "Basic cannot transport this user and password: a user has no colon, and neither has control characters"

    private let side: LoginSide
    /// The proxy that requires the login; nil for the server.
    private let proxy: Proxy?
    private let url: RequestURL
    private let run: TaskRun
    private var login: ActiveLogin?
    /// The index of the record that belongs to ``login``; nil if the login is from a former request.
    private var recordIndex: Int?
    /// The number of refused credentials and the last one, for each realm.
    private var refused: [String?: (count: Int, last: Credential)] = [:]
    private var challengeCount = 0
    private var renewals = 0
    /// Whether the server proved with `auth-int` that the last response has its whole body.
    private(set) var provesBody = false

    /// - Parameter proxy: the proxy of the connection, to log in to it; nil to log in to the server.
    init(with proxy: Proxy? = nil, for url: RequestURL, _ run: TaskRun) {
        (self.proxy, self.url, self.run) = (proxy, url, run)
        side = proxy.map { LoginSide($0) } ?? LoginSide(url)
        if let active = run.state.logins[side], active.covers(url) { login = active }
    }

    /// The header field of the next request, which is sent at once; nil for none.
    func field(method: String, target: String) -> [UInt8]? {
        guard var active = login else { return nil }
        let value: [UInt8]?
        switch active.proof {
        case .basic(let password): value = BasicScheme.authorization(password)
        case .digest(var session):
            value = session.authorization(method: method, target: target)
            active.proof = .digest(session)
            login = active
            if run.state.logins[side]?.space == active.space { run.state.logins[side] = active }
        }
        guard let value else { return nil }
        if let recordIndex {
            run.records[recordIndex].result = .unknown
            run.records[recordIndex].user = active.credential.user
        }
        return Array("\(side.requestField): ".utf8) + value + Array("\r\n".utf8)
    }

    /// Processes the response to a request.
    ///
    /// - Returns: whether to send the request again, with the next header field.
    func receive(_ response: HTTPExchange.Response, on loop: isolated EventLoop) async throws(SessionError) -> Bool {
        provesBody = false
        try checkProof(in: response)
        guard response.head.status == side.status else {
            acceptLogin(response)
            return false
        }
        challengeCount += 1
        let values = response.head.values(side.challengeField)
        run.challengeBytes += values.reduce(0) { $0 + $1.count }
        guard run.challengeBytes <= TaskRun.maximumChallengeBytes else {
            throw SessionError(
                .response,
                "\(url): the answers to this request have more than \(TaskRun.maximumChallengeBytes >> 10) KiB of challenges"
            )
        }
        let challenges: [HTTPChallenge]
        do throws(HTTPChallengeError) {
            challenges = try HTTPChallengeParser.challenges(in: values)
        } catch {
            refuseLogin(reason: nil)
            let reason =
                error.reason == .tooMany
                ? "has more than \(HTTPChallengeParser.maximumChallenges) challenges" : "is not valid"
            throw invalidResponse("the header field \(side.challengeField.quoted) \(reason)")
        }
        let offers = OfferedScheme.ordered(challenges)
        if renewNonce(offers) { return true }
        refuseLogin(reason: "the server answered with status \(side.status)")
        guard challengeCount <= Self.maximumChallenges else { return false }
        let failure = FailureResponse(response.head)
        for offer in offers {
            if try await answer(offer, failure, on: loop) { return true }
        }
        return false
    }

    /// The error of a response that is not valid: of the proxy, if this is the login at a proxy.
    private func invalidResponse(_ message: String, _ space: ProtectionSpace? = nil) -> SessionError {
        guard let proxy else { return SessionError(.response, "\(url): \(message)", space) }
        return SessionError(failureOf: proxy, message, space)
    }

    // MARK: Responses to a login

    private func checkProof(in response: HTTPExchange.Response) throws(SessionError) {
        guard var active = login, case .digest(var session) = active.proof else { return }
        let values = response.head.values(side.infoField)
        guard !values.isEmpty else { return }
        guard let info = try? AuthenticationInfo(parsing: values) else {
            throw invalidResponse("the header field \(side.infoField.quoted) is not valid", active.space)
        }
        let coversBody = info.qualityOfProtection?.lowercased() == "auth-int"
        let proof = session.receive(info, body: response.body)
        active.proof = .digest(session)
        login = active
        if case .valid = proof { provesBody = coversBody }
        guard case .invalid = proof, response.head.status != side.status else { return }
        // A proof that covers a body can be wrong only because the end of the body is missing.
        guard response.isBodyComplete || !coversBody else {
            let reason = response.isCut ? "was not received completely" : "is too long"
            let prover = proxy == nil ? "server" : "proxy"
            throw invalidResponse(
                "the body \(reason), so the proof of the \(prover) (auth-int) was not checked", active.space)
        }
        let prover = proxy == nil ? "server" : "proxy"
        let reason = "the \(prover) did not prove that it knows the password (rspauth is wrong)"
        refuseLogin(reason: reason)
        throw SessionError(.serverProof, "\(active.space): \(reason)", active.space)
    }

    private func acceptLogin(_ response: HTTPExchange.Response) {
        guard let active = login, !TaskResult.isUndecided(status: response.head.status) else { return }
        run.state.logins[side] = active
        guard let recordIndex else { return }
        self.recordIndex = nil
        // OpenSSL may not provide the algorithm. Then the request had no login.
        guard run.records[recordIndex].result == .unknown else { return }
        run.records[recordIndex].result = .accepted
        do throws(CredentialStorageError) {
            try run.state.configuration.storage.setDefault(active.credential, for: active.space)
        } catch {
            // The credential is valid and in memory, so only the file is reported.
            run.records[recordIndex].reason = "the password was not stored: \(error)"
        }
    }

    private func refuseLogin(reason: String?) {
        guard let active = login else { return }
        login = nil
        run.state.logins[side] = nil
        // A login from a former request is not an answer to a challenge of this one.
        guard let recordIndex else { return }
        if run.records[recordIndex].result == .unknown {
            run.records[recordIndex].result = .refused
            run.records[recordIndex].reason = reason
        } else {
            run.records[recordIndex].result = .unsupported
            run.records[recordIndex].reason = "OpenSSL does not provide the algorithm"
        }
        self.recordIndex = nil
        let realm = active.space.realm
        refused[realm] = ((refused[realm]?.count ?? 0) + 1, active.credential)
        if case .digest = active.proof { run.refusedByDigest[side, default: []].append(active.credential) }
    }

    /// Answers a challenge that only replaces a nonce (RFC 7616, section 3.3) with the same credential.
    private func renewNonce(_ offers: [OfferedScheme]) -> Bool {
        guard var active = login, case .digest(let session) = active.proof, renewals < Self.maximumRenewals,
            let password = active.credential.password
        else { return false }
        for case .digest(let digest)? in offers.map(\.scheme)
        where digest.isStale && digest.realm == session.scheme.realm && digest.algorithm >= session.scheme.algorithm {
            renewals += 1
            active.proof = .digest(DigestSession(digest, password, clientNonce: Self.clientNonce()))
            login = active
            return true
        }
        return false
    }

    // MARK: Answers

    /// - Returns: whether there is a login for the next request.
    private func answer(
        _ offer: OfferedScheme, _ failure: FailureResponse, on loop: isolated EventLoop
    ) async throws(SessionError) -> Bool {
        let realm = offer.challenge.realm
        let space = side.space(offer.method ?? .default, realm: realm, for: url)
        // A server that does not know a password could receive it with Basic in a realm of another name.
        let withoutBasic = space.authenticationMethod == .httpBasic ? run.refusedByDigest[side] ?? [] : []
        let former = refused[realm] ?? withoutBasic.last.map { (withoutBasic.count, $0) }
        var stored = run.storedCredential(for: space, of: proxy)
        if let login = stored, withoutBasic.contains(where: { $0.isSameLogin(as: login) }) { stored = nil }
        let challenge = Challenge(
            protectionSpace: space, proposedCredential: former?.last ?? stored,
            previousFailureCount: former?.count ?? 0, failureResponse: failure,
            error: former.map { _ in ChallengeError("the last credential was refused") })
        var record = ChallengeRecord(
            challenge, scheme: offer.name, charset: offer.challenge["charset"], url: url.description, answer: .none,
            result: .unsupported)
        guard offer.method != nil else {
            record.reason = "the scheme \(offer.challenge.scheme.bounded.quoted) is not supported"
            run.records.append(record)
            return false
        }
        let isPlaintext =
            if case .basic? = offer.scheme {
                !space.receivesCredentialSecurely && !run.state.configuration.allowsPlaintextPasswords
            } else {
                false
            }
        if isPlaintext, proxy == nil { return refusePlaintext(&record) }
        guard !run.state.rejectedSpaces.contains(space) else {
            record.answer = .remembered
            run.records.append(record)
            return false
        }
        let disposition = await run.disposition(of: challenge, url, on: loop)
        switch try choice(disposition, challenge, stored, &record) {
        case .next:
            run.records.append(record)
            return false
        case .use(let credential, let answer):
            record.answer = answer
            // A password in the settings of a proxy without TLS is meant for it, as in curl. The login of SOCKS 5 is never encrypted
            // either.
            let ofProxy = proxy?.credential.map { Credential($0, persistence: .none) }
            if isPlaintext, ofProxy?.isSameLogin(as: credential) != true { return refusePlaintext(&record) }
            return use(credential, for: offer, space, record)
        }
    }

    private func refusePlaintext(_ record: inout ChallengeRecord) -> Bool {
        record.result = .insecure
        record.reason = "Basic would send the password in plain text"
        run.records.append(record)
        return false
    }

    private func choice(
        _ disposition: Disposition, _ challenge: Challenge, _ stored: Credential?, _ record: inout ChallengeRecord
    ) throws(SessionError) -> Choice {
        let space = challenge.protectionSpace
        let isSupported = space.authenticationMethod == .httpBasic || space.authenticationMethod == .httpDigest
        switch disposition {
        case .useCredential(let credential): return .use(credential, .useCredential)
        case .performDefaultHandling:
            record.answer = .performDefaultHandling
            switch DefaultHandling(for: challenge, stored: stored) {
            case .use(let credential): return .use(credential, .performDefaultHandling)
            case .nextChallenge:
                run.state.rejectedSpaces.insert(space)
                record.reason = "\(space.authenticationMethod.name) is not supported"
            case .continueWithoutCredential, .validateServer: record.result = .unanswered
            }
        case .rejectProtectionSpace:
            record.answer = .rejectProtectionSpace
            record.result = isSupported ? .unanswered : .unsupported
        case .cancelAuthenticationChallenge:
            record.answer = .cancelAuthenticationChallenge
            record.result = .unanswered
            run.records.append(record)
            throw SessionError(.cancelled, "the request was cancelled at the challenge: \(space)", space)
        }
        return .next
    }

    private func use(
        _ credential: Credential, for offer: OfferedScheme, _ space: ProtectionSpace, _ record: ChallengeRecord
    ) -> Bool {
        var record = record
        defer { run.records.append(record) }
        guard let scheme = offer.scheme else {
            record.reason = "\(offer.challenge.scheme.bounded) is not supported, or its parameters are not"
            return false
        }
        guard let password = credential.password else {
            record.result = .unanswered
            record.reason = "the credential has no password"
            return false
        }
        switch scheme {
        case .basic:
            guard BasicScheme.canTransport(password) else {
                record.reason = Self.notTransportable
                return false
            }
            login = ActiveLogin(space: space, credential: credential, proof: .basic(password))
        case .digest(let digest):
            let session = DigestSession(digest, password, clientNonce: Self.clientNonce())
            login = ActiveLogin(space: space, credential: credential, proof: .digest(session))
        }
        renewals = 0
        // Nothing is sent before the next connection.
        record.result = .unanswered
        recordIndex = run.records.count
        return true
    }

    /// 18 random bytes in base64.
    private static func clientNonce() -> String {
        var generator = SystemRandomNumberGenerator()
        return Base64.encode((0..<18).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }
}

extension FailureResponse {
    init(_ head: HTTPResponseHead) {
        self.init(
            status: head.status,
            headers: head.fields.map { Field(name: $0.name, value: String(decoding: $0.value, as: UTF8.self)) })
    }
}
