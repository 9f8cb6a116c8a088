import TestSupport
import Testing

@testable import Authentication

@Suite struct DigestSessionTests {
    static let password = HTTPSchemeTests.credential("Mufasa", "Circle of Life")

    static func info(_ value: String) throws -> AuthenticationInfo {
        try AuthenticationInfo(parsing: [Array(value.utf8)])
    }

    static func text(_ bytes: [UInt8]?) -> String { String(decoding: bytes ?? [], as: UTF8.self) }

    /// The hash of a text, by openssl.
    static func openssl(_ text: String, _ algorithm: String) throws -> String {
        let output = try ChildProcess.output(of: ["openssl", "dgst", "-r", "-\(algorithm)"], input: Array(text.utf8))
        return String(decoding: output, as: UTF8.self).split(separator: " ").first.map(String.init) ?? ""
    }

    /// The formula of RFC 7616, sections 3.4.1 to 3.5, with the hashes of openssl.
    static func expected(
        _ algorithm: String, isSession: Bool, nonce: String, first: String, count: String, cnonce: String, qop: String,
        covered: String, body: String
    ) throws -> String {
        var key = try openssl("Mufasa:r:Circle of Life", algorithm)
        if isSession { key = try openssl("\(key):\(first):\(cnonce)", algorithm) }
        var covered = covered
        if qop == "auth-int" { covered += ":" + (try openssl(body, algorithm)) }
        let hash = try openssl(covered, algorithm)
        return try openssl("\(key):\(nonce):\(count):\(cnonce):\(qop):\(hash)", algorithm)
    }

    /// A realm, a nonce and an opaque value in ISO-8859-1 are sent as they are, as curl does. The response is that of openssl.
    @Test func parametersThatAreNotUTF8() throws {
        func bytes(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }
        let field = bytes("Digest realm=\"Ger\u{E4}tepark\", nonce=\"n\u{F6}\", opaque=\"\u{FC}\", qop=\"auth\"")
        let challenge = try #require(try HTTPChallengeParser.challenges(in: field).first)
        let found = DigestScheme(challenge)
        let scheme = try #require(found)
        var session = DigestSession(scheme, Self.password, clientNonce: "c")
        let sent = session.authorization(method: "GET", target: "/")
        let value = try #require(sent)
        func openssl(_ input: [UInt8]) throws -> [UInt8] {
            Array(try ChildProcess.output(of: ["openssl", "dgst", "-r", "-md5"], input: input).prefix(32))
        }
        let key = try openssl(bytes("Mufasa:Ger\u{E4}tepark:Circle of Life"))
        let covered = try openssl(Array("GET:/".utf8))
        let response = try openssl(key + bytes(":n\u{F6}:00000001:c:auth:") + covered)
        for part in [
            bytes("realm=\"Ger\u{E4}tepark\""), bytes("nonce=\"n\u{F6}\""), bytes("opaque=\"\u{FC}\""),
            Array("response=\"".utf8) + response,
        ] {
            #expect(value.firstRange(of: part) != nil, "\(Self.text(value))")
        }
    }

    @Test(
        arguments: [("MD5", "md5"), ("SHA-256", "sha256"), ("SHA-512-256", "sha512-256")],
        [("auth", false), ("auth", true), ("auth-int", false), ("auth-int", true)])
    func responsesAndProofs(algorithm: (name: String, openssl: String), form: (qop: String, isSession: Bool)) throws {
        let name = algorithm.name + (form.isSession ? "-sess" : "")
        let scheme = try HTTPSchemeTests.digest(
            #"Digest realm="r", nonce="one", qop="\#(form.qop)", algorithm=\#(name)"#)
        #expect(scheme.quality?.rawValue == form.qop)
        var session = DigestSession(scheme, Self.password, clientNonce: "c")
        func expected(_ nonce: String, _ count: String, _ covered: String, _ body: String) throws -> String {
            try Self.expected(
                algorithm.openssl, isSession: form.isSession, nonce: nonce, first: "one", count: count, cnonce: "c",
                qop: form.qop, covered: covered, body: body)
        }

        let first = Self.text(session.authorization(method: "GET", target: "/a"))
        #expect(first.contains("response=\"\(try expected("one", "00000001", "GET:/a", ""))\""))
        #expect(first.contains("qop=\(form.qop),") || first.contains("qop=\(form.qop)"))
        // The second request counts up.
        let second = Self.text(session.authorization(method: "GET", target: "/b", body: Array("body".utf8)))
        #expect(second.contains("nc=00000002"))
        #expect(second.contains("response=\"\(try expected("one", "00000002", "GET:/b", "body"))\""))

        let proof = try expected("one", "00000002", ":/b", "answer")
        let field = #"rspauth="\#(proof)", cnonce="c", nc=00000002, qop=\#(form.qop), nextnonce="two""#
        guard case .valid = session.receive(try Self.info(field), body: Array("answer".utf8)) else {
            Issue.record("the proof is refused")
            return
        }
        // The next nonce begins a new count. The key of a session stays that of the first nonce.
        let third = Self.text(session.authorization(method: "HEAD", target: "/c"))
        #expect(third.contains("nonce=\"two\"") && third.contains("nc=00000001"))
        #expect(third.contains("response=\"\(try expected("two", "00000001", "HEAD:/c", ""))\""))
    }

    @Test func wrongProofs() throws {
        let scheme = try HTTPSchemeTests.digest(#"Digest realm="r", nonce="one", qop="auth", algorithm=SHA-256"#)
        var session = DigestSession(scheme, Self.password, clientNonce: "c")
        _ = session.authorization(method: "GET", target: "/a")
        let proof = try Self.expected(
            "sha256", isSession: false, nonce: "one", first: "one", count: "00000001", cnonce: "c", qop: "auth",
            covered: ":/a", body: "")
        func result(_ field: String) throws -> DigestSession.ServerProof {
            var copy = session
            return copy.receive(try Self.info(field), body: [])
        }
        guard case .valid = try result(#"rspauth="\#(proof.uppercased())""#) else {
            Issue.record("a proof without further fields is refused")
            return
        }
        for field in [
            #"rspauth="00""#, #"rspauth="\#(proof)", nc=00000002"#, #"rspauth="\#(proof)", cnonce="d""#,
            #"rspauth="\#(proof)", qop=auth-int"#, #"rspauth="\#(proof)", qop=other"#,
        ] {
            guard case .invalid = try result(field) else {
                Issue.record("\(field) is accepted")
                continue
            }
        }
        guard case .absent = try result(#"nextnonce="x""#) else {
            Issue.record("a field without a proof counts as a proof")
            return
        }
        // A request must have been sent.
        var unused = DigestSession(scheme, Self.password, clientNonce: "c")
        guard case .invalid = unused.receive(try Self.info(#"rspauth="\#(proof)""#), body: []) else {
            Issue.record("a proof without a request is accepted")
            return
        }
    }

    @Test func authenticationInfo() throws {
        #expect(try Self.info("").nextNonce == nil)
        #expect(try Self.info(#" , nextnonce = "a,b" ,, qop=auth"#).nextNonce == Array("a,b".utf8))
        for value in ["nextnonce", "nextnonce=", #"nextnonce="a"#, "Digest nextnonce=a", "a=1, a=2"] {
            #expect(throws: HTTPChallengeError.self) { try Self.info(value) }
        }
    }

    @Test func domain() throws {
        let scheme = try HTTPSchemeTests.digest(
            #"Digest realm="r", nonce="n", qop="auth-int,auth", domain="/a https://h/b""#)
        #expect(scheme.domain == ["/a", "https://h/b"])
        #expect(scheme.quality == .authentication)
    }

    /// Strong schemes first, unknown ones last, and equal ones in the order of the server.
    @Test func orderOfSchemes() throws {
        let challenges = try HTTPChallengeTests.parse(
            #"Bearer realm="t", Basic realm="r", Digest realm="r", nonce="n", qop="auth", algorithm=MD5"#,
            #"Digest realm="s", nonce="n", qop="auth", algorithm=SHA-1, NTLM, Negotiate"#,
            #"Digest realm="r", nonce="n", qop="auth", algorithm=SHA-512-256, Digest realm="r", nonce="n", qop="auth", algorithm=SHA-256"#
        )
        let ordered = OfferedScheme.ordered(challenges)
        #expect(
            ordered.map(\.name) == [
                "Negotiate", "NTLM", "Digest SHA-512-256", "Digest SHA-256", "Digest MD5", "Basic", "Bearer", "Digest",
            ])
        #expect(
            ordered.map(\.method) == [
                .negotiate, .ntlm, .httpDigest, .httpDigest, .httpDigest, .httpBasic, nil, .httpDigest,
            ])
        #expect(ordered.last?.scheme == nil)
    }
}
