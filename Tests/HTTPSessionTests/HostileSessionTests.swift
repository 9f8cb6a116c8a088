import Authentication
import HTTPSession
import TestSupport
import Testing

/// Servers that never end, or break the rules of HTTP. Each run ends with an error, within the time limit and the limits of memory.
@Suite(.blocking) struct HostileSessionTests {
    private func error(
        timeout: Duration = .seconds(30), _ serve: @escaping @Sendable (RawPeer.Connection) -> Void
    ) throws -> SessionError.Code? {
        try RawPeer.run { connection in
            _ = connection.read()
            serve(connection)
        } _: { peer in
            try SessionFixture.run("http://\(peer.endpoint)/") { $0.timeout = timeout }.error?.code
        }
    }

    @Test func silence() throws {
        #expect(try error(timeout: .milliseconds(200)) { $0.drain() } == .timeout)
        #expect(
            try error(timeout: .milliseconds(200)) {
                $0.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab")
                $0.drain()
            } == .timeout)
    }

    /// One byte at a time does not extend the deadline.
    @Test func slowHeaders() throws {
        #expect(
            try error(timeout: .milliseconds(300)) { connection in
                connection.write("HTTP/1.1 200 OK\r\n")
                while connection.write("a: b\r\n") { connection.pause(20) }
            } == .timeout)
    }

    @Test func endlessHeaders() throws {
        #expect(
            try error { connection in
                connection.write("HTTP/1.1 200 OK\r\n")
                while connection.write(String(repeating: "x-a: b\r\n", count: 500)) {}
            } == .response)
        #expect(
            try error { connection in
                connection.write("HTTP/1.1 ")
                while connection.write(String(repeating: "x", count: 4000)) {}
            } == .response)
    }

    @Test func endlessInterimResponses() throws {
        #expect(try error { while $0.write("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n") {} } == .response)
    }

    @Test(arguments: [
        "", "SSH-2.0-OpenSSH\r\n", "HTTP/2 200\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 101 Switching\r\n\r\n",
        "HTTP/1.1 401 x\r\nWWW-Authenticate: Digest realm=\"\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 401 x\r\n" + String(repeating: "WWW-Authenticate: NTLM\r\n", count: 65) + "Content-Length: 0\r\n\r\n",
    ])
    func malformed(response: String) throws {
        let code = try error { $0.write(response) }
        #expect(code == .response || (response.isEmpty && code == .connection), "\(String(describing: code))")
    }

    /// A body is kept up to the limit; the rest is not read.
    @Test(arguments: ["", "Transfer-Encoding: chunked\r\n", "Content-Length: 999999999\r\n"])
    func endlessBody(framing: String) throws {
        try RawPeer.run { connection in
            _ = connection.read()
            connection.write("HTTP/1.1 200 OK\r\n\(framing)\r\n")
            let part = String(repeating: "x", count: 4096)
            while connection.write(framing.hasPrefix("T") ? "1000\r\n\(part)\r\n" : part) {}
        } _: { peer in
            let result = try SessionFixture.run("http://\(peer.endpoint)/") { $0.maximumBodyLength = 10_000 }
            guard case .success(let response) = result.outcome else {
                Issue.record("\(result)")
                return
            }
            #expect(response.body.count == 10_000 && !response.isBodyComplete)
        }
    }

    /// A challenge in an endless body does not keep the connection busy: the answer goes over another one.
    @Test func endlessBodyOfAChallenge() throws {
        let answered = Answered()
        try RawPeer.run { connection in
            let request = String(decoding: connection.read() ?? [], as: UTF8.self)
            guard request.contains("Authorization: Digest") else {
                connection.write(
                    "HTTP/1.1 401 x\r\nWWW-Authenticate: Digest realm=r, nonce=n, qop=auth\r\nTransfer-Encoding: chunked\r\n\r\n"
                )
                while connection.write("1000\r\n" + String(repeating: "x", count: 4096) + "\r\n") {}
                return
            }
            answered.value = true
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        } _: { peer in
            let result = try SessionFixture.run("http://\(peer.endpoint)/", handler: SessionFixture.login()) {
                $0.maximumBodyLength = 10_000
            }
            #expect(result.status == 200 && answered.value)
        }
    }

    final class Answered: @unchecked Sendable {
        var value = false
        var count = 0
    }

    /// New realms in each response and after each redirect. A report searches each of them for passwords.
    @Test func endlessRealms() throws {
        let number = Answered()
        try RawPeer.run { connection in
            while connection.read() != nil {
                number.count += 1
                let realm = String(repeating: "…", count: 4000) + String(number.count)
                let challenge = "401 x\r\nWWW-Authenticate: Digest realm=\"\(realm)\", nonce=n, qop=auth"
                let redirect = "302 x\r\nLocation: /\(number.count)"
                connection.write(
                    "HTTP/1.1 \(number.count % 16 == 0 ? redirect : challenge)\r\nContent-Length: 0\r\n\r\n")
            }
        } _: { peer in
            let handler = PasswordHandler { _ in SessionFixture.credential }
            let result = try SessionFixture.run("http://\(peer.endpoint)/", handler: handler)
            #expect(result.error?.message.contains("more than 256 KiB of challenges") == true, "\(result)")
            // 12 kB in each response.
            #expect(number.count < 30)
        }
    }

    /// A trusted server that appends other certificates in each connection, and requires a login or redirects. The number of certificates
    /// is different in each list.
    private static let changingServer = """
        import socket, ssl, sys, tempfile
        chain, other = open("leaf.chain.pem").read(), open("intermediate.pem").read()
        size = len(ssl.PEM_cert_to_DER_cert(other))
        listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
        for number in range(1000):
            connection, _ = listener.accept()
            try:
                settings = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                with tempfile.NamedTemporaryFile("w") as file:
                    file.write(chain + other * (240_000 // size - number))
                    file.flush()
                    settings.load_cert_chain(file.name, "leaf.key")
                session = settings.wrap_socket(connection, server_side=True)
                session.recv(65536)
                challenge = f'401 x\\r\\nWWW-Authenticate: Digest realm="{number}", nonce=n, qop=auth'
                redirect = f"302 x\\r\\nLocation: /{number}"
                answer = redirect if number % 16 == 15 else challenge
                session.sendall(f"HTTP/1.1 {answer}\\r\\nConnection: close\\r\\nContent-Length: 0\\r\\n\\r\\n".encode())
                session.close()
            except OSError:
                connection.close()
        """

    @Test func differentCertificatesInEachConnection() throws {
        let pki = try TestPKI.shared()
        try ServerProcess.run(folder: pki.folder) { port in
            ["python3", "-c", Self.changingServer, String(port)]
        } _: { server in
            let handler = PasswordHandler { _ in SessionFixture.credential }
            // The server needs a second for each connection if other programs use the processors.
            let result = try SessionFixture.run("https://\(server.localhost)/", handler: handler) {
                $0.timeout = .seconds(120)
            }
            #expect(result.error?.message.contains("more than 4 MiB of different certificates") == true, "\(result)")
        }
    }
}
