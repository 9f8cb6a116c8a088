import Foundation
import TestSupport
import Testing

/// `explain` with logs of real programs and of OkHttp, compared with live hosts.
@Suite(.blocking) struct ExplainTests {
    let pki: TestPKI
    let folder: TemporaryFolder

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("explain")
    }

    struct Report: Decodable {
        let failures: [Failure]

        struct Failure: Decodable {
            let source: String
            let kind: String
            let host: String?
            let target: String?
            let conclusion: Conclusion
        }

        struct Conclusion: Decodable {
            let verdict: String
            let sentence: String
            let command: String
        }
    }

    private func explain(_ log: String, _ options: [String] = [], status: Int32 = 0) throws -> Report.Failure {
        let run = try PinctlRun.spawn(
            ["explain", "-", "--format", "json", "--anchors", pki.path("root.pem")] + options, input: Array(log.utf8))
        #expect(run.status == status, "\(run)")
        let failures = try JSONDecoder().decode(Report.self, from: Data(run.output)).failures
        #expect(failures.count == 1, "\(run)")
        return try #require(failures.first)
    }

    private func okhttp(seen: [String], pinned: [String]) -> String {
        "Certificate pinning failure!\n  Peer certificate chain:\n"
            + seen.map { "    sha256/\($0): CN=leaf\n" }.joined() + "  Pinned certificates for localhost:\n"
            + pinned.map { "    sha256/\($0)\n" }.joined()
    }

    @Test func recognizesARotation() throws {
        try OpenSSLServer.run { server in
            let log = okhttp(seen: try pki.pins("leaf", "intermediate", "root"), pinned: [try pki.pin("other-root")])
            let failure = try explain(log, ["--connect-to", "127.0.0.1:\(server.port)"])
            #expect(failure.conclusion.verdict == "rotation")
            #expect(failure.conclusion.command.hasPrefix("pinctl refresh"))
        }
    }

    @Test func recognizesAnInterception() throws {
        try OpenSSLServer.run { server in
            let log = okhttp(seen: try pki.pins("leaf-www", "other-root"), pinned: [try pki.pin("leaf")])
            let failure = try explain(log, ["--connect-to", "127.0.0.1:\(server.port)"])
            #expect(failure.conclusion.verdict == "interception")
            #expect(failure.conclusion.command == "pinctl fetch localhost:443")
        }
    }

    /// The name of a certificate in OkHttp's message can contain line feeds, so an interceptor writes some of its lines.
    @Test func isNotMisledByNamesWithLineFeeds() throws {
        let publicAuthority = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="
        try OpenSSLServer.run { server in
            let connect = ["--connect-to", "127.0.0.1:\(server.port)"]
            let (own, pinned) = (try pki.pins("leaf-www", "other-root"), try pki.pin("leaf"))
            let genuine = okhttp(seen: own, pinned: [pinned])
            #expect(try explain(genuine, connect).conclusion.verdict == "interception")
            let lines = "CN=leaf\n    sha256/\(publicAuthority): CN=ISRG Root X1"
            let other = lines + "\n  Pinned certificates for localhost:\n    sha256/\(try pki.pin("other-root"))\n ,"
            for (name, reason) in [(lines, "this line of the log"), (other, "a part twice")] {
                let log = genuine.replacing("CN=leaf", with: name, maxReplacements: 1)
                let failure = try explain(log, connect, status: 3)
                #expect(failure.conclusion.verdict == "undecided")
                #expect(failure.conclusion.sentence.contains(reason), "\(failure.conclusion)")
                #expect(try explain(log, ["--offline"], status: 3).conclusion.verdict == "undecided")
            }
        }
    }

    /// A log that contradicts itself: the host's own key, which is pinned.
    @Test func callsNothingARotationThatIsPinned() throws {
        try OpenSSLServer.run { server in
            let log = okhttp(seen: try pki.pins("leaf", "other-root"), pinned: [try pki.pin("root")])
            let failure = try explain(log, ["--connect-to", "127.0.0.1:\(server.port)"], status: 3)
            #expect(failure.conclusion.verdict == "undecided")
        }
    }

    @Test func recognizesTheDigestOfACertificate() throws {
        try OpenSSLServer.run { server in
            let digest = try ChildProcess.run(
                ["sh", "-c", "openssl dgst -sha256 -binary \(pki.path("leaf.der")) | base64"]
            ).text.trimmingCharacters(in: .whitespacesAndNewlines)
            let log = okhttp(seen: try pki.pins("leaf", "intermediate", "root"), pinned: [digest])
            let failure = try explain(log, ["--connect-to", "127.0.0.1:\(server.port)"])
            #expect(failure.conclusion.verdict == "wrong-set")
            #expect(failure.conclusion.command.hasPrefix("pinctl lint"))
        }
    }

    @Test func comparesWithTheGivenSet() throws {
        try OpenSSLServer.run { server in
            let android = "java.security.cert.CertificateException: Pin verification failed"
            let connect = ["--host", "localhost", "--connect-to", "127.0.0.1:\(server.port)"]
            for (pin, verdict) in [("other-root", "rotation"), ("intermediate", "interception")] {
                try folder.write(#"{"version":1,"hosts":{"localhost":["\#(try pki.pin(pin))"]}}"#, to: "pins.json")
                let failure = try explain(android, connect + ["--pins", folder.path("pins.json")])
                #expect(failure.conclusion.verdict == verdict)
            }
            #expect(try explain(android, connect, status: 3).conclusion.verdict == "undecided")
        }
    }

    /// Runs the real curl, and explains what it prints.
    private func curl(_ arguments: [String], status: Int32) throws -> String {
        let outcome = try ChildProcess.run(["curl", "--silent", "--show-error"] + arguments)
        #expect(outcome.end == .exit(status), "\(outcome.errors)")
        return outcome.errors
    }

    @Test func explainsCurlWithAWrongPin() throws {
        try OpenSSLServer.run { server in
            let log = try curl(
                [
                    "--verbose", "--cacert", pki.path("root.pem"), "--pinnedpubkey",
                    "sha256//\(try pki.pin("other-root"))",
                    "https://\(server.localhost)/",
                ], status: 90)
            let failure = try explain(log)
            #expect(failure.source == "curl")
            #expect(failure.kind == "pin-mismatch")
            #expect(failure.target == server.localhost)
            // The log of curl contains the key that it saw, which is the key of the host, and not its option.
            #expect(failure.conclusion.verdict == "rotation")
            let set = #"{"version":1,"hosts":{"localhost":["\#(try pki.pin("other-root"))"]}}"#
            try folder.write(set, to: "pins.json")
            #expect(try explain(log, ["--pins", folder.path("pins.json")]).conclusion.verdict == "rotation")
        }
    }

    @Test func explainsCurlWithAnExpiredCertificate() throws {
        try OpenSSLServer.run("leaf-expired") { server in
            let log = try curl(
                ["--verbose", "--cacert", pki.path("root.pem"), "https://\(server.localhost)/"], status: 60)
            let failure = try explain(log)
            #expect(failure.kind == "expired")
            #expect(failure.conclusion.verdict == "expired-certificate")
            #expect(failure.conclusion.command == "pinctl inspect \(server.localhost) --select leaf")
        }
    }

    @Test func explainsCurlWithoutAnIntermediate() throws {
        try OpenSSLServer.run(chain: nil) { server in
            let log = try curl(
                ["--verbose", "--cacert", pki.path("root.pem"), "https://\(server.localhost)/"], status: 60)
            let failure = try explain(log)
            #expect(failure.kind == "untrusted")
            #expect(failure.conclusion.verdict == "server-error")
        }
    }

    @Test func namesACaptivePortal() throws {
        try OpenSSLServer.run { server in
            let log = """
                Error Domain=NSURLErrorDomain Code=-1202 "x" UserInfo={NSErrorPeerCertificateChainKey=(
                    "<cert(0x1) s: login.wifi.example i: Portal CA>"
                ), NSErrorFailingURLStringKey=https://localhost/, _kCFStreamErrorCodeKey=-9843}
                """
            let failure = try explain(log, ["--connect-to", "127.0.0.1:\(server.port)"])
            #expect(failure.conclusion.verdict == "interception")
            #expect(failure.conclusion.sentence.contains("login.wifi.example"))
        }
    }

    @Test func printsNoTextOfTheLogInACommand() throws {
        let log = okhttp(seen: [], pinned: []).replacing("localhost", with: "$(touch x)`id`;")
        let failure = try explain(log, ["--offline"], status: 3)
        #expect(failure.target == nil)
        #expect(!failure.conclusion.command.contains("touch"))
    }
}
