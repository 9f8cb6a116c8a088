import Authentication
import Foundation
import HTTPSession
import Pinning
import TestSupport
import Testing

/// The challenge of server trust, with nginx.
@Suite(.blocking) struct ServerTrustTests {
    let pki: TestPKI

    init() throws { pki = try TestPKI.shared() }

    private func withServer<Value>(_ certificate: String = "leaf", _ body: (String) throws -> Value) throws -> Value {
        try Nginx.run {
            Nginx.host($0, certificate, more: "location / { return 200 hello; }")
        } _: {
            try body("https://\($0.localhost)/")
        }
    }

    private func pins(_ name: String, host: String = "localhost") throws -> PinSet {
        let text = #"{"version": 1, "hosts": {"\#(host)": ["sha256/\#(try pki.pin(name))"]}}"#
        return try PinSet(json: Array(text.utf8))
    }

    @Test func defaultHandlingValidates() throws {
        try withServer { url in
            let result = try SessionFixture.run(url)
            #expect(result.status == 200 && result.body == "hello")
            #expect(result.summary == ["server-trust accepted"])
            #expect(result.admission == .admitted)
            let space = try #require(result.challenges.first).protectionSpace
            #expect(space.host == "localhost" && space.protocol == .https)
            #expect(space.serverTrust?.certificates.first?.pin == (try Pin(spelling: try pki.pin("leaf"))))

            let other = try SessionFixture.run(url) {
                $0.anchors = TrustAnchors([try Certificate(der: try pki.bytes("other-root.der"))])
            }
            #expect(other.error?.code == .untrusted)
            #expect(other.error?.protectionSpace == space)
            #expect(other.admission == .refused)
            #expect(other.summary == ["server-trust refused"])
        }
    }

    @Test func defaultHandlingComparesPins() throws {
        try withServer { url in
            let match = try run(url, pins: try pins("root"))
            #expect(match.status == 200)
            let mismatch = try run(url, pins: try pins("other-root"))
            #expect(mismatch.error?.code == .pinMismatch)
            #expect(mismatch.admission == .refused)
            // A host without an entry is only validated.
            let uncovered = try run(url, pins: try pins("other-root", host: "other.test"))
            #expect(uncovered.status == 200)
        }
    }

    private func run(_ url: String, pins: PinSet) throws -> TaskResult {
        try SessionFixture.run(url) { $0.pins = pins }
    }

    struct Fixed: ChallengeHandler {
        let disposition: Disposition
        func sessionDidReceive(_ challenge: Challenge) async -> Disposition? { disposition }
    }

    @Test func aHandlerDecides() throws {
        try withServer("leaf-self-signed") { url in
            #expect(try SessionFixture.run(url).error?.code == .untrusted)
            for disposition in [Disposition.cancelAuthenticationChallenge, .rejectProtectionSpace] {
                let error = try SessionFixture.run(url, handler: Fixed(disposition: disposition)).error
                #expect(error?.code == .cancelled)
                #expect(error?.message.contains("server trust of https://localhost:") == true)
            }
            let handler = try TrustHandler.pinnedCertificate(der: try pki.bytes("leaf-self-signed.der"))
            let result = try SessionFixture.run(url, handler: handler)
            #expect(result.status == 200)
            #expect(result.challenges.first?.answer == .useCredential)
            // A credential of another kind is no trust.
            let wrong = Fixed(disposition: .useCredential(SessionFixture.credential))
            #expect(try SessionFixture.run(url, handler: wrong).error?.code == .untrusted)
        }
    }

    final class Counter: ChallengeHandler, @unchecked Sendable {
        var count = 0
        func sessionDidReceive(_ challenge: Challenge) async -> Disposition? {
            count += 1
            return .performDefaultHandling
        }
    }

    /// The answer holds for later tasks, also over a new connection.
    @Test func theAnswerHoldsForTheSession() throws {
        try withServer { url in
            let counter = Counter()
            let session = try Session(try SessionFixture.configuration(), handler: counter)
            #expect(session.run(Session.Request(url: url)).status == 200)
            let second = session.run(Session.Request(url: url, method: .head))
            #expect(second.status == 200 && second.body.isEmpty)
            #expect(counter.count == 1)
            // The connection was kept, so there was no handshake.
            #expect(second.summary == [])
        }
    }
}
