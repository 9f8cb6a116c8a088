import Foundation
import TestSupport
import Testing

/// Proxies that break their protocol, refuse, or stop at any step. Each gives one error that names the proxy, within the time limit.
@Suite(.blocking) struct ProxyHostileTests {
    /// The error of a fetch through a proxy, after the name of the proxy.
    private func failure(
        of scheme: String = "http", code: String = "proxy",
        serve: @escaping @Sendable (RawPeer.Connection) -> Void, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        try RawPeer.run(serve: serve) { peer in
            let proxy = "\(scheme)://\(peer.endpoint)"
            let run = try PinctlRun.spawn(
                ["fetch", "127.0.0.1:9", "--proxy", proxy, "-f", "ndjson", "--timeout", "2"])
            #expect(run.status == 3, "\(run)", sourceLocation: sourceLocation)
            #expect(run.errors.isEmpty, "\(run)", sourceLocation: sourceLocation)
            #expect(run.duration < .seconds(8), sourceLocation: sourceLocation)
            let line = try JSONDecoder().decode(Line.self, from: Data(run.output))
            let error = try #require(line.error, "\(run)", sourceLocation: sourceLocation)
            #expect(error.code == code, "\(run)", sourceLocation: sourceLocation)
            #expect(!error.message.utf8.contains { $0 < 0x20 }, sourceLocation: sourceLocation)
            #expect(line.proxy == proxy, sourceLocation: sourceLocation)
            return error.message.replacing("proxy \(proxy): ", with: "").replacing(peer.endpoint, with: "PROXY")
        }
    }

    private struct Line: Decodable {
        struct Failure: Decodable {
            let code: String
            let message: String
        }
        let proxy: String?
        let error: Failure?
    }

    private func answering(_ texts: String...) -> @Sendable (RawPeer.Connection) -> Void {
        { connection in
            for text in texts {
                guard connection.read() != nil else { return }
                connection.write(text)
            }
            connection.drain()
        }
    }

    @Test(arguments: ["http", "socks4", "socks4a", "socks5", "socks5h"]) func silence(scheme: String) throws {
        let message = try failure(of: scheme) { $0.drain() }
        #expect(message.contains("PROXY accepted the connection but sent nothing within 2 s"), "\(message)")
    }

    @Test(arguments: ["http", "https", "socks4", "socks5"]) func closeAtOnce(scheme: String) throws {
        let message = try failure(of: scheme) { _ = $0.read() }
        #expect(message.contains("PROXY closed the connection"), "\(message)")
    }

    @Test func silenceOfAnHTTPSProxy() throws {
        let message = try failure(of: "https") { $0.drain() }
        #expect(message.contains("PROXY accepted the connection but sent nothing within 2 s"), "\(message)")
    }

    @Test func noListener() throws {
        let socket = try LoopbackSocket()
        defer { withExtendedLifetime(socket) {} }
        let proxy = "http://127.0.0.1:\(socket.port)"
        let run = try PinctlRun.spawn(["fetch", "h.example", "--proxy", proxy])
        #expect(run.status == 3)
        #expect(
            run.errors
                == """
                pinctl: error: h.example:443: proxy \(proxy): cannot connect to 127.0.0.1:\(socket.port): connection refused
                pinctl: hint: check --proxy, or the environment variables https_proxy and all_proxy; --proxy none connects without a proxy

                """, "\(run)")
    }

    @Test func refusals() throws {
        #expect(
            try failure(serve: answering("HTTP/1.1 403 Forb\u{1B}[31midden\r\n\r\n"))
                == "it refused to connect: HTTP status 403 \"Forb\\u{1B}[31midden\"")
        #expect(
            try failure(serve: answering("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 10\r\n\r\n0123456789"))
                == "it refused to connect: HTTP status 502 \"Bad Gateway\"")
        #expect(
            try failure(serve: answering("HTTP/1.1 407 x\r\nProxy-Authenticate: Negotiate, NTLM\r\n\r\n"))
                == "it requires a user and a password (Negotiate, NTLM)")
        #expect(
            try failure(serve: answering("HTTP/1.1 407 x\r\n\r\n"))
                == "it requires authentication, but its Proxy-Authenticate header is absent or not valid")
    }

    @Test func anotherProtocol() throws {
        #expect(try failure(serve: answering("SSH-2.0-OpenSSH\r\n")).contains("SSH-2.0-OpenSSH"))
        #expect(try failure(of: "socks5", serve: answering("HTTP/1.1 400 Bad\r\n\r\n")).contains("HTTP/1.1 400 Bad"))
        #expect(try failure(of: "socks4", serve: answering("HTTP/1.1 400 Bad\r\n\r\n")).contains("HTTP/1.1 400 Bad"))
    }

    /// Bytes after the answer are not passed to the handshake.
    @Test func injectedBytes() throws {
        let http = try failure(serve: answering("HTTP/1.1 200 OK\r\n\r\n\u{16}\u{3}\u{1}"))
        #expect(http.contains("sent 3 bytes of plain text after its answer"), "\(http)")
        let socks = try failure(of: "socks5h") { connection in
            _ = connection.read()
            connection.write([5, 0])
            _ = connection.read()
            connection.write([5, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0x16])
            connection.drain()
        }
        #expect(socks.contains("sent 1 byte of plain text after its answer"), "\(socks)")
    }

    /// The greeting of a server without STARTTLS, also in the same segment.
    @Test(arguments: ["http", "socks5"]) func greetingWithTheAnswer(scheme: String) throws {
        let message = try RawPeer.run { connection in
            connection.write("220 mail.example ESMTP\r\n")
            connection.drain()
        } _: { server in
            try CoalescingProxy.run(scheme, to: server.port) { proxy in
                let run = try PinctlRun.spawn(["fetch", "127.0.0.1:25", "--proxy", proxy, "--timeout", "5"])
                #expect(run.status == 3, "\(run)")
                #expect(run.errors.contains("smtp://127.0.0.1"), "\(run)")
                return run.errors
            }
        }
        #expect(message.contains("does not speak TLS: it answered with an SMTP or FTP greeting"), "\(message)")
    }

    /// A server of PostgreSQL waits for the client, and one of IRC greets first.
    @Test(arguments: ["http", "socks5"]) func answersInAdvance(scheme: String) throws {
        for (url, text, reason) in [
            ("postgres", "S", "sent 1 byte of plain text after its answer in the proxy"),
            ("irc", ":irc.test NOTICE * :*** Looking up your hostname\r\n:irc.test 691 * :no TLS\r\n", "691 * :no TLS"),
        ] {
            try RawPeer.run { connection in
                connection.write(text)
                connection.drain()
            } _: { server in
                try CoalescingProxy.run(scheme, to: server.port) { proxy in
                    let run = try PinctlRun.spawn(["fetch", "\(url)://127.0.0.1:9", "--proxy", proxy, "--timeout", "5"])
                    #expect(run.status == 3 && run.errors.contains(reason), "\(run)")
                }
            }
        }
    }

    /// `challenge` passes no bytes of a proxy to the handshake with the server.
    @Test(arguments: ["http", "socks5"]) func injectedBytesInAChallenge(scheme: String) throws {
        try RawPeer.run { connection in
            connection.write([0x16])
            connection.drain()
        } _: { server in
            try CoalescingProxy.run(scheme, to: server.port) { proxy in
                let run = try PinctlRun.spawn(["challenge", "https://127.0.0.1:9/", "--proxy", proxy, "--timeout", "5"])
                #expect(run.status == 3, "\(run)")
                let text = run.text + run.errors
                #expect(
                    text.contains("sent bytes that were not requested")
                        || text.contains("sent 1 byte of plain text after its answer"), "\(run)")
            }
        }
    }

    /// A message shows the beginning of a long text, which can end within the password.
    @Test func passwordsThatAreCutOff() throws {
        let user = (name: "proxyuser7", password: "hunter22x")
        for (start, word) in [(51, "hunter22x"), (50, "hunter%322x"), (36, "cHJveHl1c2VyNzpodW50ZXIyMng=")] {
            let reason =
                String(repeating: "x", count: start) + " \(word) is not valid for this proxy, ask for another one"
            let message = try failure(as: user, serve: answering("HTTP/1.1 403 \(reason)\r\n\r\n"))
            #expect(message.contains("x ***…"), "\(message)")
        }
    }

    @Test func endlessHeader() throws {
        let message = try failure { connection in
            _ = connection.read()
            connection.write("HTTP/1.1 200 OK\r\n")
            while connection.write("X-Filler: \(String(repeating: "x", count: 1000))\r\n") {}
        }
        #expect(message.contains("sent more than 32 KiB"), "\(message)")
        let interim = try failure { connection in
            _ = connection.read()
            while connection.write("HTTP/1.1 100 Continue\r\n\r\n") {}
        }
        #expect(interim.contains("sent more than 64 KiB"), "\(interim)")
    }

    /// Each reply code has its own meaning (RFC 1928, section 6).
    @Test(arguments: [
        (1, "general failure"), (2, "rules do not allow"), (3, "network of the target is unreachable"),
        (4, "target is unreachable"), (5, "refused its connection"), (6, "TTL expired"), (7, "command CONNECT"),
        (8, "type of address"), (200, "unknown code 200"),
    ])
    func codesOfSOCKS5(code: Int, meaning: String) throws {
        let message = try failure(of: "socks5h") { connection in
            _ = connection.read()
            connection.write([5, 0])
            _ = connection.read()
            connection.write([5, UInt8(clamping: code), 0, 1, 0, 0, 0, 0, 0, 0])
            connection.drain()
        }
        #expect(message.contains(meaning), "\(message)")
    }

    /// The proxy ends the connection after each of its bytes.
    @Test func closeAfterEachByte() throws {
        let answer = Array("HTTP/1.1 200 OK\r\n\r\n".utf8)
        for count in stride(from: 1, to: answer.count, by: 4) {
            let message = try failure { connection in
                _ = connection.read()
                connection.write(Array(answer.prefix(count)))
            }
            #expect(message.contains("PROXY closed the connection during the proxy HTTP step"), "\(message)")
        }
    }

    /// The proxy promises to keep the connection, and closes it: pinctl answers the challenge on a new connection.
    @Test func digestOnANewConnection() throws {
        for fields in ["Connection: close\r\nContent-Length: 0\r\n", "Content-Length: 0\r\n", ""] {
            let connections = Counter()
            let message = try failure(
                as: ("proxyuser7", "hunter2"),
                serve: { connection in
                    let number = connections.next()
                    let request = String(decoding: connection.read() ?? [], as: UTF8.self)
                    if number == 1 {
                        connection.write(
                            "HTTP/1.1 407 x\r\nProxy-Authenticate: Digest realm=\"r\", nonce=\"n\", qop=\"auth\"\r\n\(fields)\r\n"
                        )
                    } else {
                        let isAnswer = request.contains("Proxy-Authorization: Digest username=\"proxyuser7\", ")
                        connection.write("HTTP/1.1 \(isAnswer ? 418 : 500) Seen\r\n\r\n")
                        connection.drain()
                    }
                })
            #expect(message == "it refused to connect: HTTP status 418 \"Seen\"", "\(fields): \(message)")
            #expect(connections.value == 2)
        }
    }

    /// A proxy that always demands another nonce does not keep pinctl busy.
    @Test func endlessChallenges() throws {
        let connections = Counter()
        let message = try failure(
            as: ("proxyuser7", "hunter2"),
            serve: { connection in
                let number = connections.next()
                _ = connection.read()
                connection.write(
                    "HTTP/1.1 407 x\r\nProxy-Authenticate: Digest realm=\"r\", nonce=\"n\(number)\", qop=\"auth\", stale=true\r\n"
                        + "Connection: close\r\n\r\n")
            })
        #expect(message.contains("it refused the user or the password (Digest MD5)"), "\(message)")
        #expect(connections.value <= 3)
    }

    /// A proxy that repeats the login of a request puts it into no report, message or file. Every run searches them for the password.
    @Test(arguments: ["denied for proxyuser7:hunter22x", "denied cHJveHl1c2VyNzpodW50ZXIyMng=", "HUNTER22X"])
    func repeatedPasswordsAreNotShown(reason: String) throws {
        let serve: @Sendable (RawPeer.Connection) -> Void = { connection in
            while let request = connection.read() {
                let isAnswer = String(decoding: request, as: UTF8.self).contains("Proxy-Authorization: Basic")
                connection.write(
                    isAnswer
                        ? "HTTP/1.1 403 \(reason)\r\nContent-Length: 0\r\n\r\n"
                        : "HTTP/1.1 407 x\r\nProxy-Authenticate: Basic realm=r\r\nContent-Length: 0\r\n\r\n")
            }
        }
        let folder = try TemporaryFolder("masked")
        defer { folder.remove() }
        try folder.write(
            #"{"version":1,"hosts":{"127.0.0.1":["C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="]}}"#, to: "pins.json")
        let commands = [
            ["fetch", "127.0.0.1:9"], ["fetch", "127.0.0.1:9", "-f", "json", "--html", "report.html"],
            ["inspect", "127.0.0.1:9"], ["diff", "pins.json", "127.0.0.1:9"],
            ["verify", "--pins", "pins.json", "--html", "verify.html", "-f", "sarif"],
            ["challenge", "https://127.0.0.1:9/", "--allow-plaintext"],
            ["challenge", "https://127.0.0.1:9/", "--allow-plaintext", "-f", "json"],
            ["challenge", "http://127.0.0.1:9/", "--allow-plaintext"],
        ]
        for arguments in commands {
            let run = try RawPeer.run(serve: serve) { peer in
                try PinctlRun.spawn(
                    arguments,
                    environment: [
                        "all_proxy": "http://proxyuser7:hunter22x@\(peer.endpoint)", "no_proxy": "",
                    ], folder: folder.url)
            }
            let pages = try arguments.filter { $0.hasSuffix(".html") }.map {
                try String(contentsOf: folder.url.appending(path: $0), encoding: .utf8)
            }
            let all = ([run.text, run.errors] + pages).joined()
            #expect(all.contains("***"), "\(arguments): \(run)")
            #expect(!all.lowercased().contains("hunter22x") && !all.contains("cHJveHl1c2VyNzpodW50ZXIyMng"), "\(run)")
        }
    }

    /// A failure with a credential in the environment.
    private func failure(
        as user: (name: String, password: String), serve: @escaping @Sendable (RawPeer.Connection) -> Void
    ) throws -> String {
        try RawPeer.run(serve: serve) { peer in
            let run = try PinctlRun.spawn(
                ["fetch", "127.0.0.1:9", "-f", "ndjson", "--timeout", "5"],
                environment: ["all_proxy": "http://\(user.name):\(user.password)@\(peer.endpoint)"])
            #expect(run.status == 3, "\(run)")
            #expect(!run.text.contains(user.password) && !run.errors.contains(user.password))
            let line = try JSONDecoder().decode(Line.self, from: Data(run.output))
            return try #require(line.error).message.replacing("proxy http://\(peer.endpoint): ", with: "")
        }
    }
}
