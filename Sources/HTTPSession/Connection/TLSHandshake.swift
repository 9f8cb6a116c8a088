internal import Authentication
internal import Fetching
internal import OpenSSL
internal import Pinning
internal import PlaintextProtocols

/// The handshake with a server, and its challenges: first whether the client trusts the server, then whether the server gets a client
/// certificate.
///
/// The first handshake sends no client certificate. If the handler chooses one, a second connection sends it, and only to a server whose
/// certificate is trusted by then and that has proved that it has the key. So a server that is not trusted never receives a certificate,
/// and the handler knows the CAs that the server accepts.
struct TLSHandshake {
    private let connector: Connector
    /// Whether the server begins with FTP in plain text.
    private let isFTP: Bool
    private var url: RequestURL { connector.url }
    private var run: TaskRun { connector.run }
    private var state: SessionState { connector.state }

    init(_ connector: Connector) {
        self.connector = connector
        isFTP = connector.url.scheme == .ftp
    }

    /// Maximum number of connections until a server with several certificates presents one for the second time.
    private static let maximumConnections = 8

    func connection(on loop: isolated EventLoop) async throws(SessionError) -> OpenConnection {
        for _ in 0..<Self.maximumConnections {
            let plain = try await connector.plainConnection(on: loop)
            do throws(SessionError) {
                if isFTP { try await startTLS(over: plain, on: loop) }
                if let connection = try await secure(plain, on: loop) { return connection }
            } catch {
                loop.forget(plain.descriptor)
                throw error
            }
            loop.forget(plain.descriptor)
        }
        throw SessionError(
            .clientCertificate,
            "\(connector.server) presented other certificates in each of \(Self.maximumConnections) connections, so pinctl did not send the"
                + " client certificate", space)
    }

    /// Runs AUTH TLS (RFC 4217, section 4).
    private func startTLS(over plain: OpenConnection, on loop: isolated EventLoop) async throws(SessionError) {
        do throws(FetchError) {
            try await Connection(to: url.target, state.configuration.options, deadline: run.deadline).negotiate(
                StartTLSProtocol.ftp.negotiation(domain: connector.identity.text), as: .startTLS(.ftp),
                after: plain.received, over: plain.stream, on: loop)
        } catch {
            throw plain.sessionError(for: error)
        }
    }

    private var space: ProtectionSpace { url.space(.clientCertificate) }

    /// - Returns: nil if another connection must send the client certificate that was chosen.
    private func secure(
        _ plain: OpenConnection, on loop: isolated EventLoop
    ) async throws(SessionError) -> OpenConnection? {
        let stream = plain.stream
        let endpoint = stream.endpoint
        // The certificates of the servers that receive the client certificate; nil if the handler chose none.
        var expected: [[UInt8]]?
        if case .some(.some) = state.identities[space] {
            expected = state.trustedServers[url.space(.serverTrust)]?.compactMap(\.first)
        }
        let box = state.context(for: space, sendsIdentity: expected != nil)
        let session: ClientSession
        do throws(OpenSSLError) {
            session = try ClientSession(
                box.context, serverName: connector.identity.serverNameIndication,
                certificateOnlyFor: expected)
        } catch {
            throw plain.sessionError(for: .handshake(endpoint, error))
        }
        var alert: TLSAlert?
        do throws(FetchError) {
            try await Handshake(deadline: run.deadline, timeout: connector.timeout).run(session, over: stream, on: loop)
        } catch {
            recordSentCertificate(of: session)
            if expected != nil, session.wasAskedForClientCertificate, let error = lateProof(of: session) { throw error }
            // A server that requires a client certificate sends its own chain first, and proves that it has the key.
            guard case .alert(_, let sent) = error, session.wasAskedForClientCertificate, session.hasProvedPossession
            else { throw plain.sessionError(for: error) }
            alert = sent
        }
        recordSentCertificate(of: session)
        guard let served = session.peerChain else { throw plain.sessionError(for: .noCertificate(endpoint)) }
        let certificates = served.certificates
        try checkSize(of: certificates)
        let chain: CertificateChain
        do throws(CertificateError) {
            chain = try state.validator(for: connector.target).validate(served, for: connector.identity)
        } catch {
            throw plain.sessionError(for: .badCertificate(endpoint, "\(error)"))
        }
        try await checkServer(chain, certificates, session.protocolVersion, endpoint, on: loop)
        let request = await ClientCertificateAnswer(deadline: run.deadline, readsAfterHandshake: true)
            .request(session, over: stream, after: alert, on: loop)
        if request.outcome != .none {
            run.requestedCertificate = true
            // The server is trusted by now, so the next connection sends the certificate if it presents this one again.
            if let expected, let own = certificates.first, !expected.contains(own), !session.hasSentCertificate {
                return nil
            }
            if expected != nil, let error = lateProof(of: session) { throw error }
            guard try await answer(request, on: loop) else { return nil }
        }
        return OpenConnection(
            stream: ErasedStream(TLSStream(session, over: stream)), descriptor: plain.descriptor,
            requestedCertificate: request.outcome != .none, tunnel: plain.tunnel)
    }

    /// The error if the session did not send the client certificate because the server had not proved yet that it has the key.
    private func lateProof(of session: borrowing ClientSession) -> SessionError? {
        guard !session.hasSentCertificate, !session.provesKeyBeforeRequest else { return nil }
        return SessionError(
            .clientCertificate,
            "\(connector.server) selected \(session.cipherSuite), with which a server proves only after the client certificate that it has"
                + " the key, so pinctl did not send the client certificate", space, lacksProofOfKey: true)
    }

    // MARK: Server trust

    /// Counts certificates that this server did not present before.
    private func checkSize(of certificates: [[UInt8]]) throws(SessionError) {
        guard state.trustedServers[url.space(.serverTrust)]?.contains(certificates) != true else { return }
        run.certificateBytes += certificates.reduce(0) { $0 + $1.count }
        guard run.certificateBytes > TaskRun.maximumCertificateBytes else { return }
        throw SessionError(
            .response,
            "\(connector.server): the servers of this request presented more than \(TaskRun.maximumCertificateBytes >> 20) MiB of different"
                + " certificates")
    }

    private func checkServer(
        _ chain: CertificateChain, _ certificates: [[UInt8]], _ version: String, _ endpoint: Endpoint,
        on loop: isolated EventLoop
    ) async throws(SessionError) {
        let entry = state.configuration.pins?.entry(for: connector.identity.text)
        let evaluation =
            chain.isTrusted && state.configuration.pins != nil
            ? PinEvaluation(of: chain.pins, by: entry, at: state.now) : nil
        let refusal = Self.refusal(chain, evaluation)
        let trust = ServerTrust(
            certificates: certificates.compactMap { try? Certificate(der: $0) },
            anchors: state.anchors(for: connector.target),
            at: state.now)
        let challenge = Challenge(
            protectionSpace: url.space(.serverTrust, serverTrust: trust),
            error: refusal.map { ChallengeError($0.message) })
        let space = challenge.protectionSpace
        var record = ChallengeRecord(challenge, url: url.description, answer: .remembered, result: .accepted)
        record.chain = chain
        record.pins = evaluation
        record.protocolVersion = version
        // Behind a proxy, the stream has the address of the proxy.
        record.address = connector.usesProxy ? nil : endpoint.description
        record.reason = refusal?.message
        // The decision holds for these certificates only. A second connection of a task makes no second record.
        let isKnown = state.trustedServers[space]?.contains(certificates) ?? false
        defer {
            if !isKnown || !run.records.contains(where: { $0.protectionSpace == space }) { run.records.append(record) }
        }
        if isKnown { return }
        switch await run.disposition(of: challenge, url, on: loop) {
        case .useCredential(let credential):
            record.answer = .useCredential
            guard case .trust = credential.kind else {
                record.result = .refused
                throw SessionError(
                    .untrusted, "\(connector.server): the answer to server trust is not trust in the server", space)
            }
        case .performDefaultHandling:
            record.answer = .performDefaultHandling
            if let refusal {
                record.result = .refused
                throw SessionError(refusal.code, "\(connector.server): \(refusal.message)", space)
            }
        case .cancelAuthenticationChallenge, .rejectProtectionSpace:
            // There is no other challenge to offer, so a rejection also ends the request.
            record.answer = .cancelAuthenticationChallenge
            record.result = .refused
            throw SessionError(.cancelled, "the request was cancelled at the challenge: \(space)", space)
        }
        state.trustedServers[space, default: []].append(certificates)
    }

    /// Why the default handling refuses a server; nil if it accepts the server.
    private static func refusal(
        _ chain: CertificateChain, _ evaluation: PinEvaluation?
    ) -> (code: SessionError.Code, message: String)? {
        guard chain.isTrusted else {
            return (.untrusted, "the chain is not trusted: " + chain.failures.map(\.reason).joined(separator: "; "))
        }
        switch evaluation?.verdict {
        case nil, .match?, .noPins?: return nil
        case .mismatch?:
            guard evaluation?.entry?.enforce ?? true else { return nil }
            return (.pinMismatch, "the chain is trusted, but matches no pin of the pin set")
        case .expired(let date)?: return (.pinMismatch, "the pins of the pin set expired on \(date.date)")
        }
    }

    // MARK: Client certificate

    /// - Returns: whether to use this connection. Otherwise another one must send the certificate that was chosen.
    private func answer(
        _ request: ClientCertificateRequest, on loop: isolated EventLoop
    ) async throws(SessionError) -> Bool {
        switch request.outcome {
        case .none: return true
        case .accepted, .sent: return remember(request)
        case .refused: throw connector.clientCertificateError(request.alert ?? "")
        case .requested, .demanded: break
        }
        let challenge = Challenge(
            protectionSpace: url.space(.clientCertificate, distinguishedNames: request.authorities))
        var record = ChallengeRecord(challenge, url: url.description, answer: .remembered, result: .unanswered)
        record.isRequired = request.isRequired
        if state.identities[space] == nil {
            switch await run.disposition(of: challenge, url, on: loop) {
            case .useCredential(let credential):
                record.answer = .useCredential
                guard let identity = credential.identity else {
                    run.records.append(record)
                    throw SessionError(
                        .clientCertificate, "\(connector.server): the answer is not a client certificate", space)
                }
                // The next connection sends it, unless that connection fails.
                run.records.append(record)
                try state.use(identity, for: space)
                return false
            case .performDefaultHandling: record.answer = .performDefaultHandling
            case .rejectProtectionSpace: record.answer = .rejectProtectionSpace
            case .cancelAuthenticationChallenge:
                record.answer = .cancelAuthenticationChallenge
                run.records.append(record)
                throw SessionError(.cancelled, "the request was cancelled at the challenge: \(space)", space)
            }
            state.identities[space] = .some(nil)
        }
        // The record of a certificate that was chosen and not sent already says so.
        if unsentCertificateIndex == nil { run.records.append(record) }
        guard request.outcome != .demanded else {
            throw connector.clientCertificateError(request.alert ?? "")
        }
        return true
    }

    /// The index of the record whose certificate was chosen and not sent yet.
    private var unsentCertificateIndex: Int? {
        run.records.lastIndex {
            $0.protectionSpace == space && $0.answer == .useCredential && $0.certificate == nil
        }
    }

    /// Completes the record of the certificate that was chosen if a handshake sent it. The server may refuse it later.
    private func recordSentCertificate(of session: borrowing ClientSession) {
        guard session.hasSentCertificate, let index = unsentCertificateIndex,
            case (let identity, _)?? = state.identities[space]
        else { return }
        run.records[index].certificate = identity.certificates.first
        run.records[index].result = .unknown
    }

    /// Completes the record of the certificate that was sent, with the answer of the server.
    private func remember(_ request: ClientCertificateRequest) -> Bool {
        let result: ChallengeRecord.Result = request.outcome == .accepted ? .accepted : .unknown
        if let index = run.records.lastIndex(where: { $0.protectionSpace == space && $0.result == .unknown }) {
            run.records[index].result = result
            return true
        }
        let challenge = Challenge(
            protectionSpace: url.space(.clientCertificate, distinguishedNames: request.authorities))
        var record = ChallengeRecord(challenge, url: url.description, answer: .remembered, result: result)
        if case (let identity, _)?? = state.identities[space] { record.certificate = identity.certificates.first }
        run.records.append(record)
        return true
    }
}
