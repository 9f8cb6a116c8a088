import Authentication
import HTTPSession
import TestSupport
import Testing

/// The report names a user or a certificate only if it was sent.
@Suite(.blocking) struct SentCredentialTests {
    private static let user = SessionFixture.user

    /// A server that accepts the connection of the fixture and one of the client, and closes its listener before it answers: the next
    /// connection is refused.
    private func withOneConnection(
        _ serve: String, code: SessionError.Code = .connection, _ body: (ServerProcess) throws -> TaskResult
    ) throws -> TaskResult {
        let pki = try TestPKI.shared()
        let script = """
            import socket, ssl, sys
            listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
            listener.accept()[0].close()
            connection, _ = listener.accept()
            listener.close()
            \(serve)
            connection.close()
            import time; time.sleep(30)
            """
        return try ServerProcess.run(folder: pki.folder) { port in
            ["python3", "-c", script, String(port)]
        } _: { server in
            let result = try body(server)
            #expect(result.error?.code == code, "\(result)")
            return result
        }
    }

    @Test(arguments: ["Basic realm=\"r\"", "Digest realm=\"r\", nonce=\"n\", qop=\"auth\""])
    func connectionRefusedAfterTheChallenge(challenge: String) throws {
        let serve = """
            connection.recv(65536)
            connection.sendall(b'HTTP/1.1 401 x\\r\\nWWW-Authenticate: \(challenge)\\r\\nContent-Length: 0\\r\\n'
                b'Connection: close\\r\\n\\r\\n')
            """
        let result = try withOneConnection(serve) {
            try SessionFixture.run("http://\($0.endpoint)/", handler: SessionFixture.login())
        }
        let record = try #require(result.challenges.first)
        #expect(record.answer == .useCredential && record.result == .unanswered && record.user == nil)
    }

    @Test func connectionRefusedBeforeTheClientCertificate() throws {
        let pki = try TestPKI.shared()
        let serve = """
            settings = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            settings.load_cert_chain("leaf.chain.pem", "leaf.key")
            settings.verify_mode = ssl.CERT_OPTIONAL
            settings.load_verify_locations("root.pem")
            connection = settings.wrap_socket(connection, server_side=True)
            try: connection.recv(65536)
            except OSError: pass
            """
        let identity = try ClientIdentity(
            certificateFile: try pki.bytes("client.chain.pem"), keyFile: try pki.bytes("client.key"))
        let result = try withOneConnection(serve) {
            try SessionFixture.run("https://\($0.localhost)/", handler: IdentityHandler(identity: identity))
        }
        #expect(result.summary == ["server-trust accepted", "client-certificate unanswered"])
        #expect(result.challenges.last?.answer == .useCredential && result.challenges.last?.certificate == nil)
    }

    @Test func connectionRefusedByASOCKSProxy() throws {
        // RFC 1928, section 3: no acceptable method.
        let serve = "connection.recv(65536); connection.sendall(bytes([5, 255]))"
        let result = try withOneConnection(serve, code: .proxy) { server in
            try SessionFixture.run("https://origin.test/", handler: SessionFixture.login()) {
                try $0.useProxy("socks5h://\(server.endpoint)")
            }
        }
        #expect(result.summary == ["SOCKS5 unanswered"] && result.challenges.first?.user == nil)
    }

    /// The login of SOCKS 5 is accepted before the request for the connection (RFC 1929, section 2; RFC 1928, section 6).
    @Test(arguments: [(true, true), (true, false), (false, false)]) func socksLogin(asks: Bool, accepts: Bool) throws {
        try RawPeer.run { connection in
            guard let methods = connection.read(), methods.contains(2) else {
                connection.write([5, 255])
                return
            }
            connection.write([5, asks ? 2 : 0])
            _ = connection.read()
            guard asks else {
                connection.write([5, 4, 0, 1, 0, 0, 0, 0, 0, 0])
                return
            }
            connection.write([1, accepts ? 0 : 1])
            _ = connection.read()
            connection.write([5, 4, 0, 1, 0, 0, 0, 0, 0, 0])
        } _: { peer in
            let result = try SessionFixture.run("https://origin.test/", handler: SessionFixture.login()) {
                try $0.useProxy("socks5h://\(peer.endpoint)")
            }
            let record = try #require(result.challenges.first)
            #expect(record.user == (asks ? Self.user.name : nil))
            #expect(record.result == (accepts ? .accepted : asks ? .refused : .unanswered))
        }
    }

    /// RFC 1929, section 2: a byte contains the length of each field.
    @Test func aLoginThatSOCKSCannotTransport() throws {
        try RawPeer.run { connection in
            guard let methods = connection.read(), methods.contains(2) else {
                connection.write([5, 255])
                return
            }
            connection.write([5, 2])
            connection.drain()
        } _: { peer in
            let handler = PasswordHandler(maximumAttempts: 1) { _ in
                Credential(user: Self.user.name, password: String(repeating: "p", count: 256))
            }
            let result = try SessionFixture.run("https://origin.test/", handler: handler) {
                try $0.useProxy("socks5h://\(peer.endpoint)")
            }
            #expect(result.summary == ["SOCKS5 unanswered"] && result.challenges.first?.user == nil)
            #expect(result.error?.code == .proxy)
            #expect(result.error?.message.contains("at most 255 bytes") == true, "\(result)")
        }
    }

    @Test(.enabled(if: Microsocks.path != nil, "microsocks is not installed")) func socksLoginsAreStored() throws {
        try Nginx.run {
            Nginx.host($0, "leaf", more: "location / { return 200 hello; }")
        } _: { server in
            try Microsocks.run(user: Self.user) { proxy in
                let storage = CredentialStorage()
                let handler = PasswordHandler { _ in
                    Credential(user: Self.user.name, password: Self.user.password, persistence: .forSession)
                }
                let handlers: [any ChallengeHandler] = [handler, DefaultChallengeHandler()]
                for (handler, answer) in zip(handlers, [ChallengeRecord.Answer.useCredential, .performDefaultHandling])
                {
                    let result = try SessionFixture.run("https://\(server.localhost)/", handler: handler) {
                        $0.storage = storage
                        try $0.useProxy("socks5h://\(proxy.endpoint)")
                    }
                    #expect(result.status == 200 && result.challenges.first?.answer == answer, "\(result)")
                    #expect(result.challenges.first?.user == Self.user.name)
                }
            }
        }
    }

    // MARK: FTP

    @Test func ftpWithoutAConnection() throws {
        let closed = try LoopbackSocket()
        let result = try SessionFixture.run("ftp://127.0.0.1:\(closed.port)/", handler: SessionFixture.login())
        #expect(result.error?.code == .connection && !result.challenges.contains { $0.user != nil })
    }

    @Test(.enabled(if: Vsftpd.path != nil, "vsftpd is not installed")) func ftpWithAnUntrustedServer() throws {
        try Vsftpd.run(password: nil) { server in
            let result = try SessionFixture.run("ftp://\(server.localhost)/", handler: SessionFixture.login()) {
                $0.anchors = try SessionFixture.otherAnchors()
            }
            #expect(result.error?.code == .untrusted && result.summary == ["server-trust refused"], "\(result)")
        }
    }

    /// An FTP server with TLS that answers USER and PASS with replies of a script.
    private func withFTP(_ replies: [String], _ body: (ServerProcess) throws -> Void) throws {
        let pki = try TestPKI.shared()
        let script = """
            import socket, ssl, sys
            listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
            while True:
                connection, _ = listener.accept()
                try:
                    connection.sendall(b"220 ready\\r\\n")
                    if not connection.recv(4096): continue
                    connection.sendall(b"234 go\\r\\n")
                    settings = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                    settings.set_alpn_protocols(["ftp"])
                    settings.load_cert_chain("leaf.chain.pem", "leaf.key")
                    connection = settings.wrap_socket(connection, server_side=True)
                    print("alpn", connection.selected_alpn_protocol(), flush=True)
                    for reply in sys.argv[2:]:
                        command = connection.recv(4096)
                        if not command: break
                        print(command[:4], flush=True)
                        if not reply: break
                        connection.sendall(reply.encode() + b"\\r\\n")
                except OSError as error:
                    print(error, flush=True)
                connection.close()
            """
        try ServerProcess.run(folder: pki.folder) { port in
            ["python3", "-c", script, String(port)] + replies
        } _: {
            try body($0)
        }
    }

    /// The replies of RFC 959, section 5.4. Only a reply of 500 or more refuses.
    @Test(arguments: [
        (["331 password", "230 ok"], ChallengeRecord.Result.accepted, true, true), (["230 ok"], .accepted, true, false),
        (["331 password", "530 no"], .refused, true, false), (["530 no"], .refused, true, false),
        (["331 password", "421 busy"], .unknown, true, false), (["331 password", ""], .unknown, true, false),
        ([""], .unanswered, false, false), (["421 busy"], .unanswered, false, false),
        (["332 account"], .unanswered, false, false),
    ]) func ftpReplies(replies: [String], expected: ChallengeRecord.Result, namesUser: Bool, stores: Bool) throws {
        try withFTP(replies) { server in
            let storage = CredentialStorage()
            let handler = PasswordHandler(maximumAttempts: 1) { _ in
                Credential(user: Self.user.name, password: Self.user.password, persistence: .forSession)
            }
            let result = try SessionFixture.run("ftp://\(server.localhost)/", handler: handler) { $0.storage = storage }
            let record = try #require(
                result.challenges.first { $0.protectionSpace.authenticationMethod == .default }, "\(result)")
            #expect(record.result == expected && record.user == (namesUser ? Self.user.name : nil), "\(result)")
            let stored = storage.defaultCredential(for: record.protectionSpace, usesNetrc: false)
            #expect((stored != nil) == stores)
        }
    }

    /// A server that takes one connection: after a refused password, another one is made only for another password.
    @Test func ftpRefusesWithOneConnection() throws {
        let result = try withOneConnectionOfFTP()
        #expect(result.error?.code == .login && result.admission == .refused, "\(result)")
        #expect(result.error?.message.contains("530") == true, "\(result)")
        #expect(result.summary == ["server-trust accepted", "default refused", "default unanswered"])
    }

    private func withOneConnectionOfFTP() throws -> TaskResult {
        let script = """
            import socket, ssl, sys
            listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
            listener.accept()[0].close()
            connection, _ = listener.accept()
            listener.close()
            connection.sendall(b"220 ready\\r\\n")
            connection.recv(4096)
            connection.sendall(b"234 go\\r\\n")
            settings = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            settings.load_cert_chain("leaf.chain.pem", "leaf.key")
            connection = settings.wrap_socket(connection, server_side=True)
            for reply in (b"331 password", b"530 no"):
                connection.recv(4096)
                connection.sendall(reply + b"\\r\\n")
            connection.recv(4096)
            """
        return try ServerProcess.run(folder: try TestPKI.shared().folder) { port in
            ["python3", "-c", script, String(port)]
        } _: { server in
            try SessionFixture.run("ftp://\(server.localhost)/", handler: SessionFixture.login())
        }
    }

    /// A password file that cannot be written.
    @Test func ftpReportsThatAPasswordIsNotStored() throws {
        let folder = try TemporaryFolder("ftp-store")
        defer { folder.remove() }
        try withFTP(["331 password", "230 ok"]) { server in
            let file = PrivateFile(path: folder.path("missing/store"))
            let storage = try CredentialStorage(file: file)
            let handler = PasswordHandler(maximumAttempts: 1) { _ in
                Credential(user: Self.user.name, password: Self.user.password, persistence: .permanent)
            }
            let result = try SessionFixture.run("ftp://\(server.localhost)/", handler: handler) { $0.storage = storage }
            #expect(result.status == 230)
            let reason = result.challenges.compactMap(\.reason).first
            #expect(reason?.hasPrefix("the password was not stored: ") == true, "\(result)")
        }
    }

    /// A server aborts the handshake if it supports none of the offered protocols (RFC 7301, section 3.2). `openssl s_server` does.
    @Test func ftpOffersNoProtocolOfHTTP() throws {
        try OpenSSLServer.run(chain: "intermediate.pem", options: ["-alpn", "ftp"]) { server in
            let port = server.port
            try RawPeer.run { connection in
                connection.write("220 ready\r\n")
                guard connection.read() != nil else { return }
                connection.write("234 go\r\n")
                connection.forward(to: port) { $0.write($1) }
            } _: { peer in
                let result = try SessionFixture.run("ftp://\(peer.localhost)/") { $0.timeout = .seconds(2) }
                // s_server does not answer USER, so only the handshake succeeds.
                #expect(result.summary.first == "server-trust accepted", "\(result)")
            }
        }
    }
}
