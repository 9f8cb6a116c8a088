import Authentication
import Fetching
import Foundation
import HTTPSession
import Pinning
import TestSupport
import Testing

/// Logins at proxies: squid for HTTP and HTTPS, microsocks for SOCKS. curl says who is admitted.
@Suite(.blocking) struct ProxyLoginTests {
    static let user = SessionFixture.user

    private func compare(
        _ url: String, _ proxy: String, _ password: String?, scheme: String, options: [String]
    ) throws {
        let handler: any ChallengeHandler =
            password.map { SessionFixture.login($0) as any ChallengeHandler } ?? DefaultChallengeHandler()
        let result = try SessionFixture.run(url, handler: handler) { try $0.useProxy(proxy) }
        let login = password.map { ["-U", "\(Self.user.name):\($0)"] } ?? []
        let expected = try SessionFixture.curl(url, ["-x", proxy] + options + login)
        #expect((result.status == 200) == (expected == 200), "\(url) \(result.summary) \(String(describing: expected))")
        #expect(result.admission == (expected == 200 ? .admitted : .refused), "\(String(describing: result.error))")
        let record = try #require(result.challenges.first { $0.protectionSpace.isProxy })
        #expect(record.scheme == scheme)
        #expect(record.result == (password == nil ? .unanswered : expected == 200 ? .accepted : .refused))
    }

    @Test(
        .enabled(if: Squid.path != nil, "squid is not installed"),
        arguments: [([Squid.Scheme.basic], "Basic"), ([.digest, .basic], "Digest MD5")])
    func squid(schemes: [Squid.Scheme], name: String) throws {
        try Nginx.run {
            Nginx.host($0, "leaf", more: "location / { return 200 hello; }")
        } _: { server in
            try ScriptedServer.run(Array(repeating: ScriptedServer.response("200 OK"), count: 8)) { plain, _ in
                try Squid.run(schemes, user: Self.user) { squid in
                    let proxy = "http://\(squid.endpoint)"
                    for url in ["https://\(server.localhost)/", "http://\(plain.endpoint)/"] {
                        for password in [Self.user.password, "wrong", nil] {
                            try compare(url, proxy, password, scheme: name, options: ["--proxy-anyauth"])
                        }
                    }
                }
            }
        }
    }

    /// One server that offers Negotiate, NTLM, Digest and Basic.
    @Test(.enabled(if: Squid.path != nil, "squid is not installed")) func fourSchemesAtOnce() throws {
        try Nginx.run {
            Nginx.host($0, "leaf", more: "location / { return 200 hello; }")
        } _: { server in
            try Squid.run([.negotiate, .ntlm, .digest, .basic], user: Self.user) { squid in
                let (url, proxy) = ("https://\(server.localhost)/", "http://\(squid.endpoint)")
                // The oracle: what squid offers, and that Digest is admitted.
                let offer = try ChildProcess.run(["curl", "-s", "-k", "-D", "-", "-o", "/dev/null", "-x", proxy, url])
                let schemes = offer.text.split(separator: "\r\n").filter { $0.hasPrefix("Proxy-Authenticate: ") }
                    .compactMap { $0.split(separator: " ").dropFirst().first }
                #expect(schemes == ["Negotiate", "NTLM", "Digest", "Basic"])
                let expected = try SessionFixture.curl(
                    url, ["-x", proxy, "--proxy-digest", "-U", "\(Self.user.name):\(Self.user.password)"])
                #expect(expected == 200)

                let result = try SessionFixture.run(url, handler: SessionFixture.login()) { try $0.useProxy(proxy) }
                #expect(result.status == 200)
                let proxyChallenges = Array(result.summary.prefix(3))
                #expect(proxyChallenges == ["Negotiate unsupported", "NTLM unsupported", "Digest MD5 accepted"])
            }
        }
    }

    @Test(.enabled(if: Microsocks.path != nil, "microsocks is not installed")) func socks() throws {
        try Nginx.run {
            Nginx.host($0, "leaf", more: "location / { return 200 hello; }")
        } _: { server in
            try Microsocks.run(user: Self.user) { proxy in
                for password in [Self.user.password, "wrong", nil] {
                    try compare(
                        "https://\(server.localhost)/", "socks5h://\(proxy.endpoint)", password, scheme: "SOCKS5",
                        options: [])
                }
            }
        }
    }

    /// squid sends the path to the server, which compares it with the target of Digest.
    @Test(.enabled(if: Squid.path != nil && Lighttpd.path != nil, "squid or lighttpd is not installed"))
    func digestAtAServerBehindAProxy() throws {
        try Lighttpd.run(user: Self.user) { server in
            try Squid.run { squid in
                let proxy = "http://\(squid.endpoint)"
                for area in ["md5", "sha256"] {
                    for password in [Self.user.password, "wrong"] {
                        let url = "http://\(server.localhost)/\(area)/file.txt?a=b"
                        let result = try SessionFixture.run(url, handler: SessionFixture.login(password)) {
                            try $0.useProxy(proxy)
                        }
                        let expected = try SessionFixture.curl(
                            url, ["-x", proxy, "--digest", "-u", "\(Self.user.name):\(password)"])
                        #expect(result.status == expected, "\(area) \(result)")
                        #expect(result.challenges.first?.result == (expected == 200 ? .accepted : .refused))
                    }
                }
            }
        }
    }

    /// curl also requests a tunnel.
    @Test(.enabled(if: Squid.path != nil, "squid is not installed")) func anotherAddressBehindAProxy() throws {
        try ScriptedServer.run(Array(repeating: ScriptedServer.response("200 OK"), count: 2)) { peer, server in
            try Squid.run { squid in
                let proxy = "http://\(squid.endpoint)"
                let url = "http://origin.test/a"
                let result = try SessionFixture.run(url) {
                    $0.options.connectTo = (try Target(parsing: "127.0.0.1").host, peer.port)
                    try $0.useProxy(proxy)
                }
                #expect(result.status == 200, "\(result)")
                let expected = try SessionFixture.curl(
                    url, ["-x", proxy, "--connect-to", "origin.test:80:\(peer.endpoint)"])
                #expect(expected == 200)
                for request in server.requests {
                    #expect(request.hasPrefix("GET /a HTTP/1.1\r\nHost: origin.test\r\n"), "\(request)")
                }
            }
        }
    }

    /// The family applies to the connection to a proxy that resolves names, and otherwise to the addresses of the server.
    @Test func addressFamilies() throws {
        for (kind, url) in [("socks5h", "https://origin.test/"), ("socks4a", "https://origin.test/")] {
            try RawPeer.run {
                $0.drain()
            } _: { peer in
                let result = try SessionFixture.run(url) {
                    $0.options.family = .ipv6
                    try $0.useProxy("\(kind)://\(peer.endpoint)")
                }
                #expect(result.error?.message.contains("only IPv6 is allowed") == true, "\(result)")
            }
        }
        try RawPeer.run {
            $0.drain()
        } _: { peer in
            let result = try SessionFixture.run("https://127.0.0.1/") {
                $0.options.family = .ipv6
                try $0.useProxy("socks4://\(peer.endpoint)")
            }
            #expect(result.error?.message.contains("only IPv6 is allowed") == true, "\(result)")
        }
    }

    /// The errors of `fetch` (proxies.md).
    @Test(arguments: [
        (["Proxy-Authenticate: Negotiate"], "it offers no supported authentication scheme (Negotiate)", "alice"),
        ([], "its Proxy-Authenticate header is absent or not valid", "alice"),
        (["Proxy-Authenticate: Basic realm=p"], "Basic cannot transport this user and password", "a%3Ab"),
        (["Proxy-Authenticate: Basic realm=p"], "it refused the user or the password (Basic)", "alice"),
        (["Proxy-Authenticate: Negotiate"], "it requires a user and a password (Negotiate)", nil),
        (["Proxy-Authenticate: Basic realm=p"], "it requires a user and a password (Basic)", nil),
    ]) func errorsOfLogins(fields: [String], message: String, user: String?) throws {
        let lines = ["HTTP/1.1 407 x", "Content-Length: 0"] + fields
        let response = lines.joined(separator: "\r\n") + "\r\n\r\n"
        for scheme in ["http", "https"] {
            try ScriptedServer.run([response, response]) { peer, _ in
                let userInfo = user.map { "\($0):secret@" } ?? ""
                let run = try PinctlRun.spawn(
                    ["challenge", "\(scheme)://origin.test/"],
                    environment: [
                        "http_proxy": "http://\(userInfo)\(peer.endpoint)",
                        "https_proxy": "http://\(userInfo)\(peer.endpoint)",
                    ])
                #expect(run.status == 1, "\(run)")
                if scheme == "https" { #expect(run.errors.contains(message), "\(run)") }
                // Another option helps only if the proxy offers a scheme that pinctl supports.
                if user != nil, scheme == "http" { #expect(!run.errors.contains("--proxy-user"), "\(run)") }
            }
        }
    }

    /// The password of a proxy is not sent to the server, and that of the server not to the proxy.
    @Test func loginsAreSeparate() throws {
        let proxyChallenge = ScriptedServer.response(
            "407 Proxy Authentication Required", #"Proxy-Authenticate: Basic realm="p""#)
        let challenge = ScriptedServer.response("401 Unauthorized", #"WWW-Authenticate: Basic realm="r""#)
        let handler = PasswordHandler { challenge in
            Credential(user: challenge.protectionSpace.isProxy ? "proxyuser" : "serveruser", password: "p")
        }
        let ok = ScriptedServer.response("200 OK", #"Proxy-Authentication-Info: nextnonce="x""#)
        try ScriptedServer.run([proxyChallenge, challenge, ok]) { peer, server in
            let result = try SessionFixture.run("http://origin.test/a", handler: handler) {
                try $0.useProxy("http://\(peer.endpoint)")
            }
            #expect(result.status == 200)
            #expect(result.challenges.map(\.protectionSpace.isProxy) == [true, false])
            #expect(result.challenges.map(\.result) == [.accepted, .accepted])
            #expect(server.requests.count == 3)
            #expect(server.requests[0].hasPrefix("GET http://origin.test/a HTTP/1.1\r\nHost: origin.test\r\n"))
            let both = server.requests[2]
            #expect(both.contains("Proxy-Authorization: Basic \(Data("proxyuser:p".utf8).base64EncodedString())"))
            #expect(both.contains("\r\nAuthorization: Basic \(Data("serveruser:p".utf8).base64EncodedString())"))
        }
    }

    /// A proxy that refused a password with Digest does not get it with Basic in another realm.
    @Test func noDowngradeInAnotherRealm() throws {
        let challenges = [#"Digest realm="p", nonce="n", qop="auth""#, #"Basic realm="other""#].map {
            ScriptedServer.response("407 Proxy Authentication Required", "Proxy-Authenticate: \($0)")
        }
        for url in ["http://origin.test/", "https://origin.test/"] {
            try ScriptedServer.run(challenges + [ScriptedServer.response("200 OK")]) { peer, server in
                _ = try SessionFixture.run(url) {
                    try $0.useProxy("http://alice:\(Self.user.password)@\(peer.endpoint)")
                }
                #expect(server.requests.count == 2)
                #expect(server.requests.last?.contains("Proxy-Authorization: Digest ") == true)
            }
        }
    }

    /// Two proxies of the environment with one host and port, of which only the HTTPS one has this password.
    @Test(arguments: [nil, "bob"]) func anotherProxyWithThisPortGetsNoPassword(user: String?) throws {
        let challenge = ScriptedServer.response(
            "407 Proxy Authentication Required", #"Proxy-Authenticate: Basic realm="p""#)
        try ScriptedServer.run([challenge, ScriptedServer.response("200 OK")]) { peer, server in
            let https = try Proxy(parsing: "https://alice:\(Self.user.password)@\(peer.endpoint)")
            let http = try Proxy(parsing: "http://" + (user.map { "\($0):p@" } ?? "") + peer.endpoint)
            let result = try SessionFixture.run("http://origin.test/") {
                $0.options.proxies = ProxyRules(
                    https: https, http: http, general: nil, exempt: NoProxyList(parsing: ""),
                    trust: TrustSource(anchors: try SessionFixture.anchors()), pins: nil,
                    at: try #require(Timestamp(rfc3339: "2026-01-01T00:00:00Z")))
            }
            let fields = server.requests.flatMap { $0.split(separator: "\r\n") }
                .filter { $0.hasPrefix("Proxy-Authorization: ") }
            // Basic is base64 of the user and the password (RFC 7617, section 2).
            let expected = user.map { "Proxy-Authorization: Basic \(Data("\($0):p".utf8).base64EncodedString())" }
            #expect(fields.map(String.init) == [expected].compactMap(\.self))
            #expect(result.status == (user == nil ? 407 : 200))
        }
    }

    /// A proxy that does not answer, or does not reach the server, says nothing about the request.
    @Test func failuresOfAProxyAreUndecided() throws {
        let closed = try LoopbackSocket()
        for kind in ["http", "https", "socks4", "socks5", "socks5h"] {
            let result = try SessionFixture.run("https://127.0.0.1:1/") {
                try $0.useProxy("\(kind)://127.0.0.1:\(closed.port)")
            }
            #expect(result.error?.code == .proxy && result.admission == .undecided, "\(kind)")
        }
        for (status, admission) in [
            ("403 Forbidden", TaskResult.Admission.refused), ("502 Bad Gateway", .undecided),
            ("504 Gateway Timeout", .undecided),
        ] {
            try ScriptedServer.run([ScriptedServer.response(status)]) { peer, _ in
                let result = try SessionFixture.run("https://origin.test/") {
                    try $0.useProxy("http://\(peer.endpoint)")
                }
                #expect(result.error?.code == .proxy && result.admission == admission, "\(status)")
            }
        }
        // The replies of RFC 1928, section 6: not allowed by the rules, and three failures of the proxy's connection.
        for (reply, admission) in [
            (UInt8(2), TaskResult.Admission.refused), (3, .undecided), (4, .undecided), (5, .undecided),
        ] {
            try RawPeer.run { connection in
                _ = connection.read()
                connection.write([5, 0])
                _ = connection.read()
                connection.write([5, reply, 0, 1, 0, 0, 0, 0, 0, 0])
            } _: { peer in
                let result = try SessionFixture.run("https://origin.test/") {
                    try $0.useProxy("socks5h://\(peer.endpoint)")
                }
                #expect(result.error?.code == .proxy && result.admission == admission, "\(reply)")
            }
        }
    }

    /// Only the password in the settings of the proxy is sent, and not that of a handler after its refusal.
    @Test func basicOfAHandlerToAProxyWithoutTLS() throws {
        let challenge = ScriptedServer.response(
            "407 Proxy Authentication Required", #"Proxy-Authenticate: Basic realm="p""#)
        for url in ["http://origin.test/", "https://origin.test/"] {
            try ScriptedServer.run([challenge, challenge, ScriptedServer.response("200 OK")]) { peer, server in
                let result = try SessionFixture.run(url, handler: SessionFixture.login()) {
                    $0.allowsPlaintextPasswords = false
                    try $0.useProxy("http://alice:wrong@\(peer.endpoint)")
                }
                let fields = server.requests.flatMap { $0.split(separator: "\r\n") }
                    .filter { $0.hasPrefix("Proxy-Authorization: ") }.map(String.init)
                // Base64 of the user and the password (RFC 7617, section 2).
                #expect(fields == ["Proxy-Authorization: Basic \(Data("alice:wrong".utf8).base64EncodedString())"])
                #expect(result.status != 200)
            }
        }
    }

    /// curl sends the password of a proxy with Basic, too. A handler's password needs the setting.
    @Test func basicOfAProxyWithoutTLS() throws {
        let challenge = ScriptedServer.response(
            "407 Proxy Authentication Required", #"Proxy-Authenticate: Basic realm="p""#)
        for (user, status) in [("alice:\(Self.user.password)@", 200), ("", 407)] {
            try ScriptedServer.run([challenge, ScriptedServer.response("200 OK")]) { peer, _ in
                let result = try SessionFixture.run("http://origin.test/", handler: SessionFixture.login()) {
                    $0.allowsPlaintextPasswords = false
                    try $0.useProxy("http://\(user)\(peer.endpoint)")
                }
                #expect(result.status == status, "\(result.summary)")
            }
        }
    }
}
