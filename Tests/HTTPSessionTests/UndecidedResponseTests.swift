import Authentication
import HTTPSession
import TestSupport
import Testing

/// Responses that do not say whether a login is accepted, or that are not complete.
@Suite(.blocking) struct UndecidedResponseTests {
    private static let challenge = ScriptedServer.response(
        "401 Unauthorized", #"WWW-Authenticate: Digest realm="r", nonce="n", qop="auth""#)

    /// The server could not read or process the request (RFC 9110, sections 15.5.1, 15.5.9, 15.5.20 and 15.6; RFC 6585, sections 4 and 5).
    /// RFC 7616, section 3.4.6, refuses a login with 400.
    @Test(arguments: [400, 408, 421, 429, 431, 500, 502, 503, 504]) func theLoginIsUnknown(status: Int) throws {
        try ScriptedServer.run([Self.challenge, ScriptedServer.response("\(status) x")]) { peer, server in
            let storage = CredentialStorage()
            let handler = PasswordHandler(maximumAttempts: 1) { _ in
                Credential(
                    user: SessionFixture.user.name, password: SessionFixture.user.password, persistence: .forSession)
            }
            let result = try SessionFixture.run("http://\(peer.endpoint)/", handler: handler) { $0.storage = storage }
            #expect(result.status == status && result.admission == .undecided)
            let record = try #require(result.challenges.first)
            #expect(record.result == .unknown && record.user == SessionFixture.user.name)
            #expect(storage.defaultCredential(for: record.protectionSpace, usesNetrc: false) == nil)
        }
    }

    @Test(arguments: [(200, TaskResult.Admission.admitted), (404, .admitted), (403, .refused), (511, .refused)])
    func theLoginIsAccepted(status: Int, admission: TaskResult.Admission) throws {
        try ScriptedServer.run([Self.challenge, ScriptedServer.response("\(status) x")]) { peer, _ in
            let result = try SessionFixture.run("http://\(peer.endpoint)/", handler: SessionFixture.login())
            #expect(result.status == status && result.admission == admission)
            #expect(result.summary == ["Digest MD5 accepted"])
        }
    }

    /// A server that redirects to a page of unknown length. RFC 9112, section 9.8: the page is complete only after close_notify.
    private static let connection = """
        end, page = arguments
        redirects = not session.recv(65536).startswith(b"GET /login")
        fields = "302 x\\r\\nLocation: /login" if redirects else "200 OK\\r\\nContent-Type: text/html"
        body = "" if redirects else page
        session.sendall(f"HTTP/1.1 {fields}\\r\\nConnection: close\\r\\n\\r\\n{body}".encode())
        if end == "notify": session.unwrap()
        else: os.close(session.detach())
        """

    @Test(arguments: [
        ("notify", "<input type=password>", TaskResult.Admission.refused), ("cut", "<input type=password>", .refused),
        ("notify", "<form>", .admitted), ("cut", "<form>", .undecided),
    ]) func pagesOfUnknownLength(end: String, page: String, admission: TaskResult.Admission) throws {
        try PythonTLSServer.run([end, page], connection: Self.connection) { server in
            let result = try SessionFixture.run("https://\(server.localhost)/")
            guard case .success(let response) = result.outcome else {
                Issue.record("\(result)")
                return
            }
            #expect(response.isBodyComplete == (end == "notify") && response.body == Array(page.utf8))
            #expect(result.admission == admission)
            let run = try PinctlRun.spawn(
                ["challenge", "https://\(server.localhost)/", "--anchors", try TestPKI.shared().path("root.pem")])
            #expect(run.status == (admission == .admitted ? 0 : admission == .refused ? 1 : 3), "\(run)")
            #expect(run.errors.contains("was not received completely") == (admission == .undecided), "\(run)")
            let json = try PinctlRun.spawn([
                "challenge", "https://\(server.localhost)/", "--anchors", try TestPKI.shared().path("root.pem"), "-f",
                "json",
            ])
            #expect(
                json.text.contains("the page after the redirect was not received completely")
                    == (admission == .undecided), "\(json)")
        }
    }

    /// A page has scripts and pictures before its form. Without a type, it is a page if it begins as one.
    @Test(arguments: [
        ("text/html", 300_000, TaskResult.Admission.refused), ("text/html", 1_100_000, .undecided), ("", 300, .refused),
        ("text/plain", 300, .admitted),
    ])
    func longPages(type: String, length: Int, admission: TaskResult.Admission) throws {
        let page = try TemporaryFolder("page")
        defer { page.remove() }
        let text = String(repeating: "<p>text</p>\n", count: length / 12) + "<form><input type=password></form>"
        try page.write(text, to: "login.html")
        try Nginx.run {
            Nginx.host(
                $0, "leaf",
                more:
                    "location / { return 302 /login.html; } location = /login.html { root \(page.path); types {} default_type '\(type)'; }"
            )
        } _: { server in
            let result = try SessionFixture.run("https://\(server.localhost)/")
            #expect(result.admission == admission)
        }
    }

    private static let provingSetup = """
        from hashlib import md5
        proven, sent = (text.encode() for text in arguments)
        H = lambda text: md5(text if isinstance(text, bytes) else text.encode()).hexdigest()
        """

    /// A server that proves a body of unknown length with `auth-int` (RFC 7616, section 3.4.3), and closes TLS without close_notify.
    private static let proving = """
        request = session.recv(65536).decode()
        if request.startswith("GET / "):
            session.sendall(b"HTTP/1.1 302 x\\r\\nLocation: /page\\r\\nConnection: close\\r\\nContent-Length: 0\\r\\n\\r\\n")
        elif "Authorization" not in request:
            session.sendall(b'HTTP/1.1 401 x\\r\\nWWW-Authenticate: Digest realm="r", nonce="n", qop="auth-int"\\r\\n'
                b"Connection: close\\r\\nContent-Length: 0\\r\\n\\r\\n")
        else:
            client = re.search('cnonce="([^"]*)"', request).group(1)
            count = re.search("nc=([0-9a-f]+)", request).group(1)
            key = H("\(SessionFixture.user.name):r:\(SessionFixture.user.password)")
            proof = H(":".join([key, "n", count, client, "auth-int", H(":/page:" + H(proven))]))
            session.sendall(('HTTP/1.1 200 OK\\r\\nContent-Type: text/html\\r\\nConnection: close\\r\\n'
                f'Authentication-Info: rspauth="{proof}", qop=auth-int, nc={count}, cnonce="{client}"\\r\\n\\r\\n'
                ).encode() + sent)
        os.close(session.detach())
        """

    /// A valid proof says that the body is complete, so that nothing is missing without close_notify.
    @Test(arguments: ["<p>hello", "<p>hel"]) func proofsOfABodyWithoutCloseNotify(sent: String) throws {
        try PythonTLSServer.run(["<p>hello", sent], setup: Self.provingSetup, connection: Self.proving) { server in
            let result = try SessionFixture.run("https://\(server.localhost)/", handler: SessionFixture.login())
            guard sent == "<p>hello" else {
                #expect(result.error?.code == .response && result.admission == .undecided, "\(result)")
                #expect(result.error?.message.contains("was not received completely") == true, "\(result)")
                return
            }
            #expect(result.admission == .admitted && result.body == sent, "\(result)")
            if case .success(let response) = result.outcome { #expect(response.isBodyComplete) }
        }
    }

    /// Values that could overflow or be negative.
    @Test(arguments: [Int.max, -1, Int.min]) func limitsOfBodies(limit: Int) throws {
        for fields in ["Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n", ""] {
            let body = fields.hasPrefix("T") ? "5\r\nhello\r\n0\r\n\r\n" : "hello"
            try RawPeer.run { connection in
                _ = connection.read()
                connection.write("HTTP/1.1 200 OK\r\n\(fields)\r\n\(body)")
            } _: { peer in
                let result = try SessionFixture.run("http://\(peer.endpoint)/") { $0.maximumBodyLength = limit }
                #expect(result.body == (limit == .max ? "hello" : ""), "\(result)")
            }
        }
    }

    @Test(arguments: [
        ("ftp://h/", "it is not an http or https URL"), ("mailto:x@y", "it is not an http or https URL"),
        ("http://u:p@h/", "it contains a user or a password"), ("http://h:99999/", "port"),
        ("/" + String(repeating: "x", count: 8200), "longer than 8192 bytes"),
    ]) func redirectsThatAreNotFollowed(location: String, reason: String) throws {
        try ScriptedServer.run([ScriptedServer.response("301 Moved", "Location: \(location)")]) { peer, _ in
            let error = try SessionFixture.run("http://\(peer.endpoint)/").error
            #expect(error?.code == .redirect && error?.message.contains(reason) == true, "\(String(describing: error))")
        }
    }
}
