import Authentication
import Pinning
import TestSupport
import Testing

@testable import PlaintextProtocols

/// The state machines of proxies, without a connection.
@Suite struct ProxyNegotiationTests {
    static let credential = PasswordCredential(user: "user", password: Array("secret".utf8))

    static let authority = "target.example:8443"

    static func destination(_ host: String = "target.example") -> SOCKSDestination {
        IPAddress(host).map { .address($0) } ?? .name(host)
    }

    static func connect(_ credential: PasswordCredential? = nil) -> HTTPConnect {
        HTTPConnect(to: authority, credential: credential, clientNonce: "c")
    }

    /// Passes the bytes one at a time, so that each message arrives in pieces.
    static func feed(_ text: String, to negotiation: inout some PlaintextNegotiation) -> NegotiationStep {
        feed(Array(text.utf8), to: &negotiation)
    }

    static func feed(_ bytes: [UInt8], to negotiation: inout some PlaintextNegotiation) -> NegotiationStep {
        var step = NegotiationStep.proceed()
        for byte in bytes {
            step = negotiation.receive([byte])
            guard step == .proceed() else { return step }
        }
        return step
    }

    static func text(_ step: NegotiationStep) -> String {
        guard case .proceed(let bytes) = step else { return "\(step)" }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: HTTP CONNECT

    /// RFC 9110, section 9.3.6, and RFC 9112, section 3.2.3.
    @Test func requestNamesTheTarget() throws {
        var connect = Self.connect()
        #expect(
            String(decoding: connect.begin(), as: UTF8.self)
                == "CONNECT target.example:8443 HTTP/1.1\r\nHost: target.example:8443\r\nUser-Agent: pinctl\r\n\r\n")
    }

    @Test(arguments: [
        "HTTP/1.1 200 Connection established\r\n\r\n", "HTTP/1.0 200\r\n\r\n", "HTTP/1.1 200 \n\n",
        // Framing fields of a successful response are ignored (RFC 9110, section 9.3.6).
        "HTTP/1.1 204 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nVia: a\r\n b\r\n\r\n",
    ])
    func acceptsSuccess(answer: String) throws {
        var connect = Self.connect()
        _ = connect.begin()
        #expect(Self.feed(answer, to: &connect) == .done(injected: 0))
        var whole = Self.connect()
        _ = whole.begin()
        #expect(whole.receive(Array((answer + "\u{16}x").utf8)) == .done(injected: 2))
    }

    @Test(
        arguments: [
            (
                "HTTP/1.1 403 Forbidden\r\nContent-Length: 3\r\n\r\nno!",
                .proxy(.refused(status: 403, reason: "Forbidden"))
            ),
            ("HTTP/1.0 502 \u{1B}[31mBad\r\n\r\n", .proxy(.refused(status: 502, reason: "\u{1B}[31mBad"))),
            ("HTTP/1.1 503\r\n\r\n", .proxy(.refused(status: 503, reason: ""))),
            ("HTTP/1.1 101 Switching\r\n\r\n", .proxy(.refused(status: 101, reason: "Switching"))),
            ("SSH-2.0-x", .unexpected(Array("S".utf8))), ("HTTP/2 200\r\n\r\n", .unexpected(Array("HTTP/2".utf8))),
        ] as [(String, NegotiationFailure)])
    func failsWithTheStatus(answer: String, failure: NegotiationFailure) throws {
        var connect = Self.connect(Self.credential)
        _ = connect.begin()
        #expect(Self.feed(answer, to: &connect) == .failed(failure))
    }

    @Test(arguments: [
        "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.1 099 OK\r\n\r\n", "HTTP/1.12 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\n folded: first\r\n\r\n", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\nspace : x\r\n\r\n", "HTTP/1.1 200 OK\r\nx: a\rb\r\n\r\n",
        "HTTP/1.1 200 OK\r\nx: \0\r\n\r\n",
        "HTTP/1.1\r\n\r\n", "HTTP/1.1 200 OK\r\n: x\r\n\r\n",
    ])
    func refusesAMalformedHead(answer: String) throws {
        var connect = Self.connect()
        _ = connect.begin()
        guard case .failed(.unexpected) = Self.feed(answer, to: &connect) else {
            Issue.record("accepted")
            return
        }
    }

    @Test func limitsTheHead() throws {
        for line in ["X-Filler: \(String(repeating: "x", count: 100))\r\n", "x"] {
            var connect = Self.connect()
            _ = connect.begin()
            var step = connect.receive(Array("HTTP/1.1 200 OK\r\n".utf8))
            var count = 0
            while step == .proceed(), count < 1_000_000 {
                step = connect.receive(Array(line.utf8))
                count += line.utf8.count
            }
            #expect(step == .failed(.tooLong(limit: HTTPResponseHead.maximumLength)))
            #expect(count <= HTTPResponseHead.maximumLength + 200)
        }
    }

    static let digest =
        "Proxy-Authenticate: Basic realm=\"p\"\r\n"
        + "Proxy-Authenticate: Digest realm=\"p\", nonce=\"n\", qop=\"auth\", algorithm=SHA-256, stale=false\r\n"

    /// The bodies of a response with status 407 that leave the connection open.
    @Test(arguments: [
        ("Content-Length: 0\r\n", ""), ("Content-Length: 5\r\nContent-Length: 5\r\n", "12345"),
        ("Transfer-Encoding: chunked\r\n", "3;x=y\r\nabc\r\n0a\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n"),
    ])
    func answersTheStrongestChallengeOnTheSameConnection(fields: String, body: String) throws {
        var connect = Self.connect(Self.credential)
        #expect(!String(decoding: connect.begin(), as: UTF8.self).contains("Authorization"))
        let answer = "HTTP/1.1 407 Required\r\n\(Self.digest)\(fields)\r\n\(body)"
        let request = Self.text(Self.feed(answer, to: &connect))
        #expect(request.hasPrefix("CONNECT target.example:8443 HTTP/1.1\r\n"))
        // Python: H = lambda s: sha256(s.encode()).hexdigest()
        // H(H("user:p:secret") + ":n:00000001:c:auth:" + H("CONNECT:target.example:8443"))
        #expect(
            request.contains(
                "\r\nProxy-Authorization: Digest username=\"user\", realm=\"p\", uri=\"target.example:8443\", "
                    + "algorithm=SHA-256, nonce=\"n\", nc=00000001, cnonce=\"c\", qop=auth, response=\"0250910eca3153e1bdc7b1c0ab8a01ff11b02492ad458a340c16fafd75b8eff7\"\r\n"
            ))
        #expect(request.hasSuffix("\r\n\r\n") && !request.contains("secret"))
        #expect(Self.feed("HTTP/1.1 200 OK\r\n\r\n", to: &connect) == .done(injected: 0))
    }

    @Test(arguments: [
        "Connection: close\r\nContent-Length: 0\r\n", "Proxy-Connection: Close\r\nTransfer-Encoding: chunked\r\n", "",
        "Content-Length: 9999999\r\n", "Transfer-Encoding: gzip, chunked\r\n",
    ])
    func answersOnANewConnection(fields: String) throws {
        var connect = Self.connect(Self.credential)
        _ = connect.begin()
        let step = Self.feed("HTTP/1.1 407 Required\r\n\(Self.digest)\(fields)\r\n", to: &connect)
        guard case .failed(.proxy(.needsNewConnection(let scheme))) = step else {
            Issue.record("\(step)")
            return
        }
        var second = HTTPConnect(
            to: Self.authority, credential: Self.credential, clientNonce: "c", answering: scheme)
        #expect(String(decoding: second.begin(), as: UTF8.self).contains("Proxy-Authorization: Digest "))
    }

    /// HTTP/1.0 closes the connection unless both sides keep it (RFC 9112, section 9.3).
    @Test func keepsAConnectionOfHTTP10OnlyIfAsked() throws {
        for (fields, isKept) in [("", false), ("Proxy-Connection: keep-alive\r\n", true)] {
            var connect = Self.connect(Self.credential)
            _ = connect.begin()
            let step = Self.feed(
                "HTTP/1.0 407 Required\r\n\(Self.digest)Content-Length: 0\r\n\(fields)\r\n", to: &connect)
            if case .proceed(let bytes) = step { #expect(isKept && !bytes.isEmpty) } else { #expect(!isKept) }
        }
    }

    @Test(arguments: [
        ("Content-Length: 5\r\nContent-Length: 6\r\n", ""), ("Content-Length: -1\r\n", ""),
        ("Content-Length: 1x\r\n", ""),
        ("Content-Length: 99999999999999999999\r\n", ""), ("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", ""),
        ("Transfer-Encoding: chunked\r\n", "x\r\n"), ("Transfer-Encoding: chunked\r\n", "\r\n"),
        ("Transfer-Encoding: chunked\r\n", "3\r\nabcd\r\n"), ("Transfer-Encoding: chunked\r\n", "fffffffff\r\n"),
        ("Transfer-Encoding: chunked\r\n", "1;" + String(repeating: "x", count: 5000)),
    ])
    func refusesInvalidFraming(fields: String, body: String) throws {
        var connect = Self.connect(Self.credential)
        _ = connect.begin()
        let answer = "HTTP/1.1 407 Required\r\n\(Self.digest)\(fields)\r\n\(body)"
        #expect(Self.feed(answer, to: &connect) == .failed(.proxy(.invalidFraming)))
    }

    /// An answer to a request that was not sent yet.
    @Test func refusesAnAnswerInAdvance() throws {
        var connect = Self.connect(Self.credential)
        _ = connect.begin()
        let answer = "HTTP/1.1 407 Required\r\n\(Self.digest)Content-Length: 1\r\n\r\nxHTTP/1.1 200 OK\r\n\r\n"
        #expect(connect.receive(Array(answer.utf8)) == .failed(.injectedText(count: 19)))
    }

    @Test func explainsWhyItCannotAnswer() throws {
        func failure(_ fields: String, _ credential: PasswordCredential?) throws -> NegotiationStep {
            var connect = Self.connect(credential)
            _ = connect.begin()
            return Self.feed("HTTP/1.1 407 x\r\n\(fields)Content-Length: 0\r\n\r\n", to: &connect)
        }
        #expect(try failure(Self.digest, nil) == .failed(.proxy(.credentialsRequired(schemes: ["Basic", "Digest"]))))
        #expect(
            try failure("Proxy-Authenticate: Negotiate, NTLM\r\n", Self.credential)
                == .failed(.proxy(.noUsableScheme(["Negotiate", "NTLM"]))))
        #expect(try failure("", Self.credential) == .failed(.proxy(.invalidChallenge)))
        #expect(
            try failure("Proxy-Authenticate: Basic realm=\"\r\n", Self.credential) == .failed(.proxy(.invalidChallenge))
        )
        #expect(
            try failure(
                "Proxy-Authenticate: Basic realm=p\r\n", PasswordCredential(user: "a:b", password: Array("secret".utf8))
            )
                == .failed(.proxy(.credentialNotTransportable(scheme: "Basic"))))
    }

    @Test func aRefusedCredentialIsNotSentAgain() throws {
        var connect = Self.connect(Self.credential)
        _ = connect.begin()
        let answer = "HTTP/1.1 407 Required\r\n\(Self.digest)Content-Length: 0\r\n\r\n"
        #expect(Self.text(Self.feed(answer, to: &connect)).contains("Proxy-Authorization: Digest"))
        #expect(Self.feed(answer, to: &connect) == .failed(.proxy(.credentialRefused(scheme: "Digest SHA-256"))))
    }

    /// RFC 7616, section 3.3: a stale nonce is renewed, once, and only in the realm of the first challenge.
    @Test func renewsAStaleNonceOnce() throws {
        func challenge(_ realm: String, _ nonce: String, _ stale: Bool) -> String {
            "HTTP/1.1 407 x\r\nProxy-Authenticate: Digest realm=\"\(realm)\", nonce=\"\(nonce)\", qop=\"auth\", "
                + "stale=\(stale)\r\nContent-Length: 0\r\n\r\n"
        }
        var connect = Self.connect(Self.credential)
        _ = connect.begin()
        #expect(Self.text(Self.feed(challenge("r", "n1", false), to: &connect)).contains("nonce=\"n1\""))
        var other = connect
        #expect(Self.text(Self.feed(challenge("r", "n2", true), to: &connect)).contains("nonce=\"n2\""))
        #expect(
            Self.feed(challenge("r", "n3", true), to: &connect)
                == .failed(.proxy(.credentialRefused(scheme: "Digest MD5"))))
        #expect(
            Self.feed(challenge("other", "n2", true), to: &other)
                == .failed(.proxy(.credentialRefused(scheme: "Digest MD5"))))
    }

    // MARK: SOCKS

    /// The examples of "SOCKS 4A: A Simple Extension to SOCKS 4 Protocol", and of its document for SOCKS 4.
    @Test func requestOfSOCKS4() throws {
        var four = try SOCKS4Request(to: Self.destination("192.0.2.1"), port: 443, user: "fred")
        #expect(four.begin() == [4, 1, 1, 0xBB, 192, 0, 2, 1] + Array("fred".utf8) + [0])
        #expect(Self.feed([0, 90, 0, 0, 0, 0, 0, 0], to: &four) == .done(injected: 0))
        var named = try SOCKS4Request(to: Self.destination("a.example"), port: 0x1234, user: "")
        #expect(named.begin() == [4, 1, 0x12, 0x34, 0, 0, 0, 1, 0] + Array("a.example".utf8) + [0])
        #expect(named.receive([0, 90, 0, 0, 0, 0, 0, 0, 0x16]) == .done(injected: 1))
        #expect(throws: ProxyFailure.needsIPv4) {
            try SOCKS4Request(to: Self.destination("::1"), port: 1, user: "")
        }
    }

    @Test func refusalsOfSOCKS4() throws {
        for code: UInt8 in [0, 89, 91, 92, 93, 255] {
            var request = try SOCKS4Request(to: Self.destination(), port: 1, user: "")
            _ = request.begin()
            #expect(Self.feed([0, code, 0, 0, 0, 0, 0, 0], to: &request) == .failed(.proxy(.socks4(code))))
        }
        var request = try SOCKS4Request(to: Self.destination(), port: 1, user: "")
        #expect(request.receive([5, 0]) == .failed(.unexpected([5, 0])))
    }

    /// RFC 1928, sections 3 to 6.
    @Test(
        arguments: [
            ("192.0.2.1", [1, 192, 0, 2, 1]),
            ("2001:db8::1", [4, 0x20, 1, 0x0D, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]),
            ("a.example", [3, 9] + Array("a.example".utf8)),
        ] as [(String, [UInt8])])
    func requestOfSOCKS5(host: String, address: [UInt8]) {
        for reply: [UInt8] in [
            [5, 0, 0, 1, 0, 0, 0, 0, 0, 0], [5, 0, 0, 3, 2, 0x61, 0x62, 0, 0],
            [5, 0, 0, 4] + Array(repeating: 0, count: 18),
        ] {
            var socks = SOCKS5Negotiation(to: Self.destination(host), port: 443, credential: nil)
            #expect(socks.begin() == [5, 1, 0])
            #expect(Self.feed([5, 0], to: &socks) == .proceed(sending: [5, 1, 0] + address + [1, 0xBB]))
            var other = socks
            #expect(Self.feed(reply, to: &socks) == .done(injected: 0))
            #expect(other.receive(reply + [1, 2, 3]) == .done(injected: 3))
        }
    }

    /// RFC 1929, section 2.
    @Test func passwordOfSOCKS5() throws {
        var socks = SOCKS5Negotiation(to: Self.destination(), port: 1, credential: Self.credential)
        #expect(socks.begin() == [5, 2, 0, 2])
        #expect(
            Self.feed([5, 2], to: &socks)
                == .proceed(sending: [1, 4] + Array("user".utf8) + [6] + Array("secret".utf8)))
        var refused = socks
        #expect(Self.feed([1, 1], to: &refused) == .failed(.proxy(.credentialRefused(scheme: "SOCKS5"))))
        guard case .proceed(let request) = Self.feed([1, 0], to: &socks) else {
            Issue.record("no request")
            return
        }
        #expect(request.starts(with: [5, 1, 0, 3]))
    }

    @Test func refusalsOfSOCKS5() throws {
        func answer(_ bytes: [UInt8], _ credential: PasswordCredential? = nil) throws -> NegotiationStep {
            var socks = SOCKS5Negotiation(to: Self.destination(), port: 1, credential: credential)
            _ = socks.begin()
            return socks.receive(bytes)
        }
        #expect(try answer([5, 0xFF]) == .failed(.proxy(.noAcceptableMethod(offersPassword: false))))
        #expect(try answer([5, 0xFF], Self.credential) == .failed(.proxy(.noAcceptableMethod(offersPassword: true))))
        #expect(try answer([5, 2]) == .failed(.proxy(.noAcceptableMethod(offersPassword: false))))
        #expect(try answer([5, 1]) == .failed(.unexpected([5, 1])))
        #expect(try answer([4, 0]) == .failed(.unexpected([4, 0])))
        #expect(try answer([5, 0, 5, 0]) == .failed(.injectedText(count: 2)))
        for code: UInt8 in 1...9 {
            var socks = SOCKS5Negotiation(to: Self.destination(), port: 1, credential: nil)
            _ = socks.begin()
            _ = socks.receive([5, 0])
            #expect(socks.receive([5, code]) == .failed(.proxy(.socks5(code))))
        }
        var socks = SOCKS5Negotiation(to: Self.destination(), port: 1, credential: nil)
        _ = socks.begin()
        _ = socks.receive([5, 0])
        #expect(socks.receive([5, 0, 0, 2, 0]) == .failed(.unexpected([5, 0, 0, 2, 0])))
    }

    /// RFC 1928, section 6: each code has its own meaning in the message.
    @Test func eachRefusalHasItsMeaning() {
        let messages =
            (UInt8(1)...9).map { ProxyFailure.socks5($0).message }
            + [91, 92, 93, 94].map { ProxyFailure.socks4($0).message }
        #expect(Set(messages).count == messages.count)
        #expect(ProxyFailure.socks5(5).message.contains("refused") && ProxyFailure.socks5(2).message.contains("rules"))
        #expect(ProxyFailure.refused(status: 502, reason: "\u{1B}[31mBad").message.contains("502"))
        #expect(!ProxyFailure.refused(status: 502, reason: "\u{1B}[31mBad").message.contains("\u{1B}"))
    }

    // MARK: damage

    /// Answers with random damage, which is the same in every run, in random pieces. No byte may cause a trap or an endless loop.
    @Test(.limit(minutes: 1)) func damageDoesNotTrap() throws {
        let seeds: [[UInt8]] = [
            Array(
                "HTTP/1.1 100 x\r\n\r\nHTTP/1.1 407 R\r\n\(Self.digest)Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
                    .utf8),
            Array("HTTP/1.1 407 R\r\n\(Self.digest)Content-Length: 2\r\nConnection: close\r\n\r\nxx".utf8),
            Array("HTTP/1.0 200 OK\r\nVia: x\r\n y\r\n\r\n".utf8), [5, 2, 1, 0, 5, 0, 0, 3, 2, 0x61, 0x62, 0, 0],
            [5, 0, 5, 0, 0, 1, 0, 0, 0, 0, 0, 0], [0, 90, 0, 0, 0, 0, 0, 0],
        ]
        var generator = SeededGenerator(seed: 1928)
        for round in 0..<12_000 {
            var bytes = seeds[round % seeds.count]
            for _ in 0..<Int.random(in: 0...4, using: &generator) where !bytes.isEmpty {
                let index = Int.random(in: bytes.indices, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: index)
                case 2: bytes.insert(bytes[Int.random(in: bytes.indices, using: &generator)], at: index)
                default: bytes.removeSubrange(index...)
                }
            }
            try ProxyDriver.run(bytes, credential: Self.credential, using: &generator)
            try ProxyDriver.run(bytes, credential: nil, using: &generator)
        }
    }
}

/// Passes bytes to each state machine in random pieces, until it succeeds or fails.
private enum ProxyDriver {
    static func run(_ bytes: [UInt8], credential: PasswordCredential?, using generator: inout SeededGenerator) throws {
        let destination = SOCKSDestination.name("h.example")
        drive(HTTPConnect(to: "h.example:443", credential: credential, clientNonce: "c"), bytes, &generator)
        drive(try SOCKS4Request(to: destination, port: 443, user: "u"), bytes, &generator)
        drive(SOCKS5Negotiation(to: destination, port: 443, credential: credential), bytes, &generator)
    }

    private static func drive(
        _ negotiation: some PlaintextNegotiation, _ bytes: [UInt8], _ generator: inout SeededGenerator
    ) {
        var negotiation = negotiation
        var rest = bytes[...]
        _ = negotiation.begin()
        while !rest.isEmpty {
            let count = Int.random(in: 1...rest.count, using: &generator)
            guard case .proceed = negotiation.receive(Array(rest.prefix(count))) else { return }
            rest = rest.dropFirst(count)
        }
    }
}
