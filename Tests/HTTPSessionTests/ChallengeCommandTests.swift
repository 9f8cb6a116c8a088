import Foundation
import TestSupport
import Testing

/// `pinctl challenge` with real servers. curl says who is admitted.
@Suite(.blocking) struct ChallengeCommandTests {
    let pki: TestPKI
    static let user = SessionFixture.user

    private struct Report: Decodable {
        struct URLResult: Decodable {
            struct Challenge: Decodable {
                let authenticationMethod: String
                let scheme: String?
                let realm: String?
                let proxyType: String?
                let user: String?
                let answer: String
                let result: String
                let trusted: Bool?
                let pinVerdict: String?
                let authorities: [Authority]
                let certificate: String?
            }
            struct Authority: Decodable { let name: String? }
            struct Failure: Decodable { let code: String }
            let url: String
            let admission: String
            let status: Int?
            let challenges: [Challenge]
            let error: Failure?
        }
        let urls: [URLResult]
    }

    init() throws { pki = try TestPKI.shared() }

    /// Runs pinctl, and searches its output, its messages, its arguments and its working folder for the password.
    private func pinctl(
        _ arguments: String..., environment: [String: String] = [:], input: [UInt8] = [], secret: String = user.password
    ) throws -> PinctlRun {
        let folder = try TemporaryFolder("challenge-run")
        defer { folder.remove() }
        let run = try PinctlRun.spawn(
            ["challenge"] + arguments, environment: environment, input: input, folder: folder.url)
        let encoded = Data("\(Self.user.name):\(secret)".utf8).base64EncodedString()
        for text in [run.text, run.errors, arguments.joined(separator: " ")] {
            #expect(!text.contains(secret) && !text.contains(encoded), "\(run)")
        }
        #expect(try folder.names() == [])
        return run
    }

    private func result(_ run: PinctlRun) throws -> Report.URLResult {
        try #require(try JSONDecoder().decode(Report.self, from: Data(run.output)).urls.first, "\(run)")
    }

    private func withPasswordFile<Value>(
        _ password: String = user.password, _ body: (String) throws -> Value
    ) throws -> Value {
        let folder = try TemporaryFolder("password")
        defer { folder.remove() }
        return try body(try folder.write(password + "\n", to: "password"))
    }

    @Test(.enabled(if: Lighttpd.path != nil, "lighttpd is not installed")) func logins() throws {
        try Lighttpd.run(certificate: "leaf", user: Self.user) { server in
            for (area, scheme) in ["both": "Digest SHA-256", "md5": "Digest MD5", "basic": "Basic"] {
                for password in [Self.user.password, "wr0ng-hunter3"] {
                    let url = "https://\(server.localhost)/\(area)/file.txt"
                    let run = try withPasswordFile(password) {
                        try pinctl(
                            url, "--user", Self.user.name, "--password-file", $0, "--anchors", pki.path("root.pem"),
                            "-f", "json", secret: password)
                    }
                    let expected = try SessionFixture.curl(
                        url, ["--anyauth", "-u", "\(Self.user.name):\(password)"])
                    let found = try result(run)
                    #expect(found.status == expected, "\(run)")
                    #expect(run.status == (expected == 200 ? 0 : 1))
                    #expect(found.admission == (expected == 200 ? "admitted" : "refused"))
                    #expect(found.challenges.first?.authenticationMethod == "server-trust")
                    #expect(found.challenges.first?.trusted == true)
                    let login = found.challenges.first { $0.scheme == scheme }
                    #expect(login?.realm == area && login?.user == Self.user.name)
                    #expect(login?.result == (expected == 200 ? "accepted" : "refused"))
                }
            }
        }
    }

    @Test(.enabled(if: Lighttpd.path != nil, "lighttpd is not installed")) func textReport() throws {
        try Lighttpd.run(certificate: "leaf", user: Self.user) { server in
            let url = "https://\(server.localhost)/sha256/file.txt"
            let run = try withPasswordFile {
                try pinctl(
                    url, "-u", Self.user.name, "--password-file", $0, "--anchors", pki.path("root.pem"))
            }
            #expect(run.status == 0)
            #expect(
                run.lines == [
                    "\(url)  admitted  status 200 OK",
                    "  server trust        trusted, TLSv1.3, \(server.endpoint)",
                    #"  Digest SHA-256      realm "sha256"; charset UTF-8; inside TLS; the user "alice" was accepted"#,
                ], "\(run)")
            let listed = try pinctl(url, "--no-answer", "--anchors", pki.path("root.pem"))
            #expect(listed.status == 1)
            #expect(listed.lines.last?.hasSuffix("inside TLS; not answered") == true, "\(listed)")
            let untrusted = try pinctl(url, "--anchors", pki.path("other-root.pem"))
            #expect(untrusted.status == 1)
            #expect(untrusted.errors.contains("check the anchors of --anchors"))
            #expect(untrusted.lines.first == "\(url)  refused")
            // Only the server's chain is answered.
            let only = try withPasswordFile {
                try pinctl(
                    url, "-u", Self.user.name, "--password-file", $0, "--anchors", pki.path("root.pem"), "--only",
                    "client-certificate")
            }
            #expect(only.status == 1)
        }
    }

    @Test func pinsAndClientCertificates() throws {
        let folder = try TemporaryFolder("challenge")
        defer { folder.remove() }
        func set(_ name: String) throws -> String {
            try folder.write(
                #"{"version": 1, "hosts": {"localhost": ["sha256/\#(try pki.pin(name))"]}}"#, to: "\(name).json")
        }
        try Nginx.run {
            Nginx.host(
                $0, "leaf",
                more: "ssl_verify_client on; ssl_client_certificate PKI/root.pem; ssl_verify_depth 3;"
                    + " location / { return 200 hello; }")
        } _: { server in
            let url = "https://\(server.localhost)/"
            let anchors = pki.path("root.pem")
            let run = try pinctl(
                url, "--anchors", anchors, "--pins", try set("root"), "--cert", pki.path("client.chain.pem"), "--key",
                pki.path("client.key"), "-f", "json")
            #expect(run.status == 0, "\(run)")
            let found = try result(run)
            #expect(found.challenges.first?.pinVerdict == "match")
            let certificate = try #require(
                found.challenges.first { $0.authenticationMethod == "client-certificate" })
            #expect(certificate.result == "accepted")
            #expect(certificate.authorities.map(\.name) == ["CN=Example Test Root, O=Example Test PKI"])
            #expect(certificate.certificate?.contains("Example Test Client") == true)

            let without = try pinctl(url, "--anchors", anchors)
            #expect(without.status == 1)
            #expect(without.errors.contains("hint: use --cert FILE"), "\(without)")
            let mismatch = try pinctl(url, "--anchors", anchors, "--pins", try set("other-root"), "-f", "json")
            #expect(mismatch.status == 1)
            #expect(try result(mismatch).error?.code == "pin-mismatch")
        }
    }

    @Test(.enabled(if: Lighttpd.path != nil, "lighttpd is not installed")) func netrcAndPlainHTTP() throws {
        let folder = try TemporaryFolder("home")
        defer { folder.remove() }
        let file = try folder.write("machine localhost login alice password \(Self.user.password)\n", to: ".netrc")
        try Lighttpd.run(user: Self.user) { server in
            let digest = "http://\(server.localhost)/md5/file.txt"
            let basic = "http://\(server.localhost)/basic/file.txt"
            #expect(try pinctl(digest, "--netrc", environment: ["HOME": folder.path]).status == 0)
            #expect(try pinctl(digest, "--netrc-file", file, "--user", "alice").status == 0)
            #expect(try pinctl(digest, "--netrc-file", file, "--user", "bob").status == 1)
            let refused = try pinctl(basic, "--netrc-file", file)
            #expect(refused.status == 1)
            #expect(refused.errors.contains("--allow-plaintext"), "\(refused)")
            #expect(try pinctl(basic, "--netrc-file", file, "--allow-plaintext").status == 0)
            // A list with comments, as ndjson.
            let list = Array("# list\n\(digest)\n\n  http://\(server.localhost)/open/file.txt\r\n".utf8)
            let run = try pinctl("--from", "-", "--netrc-file", file, "-f", "ndjson", input: list)
            #expect(run.status == 0 && run.lines.count == 2, "\(run)")
        }
    }

    /// A server that repeats the password of a request puts it into no report: as it is, with its user, or as in the request.
    @Test(arguments: ["--user", "--netrc-file"], ["text", "json", "ndjson"])
    func repeatedPasswordsAreNotShown(option: String, format: String) throws {
        let folder = try TemporaryFolder("password")
        defer { folder.remove() }
        let file = try folder.write(Self.user.password + "\n", to: "password")
        let netrc = try folder.write("default login alice password \(Self.user.password)\n", to: "netrc")
        let secret = Self.user.password
        let pair = Data("\(Self.user.name):\(secret)".utf8).base64EncodedString()
        let challenge = ScriptedServer.response("401 Unauthorized", #"WWW-Authenticate: Basic realm="r""#)
        let answers = [
            ScriptedServer.response("401 Unauthorized", "WWW-Authenticate: Basic realm=\"again \(secret)\""),
            ScriptedServer.response("401 Unauthorized", "WWW-Authenticate: \(secret) realm=\"\(pair)\""),
            ScriptedServer.response("401 Unauthorized", "WWW-Authenticate: Basic realm=\"r\", charset=\"\(secret)\""),
            ScriptedServer.response("403 no \(secret)"), ScriptedServer.response("403 no \(pair)"),
            ScriptedServer.response("302 Found", "Location: /x?pw=\(secret)&\(pair)"),
            ScriptedServer.response("302 Found", "Location: mailto:\(secret)"),
            "HTTP/1.1 200 OK\r\n\(secret)\r\n\r\n", "\(secret)\r\n",
        ]
        for answer in answers {
            let run = try ScriptedServer.run([challenge, answer, challenge]) { peer, _ in
                option == "--user"
                    ? try pinctl(
                        "http://\(peer.endpoint)/", option, "alice", "--password-file", file, "--allow-plaintext",
                        "--format", format)
                    : try pinctl(
                        "http://\(peer.endpoint)/", option, netrc, "--allow-plaintext", "--format", format)
            }
            #expect((run.text + run.errors).contains("***"), "\(answer): \(run)")
        }
    }

    /// A proxy repeats the user.
    @Test func theUserOfAProxyIsNotShown() throws {
        let challenge = ScriptedServer.response(
            "407 Proxy Authentication Required", #"Proxy-Authenticate: Basic realm="p aliceuser""#)
        for format in ["text", "json"] {
            for url in ["https://a.test/", "http://a.test/"] {
                let answer = ScriptedServer.response("403 Forbidden for aliceuser")
                let run = try ScriptedServer.run([challenge, answer]) { peer, _ in
                    try PinctlRun.spawn(
                        ["challenge", "--allow-plaintext", url, "--format", format, "--proxy"]
                            + ["http://aliceuser:\(Self.user.password)@\(peer.endpoint)"])
                }
                #expect(!(run.text + run.errors).contains("aliceuser"), "\(run)")
                #expect((run.text + run.errors).contains("Forbidden for ***"), "\(run)")
            }
        }
    }

    /// The URL of the request is not a text of the server, so a password that is a word of it stays readable there.
    @Test func theGivenURLIsNotMasked() throws {
        let folder = try TemporaryFolder("password")
        defer { folder.remove() }
        let file = try folder.write("area\n", to: "password")
        let challenge = ScriptedServer.response("401 Unauthorized", #"WWW-Authenticate: Basic realm="area""#)
        try ScriptedServer.run([challenge, challenge]) { peer, _ in
            let run = try PinctlRun.spawn([
                "challenge", "http://\(peer.endpoint)/area", "--user", "alice", "--password-file", file,
                "--allow-plaintext",
            ])
            #expect(run.text.hasPrefix("http://\(peer.endpoint)/area  refused"), "\(run)")
            #expect(run.text.contains("realm \"***\"") && !run.text.contains("realm \"area\""), "\(run)")
        }
    }

    /// A login is not sent to another port, so `--user` is not the step.
    @Test func namesTheStepAfterARedirectToAnotherOrigin() throws {
        let asks = "WWW-Authenticate: Basic realm=\"r\""
        try ScriptedServer.run([ScriptedServer.response("401 Unauthorized", asks)]) { other, _ in
            let redirect = ScriptedServer.response("302 Found", "Location: http://\(other.endpoint)/x")
            try ScriptedServer.run([redirect]) { first, _ in
                let run = try withPasswordFile {
                    try pinctl(
                        "http://\(first.endpoint)/", "--allow-plaintext", "--user", Self.user.name, "--password-file",
                        $0)
                }
                #expect(run.status == 1 && run.errors.contains("hint: a redirect led to \(other.endpoint), "), "\(run)")
            }
        }
    }

    /// A private key that is given as a list of URLs is neither printed nor looked up.
    @Test func aPrivateKeyIsNoList() throws {
        let run = try PinctlRun.spawn(["challenge", "--from", pki.path("leaf.key")])
        let lines = try pki.text("leaf.key").split(separator: "\n").dropFirst().dropLast()
        #expect(run.status == 2 && run.errors.contains("line 1 of"), "\(run)")
        #expect(!lines.isEmpty && lines.allSatisfy { !run.errors.contains($0.prefix(12)) }, "\(run)")
    }

    @Test(.enabled(if: Squid.path != nil, "squid is not installed")) func proxies() throws {
        try Nginx.run {
            Nginx.host($0, "leaf", more: "location / { return 200 hello; }")
        } _: { server in
            try Squid.run([.digest, .basic], user: Self.user) { squid in
                let url = "https://\(server.localhost)/"
                let common = ["--anchors", pki.path("root.pem"), "--proxy", "http://\(squid.endpoint)"]
                let run = try withPasswordFile {
                    try PinctlRun.spawn(
                        ["challenge", url, "-f", "json", "--proxy-user", Self.user.name, "--proxy-password-file", $0]
                            + common)
                }
                #expect(run.status == 0 && !run.text.contains(Self.user.password), "\(run)")
                let login = try #require(try result(run).challenges.first)
                #expect(login.proxyType == "http" && login.scheme == "Digest MD5" && login.result == "accepted")
                // The user of a proxy is a secret, as in all commands.
                #expect(login.user == nil && !run.text.contains(Self.user.name), "\(run)")
                let without = try PinctlRun.spawn(["challenge", url] + common)
                #expect(without.status == 1, "\(without)")
                #expect(without.errors.contains("--proxy-user"))
            }
        }
    }

    @Test func undecided() throws {
        let closed = try LoopbackSocket(boundTo: .ipv4)
        let run = try pinctl("https://127.0.0.1:\(closed.port)/", "-f", "json")
        #expect(run.status == 3)
        #expect(try result(run).admission == "undecided")
        try RawPeer.run {
            $0.drain()
        } _: { peer in
            let silent = try pinctl("http://\(peer.endpoint)/", "--timeout", "0.2")
            #expect(silent.status == 3 && silent.errors.contains("--timeout"), "\(silent)")
        }
    }

    /// The pins are those of the server name. A name without an entry is only validated, so it must not take the host out of the set.
    @Test func theServerNameDoesNotReplaceAnEntry() throws {
        let folder = try TemporaryFolder("challenge-name")
        defer { folder.remove() }
        let set = try folder.write(
            #"{"version": 1, "hosts": {"localhost": ["sha256/\#(try pki.pin("root"))"]}}"#, to: "pins.json")
        try Nginx.run {
            Nginx.host($0, "leaf", more: "location / { return 200 hello; }")
        } _: { server in
            let anchors = pki.path("root.pem")
            let common = ["https://\(server.localhost)/", "--anchors", anchors, "--pins", set]
            let run = try PinctlRun.spawn(["challenge"] + common + ["--servername", "other.example.test"])
            #expect(run.status == 2, "\(run)")
            #expect(
                run.errors.contains(
                    #"has an entry for "localhost", but none for the server name "other.example.test""#),
                "\(run)")
            let same = try PinctlRun.spawn(["challenge"] + common + ["--servername", "localhost"])
            #expect(same.status == 0, "\(same)")
        }
    }

    /// `--servername` selects the anchors of the first server. A redirect leads to a server with the anchors of another entry.
    @Test func theServerNameDoesNotSelectTheAnchorsAfterARedirect() throws {
        let folder = try TemporaryFolder("challenge-anchors")
        defer { folder.remove() }
        let set = try folder.write(
            """
            {"version": 1, "hosts": {
              "localhost": {"anchors": ["\(pki.path("root.pem"))"], "pins": ["sha256/\(try pki.pin("root"))"]},
              "127.0.0.1": {"anchors": ["\(pki.path("other-root.pem"))"], "enforce": false,
                "pins": ["sha256/\(try pki.pin("other-root"))"]}}}
            """, to: "pins.json")
        try Nginx.run {
            Nginx.host($0, "leaf", more: "location / { return 200 hello; }")
        } _: { server in
            try Nginx.run {
                Nginx.host(
                    $0, "leaf",
                    more: "location / { return 200 hello; } location /a { return 302 https://\(server.endpoint)/; }")
            } _: { first in
                let common = ["challenge", "--pins", set, "--format", "json", "--servername", "localhost"]
                let redirected = try PinctlRun.spawn(common + ["https://\(first.endpoint)/a"])
                #expect(redirected.status == 1, "\(redirected)")
                let found = try result(redirected)
                #expect(found.error?.code == "untrusted", "\(redirected)")
                #expect(found.challenges.map(\.trusted) == [true, false], "\(redirected)")
                let direct = try PinctlRun.spawn(common + ["https://\(first.endpoint)/"])
                #expect(direct.status == 0, "\(direct)")
            }
        }
    }

    @Test(arguments: [
        ["https://user:pw@localhost/"], ["gopher://localhost/"], [], ["https://localhost/", "--password-file", "x"],
        ["https://localhost/", "--user", "a:b"], ["https://localhost/", "--user", "a", "--no-answer"],
        ["https://localhost/", "--only", "basic"],
    ])
    func usageErrors(arguments: [String]) throws {
        let run = try PinctlRun.spawn(["challenge"] + arguments)
        #expect(run.status == 2, "\(run)")
    }
}
