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

    /// - Parameter store: the system's trust store; nil to use the root with `--anchors`.
    private func explain(
        _ log: String, _ options: [String] = [], store: String? = nil, status: Int32 = 0
    ) throws -> Report.Failure {
        let anchors = store == nil ? ["--anchors", pki.path("root.pem")] : []
        let run = try PinctlRun.spawn(
            ["explain", "-", "--format", "json"] + anchors + options,
            environment: store.map { ["SSL_CERT_FILE": $0, "SSL_CERT_DIR": folder.path] } ?? [:], input: Array(log.utf8)
        )
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
            let options = "--anchors \(pki.path("root.pem")) --connect-to 127.0.0.1:\(server.port)"
            #expect(
                failure.conclusion.command
                    == "pinctl refresh --pins PINS --accept-new localhost localhost:443 \(options)")
            // The command shows the changes.
            try folder.write(#"{"version":1,"hosts":{"localhost":["\#(try pki.pin("other-root"))"]}}"#, to: "old.json")
            let words = failure.conclusion.command.split(separator: " ").dropFirst().map {
                $0 == "PINS" ? "old.json" : String($0)
            }
            let run = try PinctlRun.spawn(words, folder: folder.url)
            #expect(run.status == 0 && run.text.contains("to be added"), "\(run)")
        }
    }

    /// Each step keeps the options of the one before.
    @Test func theNextCommandHasTheOptionsOfTheRun() throws {
        let log = "Error Domain=NSURLErrorDomain Code=-999 \"cancelled\"\n"
        try folder.write(log, to: "log.txt")
        try folder.write(#"{ "version": 1, "hosts": { "localhost": ["\#(pki.pin("leaf"))"] } }"#, to: "pins.json")
        let common = "pinctl explain log.txt --host"
        for (options, command) in [
            (["--pins", "pins.json"], "\(common) HOST --pins pins.json"),
            (["--pins", "pins.json", "--timeout", "0.5", "-4"], "\(common) HOST --pins pins.json -4 --timeout 0.5"),
            (
                ["--pins", "pins.json", "--at", "2026-01-01", "--key-type", "rsa"],
                "\(common) HOST --pins pins.json --at 2026-01-01T00:00:00Z --key-type rsa"
            ),
            (["--host=-x.example", "--offline"], "\(common)=-x.example:443"),
        ] {
            let run = try PinctlRun.spawn(["explain", "log.txt"] + options, folder: folder.url)
            #expect(run.text.contains("  next        \(command)\n"), "\(run)")
        }
        try OpenSSLServer.run { server in
            let options = ["--host", server.localhost, "--anchors", pki.path("root.pem")]
            let run = try PinctlRun.spawn(["explain", "log.txt"] + options, folder: folder.url)
            let command = "\(common) \(server.localhost) --pins PINS --anchors \(pki.path("root.pem"))"
            #expect(run.text.contains("  next        \(command)\n"), "\(run)")
        }
    }

    /// A name adds pins to the message of OkHttp, and the set has the pin of the host.
    @Test func comparesTheSetBesidesThePinsOfTheLog() throws {
        try OpenSSLServer.run { server in
            try folder.write(#"{"version":1,"hosts":{"localhost":["\#(try pki.pin("leaf"))"]}}"#, to: "pins.json")
            let connect = ["--connect-to", "127.0.0.1:\(server.port)"]
            let log = okhttp(seen: try pki.pins("leaf", "intermediate"), pinned: [try pki.pin("other-root")])
            #expect(try explain(log, connect).conclusion.verdict == "rotation")
            let failure = try explain(log, connect + ["--pins", folder.path("pins.json")], status: 3)
            #expect(failure.conclusion.sentence.contains("the program has an older set"), "\(failure)")
            #expect(failure.conclusion.command.hasPrefix("pinctl explain LOG --pins PINS "), "\(failure)")
        }
    }

    @Test func suggestsAnAddressForANameThatDoesNotResolve() throws {
        let log = "x509: certificate signed by unknown authority\n"
        for (start, command) in [
            ("Get \"https://nowhere.invalid/\": ", "pinctl explain LOG --anchors CA --connect-to ADDRESS"),
            ("GET https://nowhere.invalid/\n", "pinctl explain LOG --host HOST --anchors CA --connect-to ADDRESS"),
        ] {
            let failure = try explain(start + log, status: 3)
            #expect(failure.conclusion.command == command.replacing("CA", with: pki.path("root.pem")), "\(failure)")
        }
    }

    /// Nothing listens at these addresses.
    @Test func connectsToALimitedNumberOfHosts() throws {
        let log = (1...66).map { "Get \"https://127.0.0.\($0):1/\": x509: certificate signed by unknown authority\n" }
        let run = try PinctlRun.spawn(["explain", "-"], input: Array(log.joined().utf8))
        #expect(run.status == 3 && run.errors.contains("the log names 66 hosts: pinctl connects to the first 64 only"))
        let count = run.text.split(separator: "\n").count { $0.contains("not compared: pinctl connects to 64 hosts") }
        #expect(count == 2, "\(run)")
        let offline = try PinctlRun.spawn(["explain", "-", "--offline"], input: Array(log.joined().utf8))
        #expect(offline.errors.isEmpty && !offline.text.contains("64 hosts"), "\(offline)")
    }

    /// Each failure has a cause, but the last one was not read.
    @Test func aLogThatIsNotReadToItsEnd() throws {
        let log = (1...101).map {
            "Get \"https://127.0.0.\($0)/\": x509: certificate has expired or is not yet valid: x\n"
        }
        for (count, status) in [(100, 0), (101, 3)] as [(_, Int32)] {
            let input = Array(log.prefix(count).joined().utf8)
            let run = try PinctlRun.spawn(["explain", "-", "--offline"], input: input)
            #expect(run.status == status && run.errors.isEmpty == (status == 0), "\(run)")
        }
    }

    @Test func aSetFromStandardInput() throws {
        try folder.write("Error Domain=NSURLErrorDomain Code=-999 \"cancelled\"\n", to: "log.txt")
        let set = #"{"version":1,"hosts":{"localhost":["\#(try pki.pin("leaf"))"]}}"#
        let run = try PinctlRun.spawn(
            ["explain", "log.txt", "--pins", "-"], input: Array(set.utf8), folder: folder.url)
        #expect(run.text.contains("pinctl explain log.txt --host HOST --pins PINS\n"), "\(run)")
        let root = try Array(Data(contentsOf: URL(fileURLWithPath: pki.path("root.pem"))))
        let other = try PinctlRun.spawn(["explain", "log.txt", "--anchors", "-"], input: root, folder: folder.url)
        #expect(other.text.contains("pinctl explain log.txt --host HOST --anchors CA\n"), "\(other)")
    }

    @Test func recognizesAnInterception() throws {
        try OpenSSLServer.run { server in
            let log = okhttp(seen: try pki.pins("leaf-www", "other-root"), pinned: [try pki.pin("leaf")])
            let failure = try explain(log, ["--connect-to", "127.0.0.1:\(server.port)"])
            #expect(failure.conclusion.verdict == "interception")
            #expect(
                failure.conclusion.command
                    == "pinctl fetch localhost:443 --anchors \(pki.path("root.pem")) --connect-to 127.0.0.1:\(server.port)"
            )
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
            for (name, reason) in [(lines, "this line of the log"), (other, "two values of")] {
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

    /// The CA of an interceptor can be in the trust store of the device and of this machine. Then the chain that the program saw is
    /// the one that is trusted here.
    @Test func aPrivateCAInTheTrustStore() throws {
        try OpenSSLServer.run { server in
            let log = okhttp(seen: try pki.pins("leaf", "intermediate", "root"), pinned: [try pki.pin("other-root")])
            let failure = try explain(
                log, ["--connect-to", "127.0.0.1:\(server.port)"], store: pki.path("root.pem"), status: 3)
            #expect(failure.conclusion.verdict == "undecided")
            #expect(
                failure.conclusion.sentence.hasPrefix(
                    "the program saw the same chain, and the host's chain ends here in"))
            #expect(failure.conclusion.sentence.contains("if that CA is not yours, this connection may be intercepted"))
            #expect(
                failure.conclusion.command == "pinctl fetch localhost:443 --connect-to 127.0.0.1:\(server.port)")
            let curl = try curl(
                [
                    "--verbose", "--cacert", pki.path("root.pem"), "--pinnedpubkey",
                    "sha256//\(try pki.pin("other-root"))",
                    "https://\(server.localhost)/",
                ], status: 90)
            #expect(try explain(curl, store: pki.path("root.pem"), status: 3).conclusion.verdict == "undecided")
        }
    }

    /// The anchors of an entry are read only if pinctl connects to a host of the entry.
    @Test func anAnchorFileThatIsNotNeeded() throws {
        let folder = try TemporaryFolder("explain-anchors")
        defer { folder.remove() }
        let log = try folder.write(
            okhttp(seen: try pki.pins("leaf", "root"), pinned: [try pki.pin("other-root")]), to: "log")
        let set = try folder.write(
            #"{"version":1,"hosts":{"localhost":{"anchors":["missing.pem"],"pins":["\#(try pki.pin("root"))"]}}}"#,
            to: "pins.json")
        let offline = try PinctlRun.spawn(["explain", log, "--pins", set, "--offline"])
        #expect(!offline.errors.contains("missing.pem") && offline.text.contains("localhost"), "\(offline)")
        let online = try PinctlRun.spawn(["explain", log, "--pins", set, "--connect-to", "127.0.0.1:1"])
        #expect(online.status == 2 && online.errors.contains("missing.pem"), "\(online)")
    }

    /// Another server of the host has another key of the same CA.
    @Test func anotherKeyOfTheSameCA() throws {
        try OpenSSLServer.run { server in
            let connect = ["--connect-to", "127.0.0.1:\(server.port)"]
            let seen = try pki.pins("leaf-www", "intermediate", "root")
            let pinned = try explain(okhttp(seen: seen, pinned: [try pki.pin("leaf")]), connect, status: 3)
            #expect(pinned.conclusion.verdict == "undecided", "\(pinned)")
            #expect(pinned.conclusion.sentence.contains("another server of the host has other keys"))
            let neither = try explain(okhttp(seen: seen, pinned: [try pki.pin("other-root")]), connect)
            #expect(neither.conclusion.verdict == "rotation", "\(neither)")
        }
    }

    /// A log that ends in the middle of the message does not show the CA.
    @Test func aMessageThatIsCut() throws {
        try OpenSSLServer.run { server in
            let connect = ["--connect-to", "127.0.0.1:\(server.port)", "--host", "localhost"]
            try folder.write(#"{"version":1,"hosts":{"localhost":["\#(try pki.pin("leaf"))"]}}"#, to: "pins.json")
            let whole = okhttp(seen: try pki.pins("leaf-www", "other-root"), pinned: [])
            let cut = String(whole.prefix(upTo: try #require(whole.firstRange(of: "  Pinned")?.lowerBound)))
            let failure = try explain(cut, connect + ["--pins", folder.path("pins.json")], status: 3)
            #expect(failure.conclusion.verdict == "undecided", "\(failure)")
            #expect(failure.conclusion.sentence.contains("the log does not contain the whole chain"))
        }
    }

    /// curl does not compare the keys of CAs.
    @Test func aPinOfACAForCurl() throws {
        try OpenSSLServer.run { server in
            let log = try curl(
                [
                    "--verbose", "--cacert", pki.path("root.pem"), "--pinnedpubkey",
                    "sha256//\(try pki.pin("intermediate"))",
                    "https://\(server.localhost)/",
                ], status: 90)
            try folder.write(
                #"{"version":1,"hosts":{"localhost":["\#(try pki.pin("intermediate"))"]}}"#, to: "pins.json")
            let failure = try explain(log, ["--pins", folder.path("pins.json")])
            #expect(failure.conclusion.verdict == "wrong-set", "\(failure)")
            #expect(failure.conclusion.sentence.hasPrefix("curl compares only the server's key"))
        }
    }

    /// The message names the host, and another line its port.
    @Test func explainsCurlWithAnotherName() throws {
        try OpenSSLServer.run { server in
            let log = try curl(
                [
                    "--verbose", "--cacert", pki.path("root.pem"), "--connect-to", "::127.0.0.1:\(server.port)",
                    "https://other.example:\(server.port)/",
                ], status: 60)
            let failure = try explain(
                "curl https://other.example:\(server.port)/\n" + log, ["--connect-to", "127.0.0.1:\(server.port)"])
            #expect(failure.kind == "name-mismatch" && failure.target == "other.example:\(server.port)", "\(failure)")
            #expect(failure.conclusion.verdict == "server-error")
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
            // The host serves the pinned key of the intermediate, so the device saw another chain, or the app has other pins.
            for (pin, verdict, status) in [("other-root", "rotation", 0), ("intermediate", "undecided", 3)]
                as [(_, _, Int32)]
            {
                try folder.write(#"{"version":1,"hosts":{"localhost":["\#(try pki.pin(pin))"]}}"#, to: "pins.json")
                let failure = try explain(
                    android, connect + ["--pins", folder.path("pins.json")], status: status)
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
            let failure = try explain(log, status: 3)
            #expect(failure.source == "curl")
            #expect(failure.kind == "pin-mismatch")
            #expect(failure.target == server.localhost)
            // The log of curl contains the key that it saw, which is the key of the host, and not its option.
            #expect(failure.conclusion.verdict == "undecided")
            #expect(failure.conclusion.command.contains("--pins PINS"))
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
            #expect(
                failure.conclusion.command
                    == "pinctl inspect \(server.localhost) --select leaf --anchors \(pki.path("root.pem"))")
        }
    }

    @Test func explainsCurlWithoutAnIntermediate() throws {
        try OpenSSLServer.run(chain: nil) { server in
            let log = try curl(
                ["--verbose", "--cacert", pki.path("root.pem"), "https://\(server.localhost)/"], status: 60)
            // The certificate of an interceptor without its CA looks the same.
            let failure = try explain(log, status: 3)
            #expect(failure.kind == "untrusted")
            #expect(failure.conclusion.verdict == "undecided")
            #expect(failure.conclusion.sentence.contains("the server omits the certificate of an intermediate CA, or"))
        }
        // A certificate that names the URL of its issuer, as those of public CAs do.
        try Shell.run(
            """
            printf 'subjectAltName=DNS:localhost\nauthorityInfoAccess=caIssuers;URI:http://ca.example/ca.crt\n' >ext
            openssl ecparam -name prime256v1 -genkey -noout -out leaf-aia.key
            openssl req -new -key leaf-aia.key -subj /CN=localhost -out csr
            openssl x509 -req -in csr -CA "\(pki.path("intermediate.pem"))" -CAkey "\(pki.path("intermediate.key"))" \
                -set_serial 7 -days 9 -extfile ext -out leaf-aia.pem 2>log
            """, in: folder.url)
        try OpenSSLServer.run(
            chain: nil, options: ["-cert", folder.path("leaf-aia.pem"), "-key", folder.path("leaf-aia.key")]
        ) { server in
            let log = try curl(["--cacert", pki.path("root.pem"), "https://\(server.localhost)/"], status: 60)
            let failure = try explain("curl https://\(server.localhost)/\n" + log)
            #expect(failure.conclusion.verdict == "server-error", "\(failure)")
            #expect(
                failure.conclusion.command
                    == "pinctl fetch --fetch-issuers \(server.localhost) --anchors \(pki.path("root.pem"))")
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

    /// A log that mentions other hosts after the failure, and the option for another host.
    @Test func choosesTheHost() throws {
        let android =
            "GET https://127.0.0.1:1/v1\nwaiting\njava.security.cert.CertificateException: Pin verification failed\n"
            + "GET https://127.0.0.1:2/other\n"
        #expect(try explain(android, ["--offline"], status: 3).target == "127.0.0.1:1")
        #expect(try explain(android, ["--offline", "--host", "127.0.0.1:3"], status: 3).target == "127.0.0.1:3")
        // The message names the host, and the option its port.
        let okhttp = okhttp(seen: [], pinned: [])
        #expect(try explain(okhttp, ["--offline", "--host", "localhost:3"], status: 3).target == "localhost:3")
        #expect(try explain(okhttp, ["--offline", "--host", "other:3"], status: 3).target == "localhost:443")
        let empty = try PinctlRun.spawn(["explain", "-"], input: [])
        #expect(empty.status == 2 && empty.errors.contains("standard input is empty"), "\(empty)")
    }

    /// A guess allows no verdict, and `--host` confirms it.
    @Test func aGuessedHost() throws {
        try OpenSSLServer.run { server in
            let log = "GET https://\(server.localhost)/\nCertificateException: Pin verification failed\n"
            try folder.write(#"{"version":1,"hosts":{"localhost":["\#(try pki.pin("other-root"))"]}}"#, to: "pins.json")
            let pins = ["--pins", folder.path("pins.json")]
            let guess = try explain(log, pins, status: 3)
            #expect(guess.target == server.localhost && guess.conclusion.command.contains("--host HOST"), "\(guess)")
            #expect(try explain(log, pins + ["--host", server.localhost]).conclusion.verdict == "rotation")
            // The set has no entry for the host.
            let other = okhttp(seen: try pki.pins("leaf", "intermediate"), pinned: [try pki.pin("other-root")])
                .replacing("localhost", with: "www.example.test")
            let uncovered = try explain(other, pins + ["--connect-to", "127.0.0.1:\(server.port)"], status: 3)
            #expect(uncovered.conclusion.verdict == "undecided", "\(uncovered)")
        }
    }

    /// pinctl does not find reports between other lines.
    @Test func reportsThatAreNotRead() throws {
        let report = #"{"hostname":"localhost","known-pins":["\#(try pki.pin("leaf"))"]}"# + "\n"
        let go = "Get \"https://c.example/\": x509: certificate has expired or is not yet valid: x\n"
        let run = try PinctlRun.spawn(["explain", "-", "--offline"], input: Array(("start\n" + report + go).utf8))
        #expect(run.status == 3 && run.errors.contains("some reports of TrustKit were not read"), "\(run)")
        let none = try PinctlRun.spawn(["explain", "-", "--offline"], input: Array(("start\n" + report).utf8))
        #expect(none.status == 2 && none.errors.contains("put them alone in a file"), "\(none)")
    }

    @Test func printsNoTextOfTheLogInACommand() throws {
        let log = okhttp(seen: [], pinned: []).replacing("localhost", with: "$(touch x)`id`;")
        let failure = try explain(log, ["--offline"], status: 3)
        #expect(failure.target == nil)
        #expect(!failure.conclusion.command.contains("touch"))
    }
}
