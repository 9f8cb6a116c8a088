internal import Authentication
internal import Encodings
internal import Fetching
internal import Pinning
internal import PlaintextProtocols

/// The login at an FTP server: AUTH TLS (RFC 4217, section 4), then USER and PASS (RFC 959, section 4.1.1). No file is transferred.
struct FTPLogin {
    private struct Reply {
        let code: Int
        let words: String
    }

    /// Maximum number of logins for one connection. Servers close the connection after a few.
    private static let maximumLogins = 8
    /// Maximum number of bytes of one reply.
    private static let maximumReplyLength = 1 << 16
    private static let chunkSize = 4096

    private let url: RequestURL
    private let run: TaskRun

    init(_ url: RequestURL, _ run: TaskRun) { (self.url, self.run) = (url, run) }

    /// The server for messages.
    private var server: String { Connector(url, run).server }

    func response(on loop: isolated EventLoop) async throws(SessionError) -> Response {
        var failure: (Credential, FailureResponse)?
        let connector = Connector(url, run)
        for count in 0..<Self.maximumLogins {
            // The first credential is chosen after the server's chain was validated. The others are chosen before a connection, which is
            // not necessary if none is left.
            var next: (Credential, Int)?
            if count > 0 {
                next = try await credential(after: failure, count: count, on: loop)
                guard next != nil else { break }
            }
            // A server may close the connection after a refused login, so each login has its own.
            let connection = try await TLSHandshake(connector).connection(on: loop)
            defer { loop.forget(connection.descriptor) }
            if count == 0 { next = try await credential(after: nil, count: 0, on: loop) }
            guard let (credential, index) = next else { break }
            let reply = try await login(credential, index, over: connection.stream, on: loop)
            let response = FailureResponse(status: reply.code, headers: [])
            let hasSentPassword = run.records[index].result == .unknown
            // Other replies to USER, such as 421, say nothing about the user.
            if [230, 202].contains(reply.code) || reply.code >= 500 { run.records[index].user = credential.user }
            // 202 means that the password is superfluous (RFC 959, section 5.4).
            guard reply.code != 230, reply.code != 202 else {
                run.records[index].result = .accepted
                if hasSentPassword {
                    store(credential, index)
                } else {
                    run.records[index].reason = "the server requires no password of this user, so none was sent"
                }
                return Response(
                    status: reply.code, reason: reply.words, headers: [], body: [], isBodyComplete: true)
            }
            run.records[index].reason = "the server answered \(reply.words.bounded.quoted)"
            failure = (credential, response)
            // RFC 959, section 4.2.1: only a reply of 500 or more refuses permanently.
            guard reply.code >= 500 else {
                throw SessionError(
                    .connection,
                    "\(server) cannot process the login: \(reply.words.bounded.quoted)", space)
            }
            run.records[index].result = .refused
        }
        let words = failure.map { "the last reply code is \($0.1.status)" } ?? "there is no credential"
        throw SessionError(.login, "\(server) requires a login: \(words)", space)
    }

    private var space: ProtectionSpace { url.space(.default) }

    /// - Returns: the credential for the next login and the index of its record; nil for none.
    private func credential(
        after failure: (Credential, FailureResponse)?, count: Int, on loop: isolated EventLoop
    ) async throws(SessionError) -> (Credential, Int)? {
        let stored = run.storedCredential(for: space, of: nil)
        let challenge = Challenge(
            protectionSpace: space, proposedCredential: failure?.0 ?? stored, previousFailureCount: count,
            failureResponse: failure?.1,
            error: failure.map { _ in ChallengeError("the last credential was refused") })
        var record = ChallengeRecord(challenge, url: url.description, answer: .none, result: .unanswered)
        defer { run.records.append(record) }
        let chosen = try await run.credential(for: challenge, stored, url, recordingIn: &record, on: loop)
        guard let chosen, let user = chosen.user, chosen.hasPassword else { return nil }
        let hasLineEnd = user.utf8.contains { $0 < 0x20 } || chosen.withPassword { $0.contains { $0 < 0x20 } } ?? false
        guard !hasLineEnd else {
            record.reason = "FTP cannot transport control characters in a user or a password"
            return nil
        }
        return (chosen, run.records.count)
    }

    /// Stores a password that the server accepted.
    private func store(_ credential: Credential, _ index: Int) {
        do throws(CredentialStorageError) {
            try run.state.configuration.storage.setDefault(credential, for: run.records[index].protectionSpace)
        } catch {
            run.records[index].reason = "the password was not stored: \(error)"
        }
    }

    private func login(
        _ credential: Credential, _ index: Int, over stream: ErasedStream, on loop: isolated EventLoop
    ) async throws(SessionError) -> Reply {
        var reader = ReplyReader()
        let user = Array("USER \(credential.user ?? "")\r\n".utf8)
        let reply = try await self.reply(to: user, &reader, over: stream, on: loop)
        // 331 asks for a password, 332 for an account too (RFC 959, section 5.4).
        guard reply.code == 331 else { return reply }
        run.records[index].result = .unknown
        run.records[index].user = credential.user
        let password = credential.withPassword { Array("PASS ".utf8) + $0 + Array("\r\n".utf8) } ?? []
        return try await self.reply(to: password, &reader, over: stream, on: loop)
    }

    private func reply(
        to command: [UInt8], _ reader: inout ReplyReader, over stream: ErasedStream, on loop: isolated EventLoop
    ) async throws(SessionError) -> Reply {
        var output = command
        var count = 0
        while true {
            let bytes: [UInt8]
            do throws(StreamError) {
                try await stream.send(output, until: run.deadline, on: loop)
                bytes = try await stream.receive(atMost: Self.chunkSize, until: run.deadline, on: loop)
            } catch {
                guard case .timedOut = error else {
                    throw SessionError(
                        .connection, "\(server) closed the connection during the login")
                }
                throw SessionError(
                    .timeout,
                    "\(server) did not answer the login within \(run.state.configuration.timeout.inSeconds)"
                )
            }
            output = []
            count += bytes.count
            reader.append(bytes)
            do throws(NegotiationFailure) {
                if let reply = try reader.next() { return Reply(code: reply.code, words: reply.words) }
            } catch {
                throw SessionError(
                    .response, "\(server) did not answer the login with a reply of FTP")
            }
            guard count <= Self.maximumReplyLength else {
                throw SessionError(
                    .response,
                    "\(server) sent a reply of more than \(Self.maximumReplyLength >> 10) KiB")
            }
        }
    }
}
