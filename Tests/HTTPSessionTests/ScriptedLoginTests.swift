import Authentication
import Foundation
import HTTPSession
import Pinning
import TestSupport
import Testing

/// Answers to challenges that are not easily had from a real server: several header fields with unknown schemes, stale and next
/// nonces, wrong proofs. A scripted server sends them.
@Suite(.blocking) struct ScriptedLoginTests {
    private static let all = [
        "WWW-Authenticate: Negotiate, NTLM", #"WWW-Authenticate: Basic realm="r""#,
        #"WWW-Authenticate: Digest realm="r", nonce="n1", qop="auth", algorithm=SHA-256, Bearer realm="b""#,
    ]
    private static let challenge = ScriptedServer.response("401 Unauthorized", all[0], all[1], all[2])
    private static let ok = ScriptedServer.response("200 OK", body: "hello")

    private static func digest(_ nonce: String, _ more: String = "") -> String {
        ScriptedServer.response(
            "401 Unauthorized", #"WWW-Authenticate: Digest realm="r", nonce="\#(nonce)", qop="auth"\#(more)"#)
    }

    final class Recorder: ChallengeHandler, @unchecked Sendable {
        var seen: [String] = []
        private let answer: @Sendable (Challenge) -> Disposition

        init(_ answer: @escaping @Sendable (Challenge) -> Disposition) { self.answer = answer }

        func task(_ task: AuthenticationTask, didReceive challenge: Challenge) async -> Disposition {
            let proposed = challenge.proposedCredential?.user ?? "-"
            seen.append(
                "\(challenge.protectionSpace.authenticationMethod.rawValue) \(challenge.previousFailureCount) \(proposed)"
                    + " \(challenge.failureResponse?.status ?? 0)")
            return answer(challenge)
        }
    }

    @Test func strongestSchemeFirst() throws {
        try ScriptedServer.run([Self.challenge, Self.ok]) { peer, server in
            let result = try SessionFixture.run("http://\(peer.endpoint)/", handler: SessionFixture.login())
            #expect(result.body == "hello")
            #expect(result.summary == ["Negotiate unsupported", "NTLM unsupported", "Digest SHA-256 accepted"])
            #expect(server.requests.count == 2 && server.connections.count == 1)
            #expect(server.requests[1].contains("Authorization: Digest username=\"alice\""))
            #expect(!server.requests.joined().contains("hunter2"))
        }
    }

    @Test func rejectOffersTheNextChallenge() throws {
        let handler = Recorder { challenge in
            challenge.protectionSpace.authenticationMethod == .httpBasic
                ? .useCredential(SessionFixture.credential) : .rejectProtectionSpace
        }
        try ScriptedServer.run([Self.challenge, Self.ok]) { peer, server in
            let result = try SessionFixture.run("http://\(peer.endpoint)/", handler: handler)
            #expect(result.status == 200)
            #expect(
                handler.seen == [
                    "negotiate 0 - 401", "ntlm 0 - 401", "http-digest 0 - 401", "http-basic 0 - 401",
                ])
            #expect(
                result.summary == [
                    "Negotiate unsupported", "NTLM unsupported", "Digest SHA-256 unanswered", "Basic accepted",
                ])
            #expect(server.requests.last?.contains("Authorization: Basic ") == true)
        }
    }

    @Test func unknownSchemesAreNamed() throws {
        let bearer = ScriptedServer.response("401 Unauthorized", #"WWW-Authenticate: Bearer realm="b""#)
        try ScriptedServer.run([bearer]) { peer, _ in
            let result = try SessionFixture.run("http://\(peer.endpoint)/", handler: SessionFixture.login())
            #expect(result.status == 401 && result.summary == ["Bearer unsupported"])
            #expect(result.challenges.first?.reason?.contains("Bearer") == true)
        }
    }

    @Test func cancelEndsTheRequest() throws {
        let handler = Recorder { _ in .cancelAuthenticationChallenge }
        try ScriptedServer.run([Self.digest("n")]) { peer, server in
            let error = try #require(try SessionFixture.run("http://\(peer.endpoint)/", handler: handler).error)
            #expect(error.code == .cancelled && error.protectionSpace?.realm == "r")
            #expect(error.message.contains("HTTP Digest, realm \"r\", of http://127.0.0.1:\(peer.port)"))
            #expect(server.requests.count == 1)
        }
    }

    /// The count of failures rises, and the last credential is proposed.
    @Test func failuresAreCounted() throws {
        let handler = Recorder { challenge in
            guard challenge.previousFailureCount < 3 else { return .performDefaultHandling }
            return .useCredential(Credential(user: "u\(challenge.previousFailureCount)", password: "p"))
        }
        try ScriptedServer.run((0..<4).map { Self.digest("n\($0)") }) { peer, _ in
            let result = try SessionFixture.run("http://\(peer.endpoint)/", handler: handler)
            #expect(result.status == 401)
            #expect(
                handler.seen == [
                    "http-digest 0 - 401", "http-digest 1 u0 401", "http-digest 2 u1 401", "http-digest 3 u2 401",
                ])
            #expect(
                result.summary == [
                    "Digest MD5 refused", "Digest MD5 refused", "Digest MD5 refused", "Digest MD5 unanswered",
                ])
        }
    }

    /// After a refusal of Digest, the default handling does not send the stored password with Basic.
    @Test func noDowngradeAfterARefusal() throws {
        try ScriptedServer.run([Self.challenge, Self.challenge]) { peer, server in
            let storage = CredentialStorage()
            try storage.set(
                SessionFixture.credential,
                for: ProtectionSpace(
                    host: "127.0.0.1", port: peer.port, protocol: .http, realm: "r", authenticationMethod: .httpDigest))
            let result = try SessionFixture.run("http://\(peer.endpoint)/") { $0.storage = storage }
            #expect(result.status == 401)
            #expect(server.requests.count == 2)
            #expect(!server.requests.joined().contains("Basic"))
        }
    }

    /// The refusal counts for Basic in each realm: for the stored password, and for handlers, which see the count of refusals.
    @Test(arguments: [false, true]) func noDowngradeInAnotherRealm(withHandler: Bool) throws {
        let basic = ScriptedServer.response("401 Unauthorized", #"WWW-Authenticate: Basic realm="other""#)
        try ScriptedServer.run([Self.digest("n"), basic, Self.ok]) { peer, server in
            let storage = CredentialStorage()
            for (realm, method) in [("r", AuthenticationMethod.httpDigest), ("other", .httpBasic)] {
                try storage.set(
                    SessionFixture.credential,
                    for: ProtectionSpace(
                        host: "127.0.0.1", port: peer.port, protocol: .http, realm: realm,
                        authenticationMethod: method))
            }
            let handler = Recorder {
                $0.previousFailureCount == 0 ? .useCredential(SessionFixture.credential) : .rejectProtectionSpace
            }
            let chosen: any ChallengeHandler = withHandler ? handler : DefaultChallengeHandler()
            let result = try SessionFixture.run("http://\(peer.endpoint)/", handler: chosen) {
                $0.storage = storage
            }
            #expect(result.status == 401)
            #expect(result.summary == ["Digest MD5 refused", "Basic unanswered"])
            #expect(server.requests.count == 2)
            #expect(handler.seen == (withHandler ? ["http-digest 0 alice 401", "http-basic 1 alice 401"] : []))
        }
    }

    /// A stale nonce is no failure (RFC 7616, section 3.3).
    @Test func aStaleNonceIsRenewed() throws {
        let handler = Recorder { _ in .useCredential(SessionFixture.credential) }
        try ScriptedServer.run([Self.digest("old"), Self.digest("new", ", stale=true"), Self.ok]) { peer, server in
            let result = try SessionFixture.run("http://\(peer.endpoint)/", handler: handler)
            #expect(result.status == 200 && result.summary == ["Digest MD5 accepted"])
            #expect(handler.seen.count == 1)
            #expect(server.requests.last?.contains("nonce=\"new\"") == true)
            #expect(server.requests.last?.contains("nc=00000001") == true)
        }
    }

    /// A server that declares every nonce stale does not get endless requests.
    @Test func endlessStaleNoncesEnd() throws {
        try ScriptedServer.run((0..<40).map { Self.digest("n\($0)", ", stale=true") }) { peer, server in
            let result = try SessionFixture.run("http://\(peer.endpoint)/", handler: SessionFixture.login())
            #expect(result.status == 401)
            #expect(server.requests.count < 10)
        }
    }

    /// `Authentication-Info` brings the next nonce, which the next task uses at once.
    @Test func nextNonce() throws {
        let first = ScriptedServer.response("200 OK", #"Authentication-Info: nextnonce="two""#)
        try ScriptedServer.run([Self.digest("one"), first, Self.ok]) { peer, server in
            let session = try Session(try SessionFixture.configuration(), handler: SessionFixture.login())
            _ = session.run(Session.Request(url: "http://\(peer.endpoint)/a"))
            #expect(session.run(Session.Request(url: "http://\(peer.endpoint)/b")).status == 200)
            #expect(server.requests.count == 3)
            #expect(server.requests[2].contains("nonce=\"two\"") && server.requests[2].contains("nc=00000001"))
            #expect(server.requests[2].contains("uri=\"/b\""))
        }
    }

    @Test func aWrongProofIsAnError() throws {
        let impostor = ScriptedServer.response("200 OK", #"Authentication-Info: rspauth="0000", qop=auth"#)
        try ScriptedServer.run([Self.digest("n"), impostor]) { peer, _ in
            let result = try SessionFixture.run("http://\(peer.endpoint)/", handler: SessionFixture.login())
            #expect(result.error?.code == .serverProof)
            #expect(result.admission == .refused)
            #expect(result.summary == ["Digest MD5 refused"])
        }
    }

    /// A server that closes the connection after the challenge gets the answer over another one.
    @Test func aClosedConnectionIsReplaced() throws {
        let closing = ScriptedServer.response(
            "401 Unauthorized", #"WWW-Authenticate: Digest realm="r", nonce="n", qop="auth""#, "Connection: close")
        try ScriptedServer.run([closing, Self.ok]) { peer, server in
            let result = try SessionFixture.run("http://\(peer.endpoint)/", handler: SessionFixture.login())
            #expect(result.status == 200)
            #expect(server.connections.map(\.count) == [1, 1])
        }
    }

    @Test func authInt() throws {
        let challenge = ScriptedServer.response(
            "401 Unauthorized", #"WWW-Authenticate: Digest realm="r", nonce="n", qop="auth-int", algorithm=SHA-256"#)
        try ScriptedServer.run([challenge, Self.ok]) { peer, server in
            let result = try SessionFixture.run("http://\(peer.endpoint)/", handler: SessionFixture.login())
            #expect(result.status == 200)
            #expect(server.requests.last?.contains("qop=auth-int") == true)
        }
    }

    // MARK: Redirects

    /// A credential does not follow to another port, and the handler is asked for the new server.
    @Test func credentialsDoNotFollowRedirects() throws {
        let challenge = ScriptedServer.response("401 Unauthorized", #"WWW-Authenticate: Basic realm="r""#)
        try ScriptedServer.run([challenge]) { other, otherServer in
            let redirect = ScriptedServer.response("302 Found", "Location: http://\(other.endpoint)/next")
            try ScriptedServer.run([challenge, redirect]) { peer, server in
                let storage = CredentialStorage()
                try storage.set(
                    SessionFixture.credential,
                    for: ProtectionSpace(
                        host: "127.0.0.1", port: peer.port, protocol: .http, realm: "r",
                        authenticationMethod: .httpBasic))
                let result = try SessionFixture.run("http://\(peer.endpoint)/") { $0.storage = storage }
                #expect(result.status == 401)
                #expect(result.hops.map(\.status) == [302, 401])
                #expect(result.summary == ["Basic accepted", "Basic unanswered"])
                #expect(server.requests[1].contains("Authorization: Basic"))
                #expect(!otherServer.requests.joined().contains("Authorization"))
            }
        }
    }

    /// A server cannot choose by a redirect where a password of the `.netrc` file goes: not to another port, host or scheme.
    @Test(arguments: [
        "machine 127.0.0.1 login alice password hunter2-s3ss10n", "default login alice password hunter2-s3ss10n",
    ]) func netrcLoginsDoNotFollowRedirects(netrc: String) throws {
        let challenge = ScriptedServer.response("401 Unauthorized", #"WWW-Authenticate: Basic realm="r""#)
        let netrc = try Netrc(parsing: Array(netrc.utf8))
        try ScriptedServer.run([challenge]) { other, otherServer in
            let redirect = ScriptedServer.response("302 Found", "Location: http://\(other.endpoint)/next")
            try ScriptedServer.run([challenge, redirect]) { peer, server in
                let result = try SessionFixture.run("http://\(peer.endpoint)/") {
                    $0.storage = CredentialStorage(netrc: netrc)
                }
                #expect(result.status == 401 && result.hops.map(\.status) == [302, 401])
                #expect(result.summary == ["Basic accepted", "Basic unanswered"])
                #expect(server.requests.last?.contains("Authorization: Basic") == true)
                #expect(!otherServer.requests.isEmpty && !otherServer.requests.joined().contains("Authorization"))
            }
        }
        // A redirect to the same server keeps the login.
        let redirect = ScriptedServer.response("302 Found", "Location: /next")
        try ScriptedServer.run([redirect, challenge, Self.ok]) { peer, server in
            let result = try SessionFixture.run("http://\(peer.endpoint)/") {
                $0.storage = CredentialStorage(netrc: netrc)
            }
            #expect(result.status == 200 && result.summary == ["Basic accepted"])
        }
    }

    @Test func redirectsEnd() throws {
        let loop = ScriptedServer.response("302 Found", "Location: /again")
        try ScriptedServer.run(Array(repeating: loop, count: 20)) { peer, server in
            let error = try SessionFixture.run("http://\(peer.endpoint)/") { $0.maximumRedirects = 3 }.error
            #expect(error?.code == .redirect)
            #expect(server.requests.count == 4)
        }
        for location in ["ftp://h/", "mailto:x@y", "http://u:p@h/"] {
            let response = ScriptedServer.response("301 Moved", "Location: \(location)")
            try ScriptedServer.run([response]) { peer, _ in
                let error = try SessionFixture.run("http://\(peer.endpoint)/").error
                #expect(error?.code == .redirect)
            }
        }
    }

    @Test func aRedirectToALoginFormIsReported() throws {
        let page = "<html><FORM action=/in><input name=u><input TYPE = \"Password\" name=p></form></html>"
        let redirect = ScriptedServer.response("302 Found", "Location: /login")
        let form = ScriptedServer.response("200 OK", "Content-Type: text/html; charset=utf-8", body: page)
        try ScriptedServer.run([redirect, form]) { peer, _ in
            let result = try SessionFixture.run("http://\(peer.endpoint)/", handler: SessionFixture.login())
            #expect(result.status == 200 && result.summary == ["html-form unsupported"])
            #expect(result.admission == .refused)
        }
        // A page with a form that is requested directly, and another page after a redirect, are no challenges.
        try ScriptedServer.run([form]) { peer, _ in
            let admission = try SessionFixture.run("http://\(peer.endpoint)/").admission
            #expect(admission == .admitted)
        }
        let text = ScriptedServer.response("200 OK", "Content-Type: text/plain", body: page)
        try ScriptedServer.run([redirect, text]) { peer, _ in
            let admission = try SessionFixture.run("http://\(peer.endpoint)/").admission
            #expect(admission == .admitted)
        }
    }
}
