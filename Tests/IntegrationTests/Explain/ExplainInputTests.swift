import Foundation
import TestSupport
import Testing

/// The logs, the hosts, the sets and the next command of `explain`.
@Suite(.blocking) struct ExplainInputTests: ExplainSuite {
    let pki: TestPKI
    let folder: TemporaryFolder

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("explain")
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
        // A mail server uses STARTTLS.
        let exim = "1x-0 == u@b defer (-37) H=b.test [192.0.2.1]: TLS session: (certificate verification failed)\n"
        #expect(try explain(exim, ["--offline"], status: 3).target == "smtp://b.test:25")
        #expect(try explain(exim, ["--offline", "--host", "smtps://b.test"], status: 3).target == "b.test:465")
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
