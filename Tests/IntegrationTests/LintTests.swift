import Foundation
import TestSupport
import Testing

/// `pinctl lint` as a process: with a server, with a saved chain, and in the formats for programs.
@Suite(.blocking) struct LintTests {
    private let pki: TestPKI
    private let folder: TemporaryFolder

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("lint")
    }

    /// SHA-256 of "a", which is not the pin of a served key.
    private static let spare = "ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs="

    private struct Report: Decodable {
        struct Finding: Decodable, Equatable {
            let file: String
            let line: Int?
            let code: String
            let severity: String
            let host: String?
            let pin: String?
            let message: String
            let hint: String?
        }
        let schema: String
        let findings: [Finding]
    }

    private func write(_ hosts: String..., to name: String = "pins.json") throws {
        try folder.write("{ \"version\": 1, \"hosts\": {\n\(hosts.joined(separator: ",\n")) } }\n", to: name)
    }

    private func lint(_ arguments: String...) throws -> PinctlRun {
        try PinctlRun.spawn(["lint"] + arguments, folder: folder.url)
    }

    private func findings(_ run: PinctlRun) throws -> [Report.Finding] {
        let report = try JSONDecoder().decode(Report.self, from: Data(run.output))
        #expect(report.schema == "pinctl/lint/1")
        return report.findings
    }

    private func serve<Value>(_ body: (ServerProcess) throws -> Value) throws -> Value {
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: {
            try body($0)
        }
    }

    @Test func comparesWithTheLiveChain() throws {
        let hash = try ChildProcess.output(
            of: ["sh", "-c", "openssl x509 -in leaf.pem -outform DER | openssl dgst -sha256 -binary | openssl base64"],
            folder: pki.folder.url)
        let certificate = String(decoding: hash, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        try write(
            "\"localhost\": [\"\(try pki.pin("root"))\",\n\"\(certificate)\"]",
            "\"a.example.test\": [\"\(try pki.pin("leaf"))\", \"\(try pki.pin("root"))\"]",
            "\"b.example.test\": [\"\(try pki.pin("root"))\", \"\(Self.spare)\"]")
        let run = try serve { server in
            try lint(
                "--live", "--anchors", pki.path("root.pem"), "--connect-to", server.endpoint, "--format", "json",
                "pins.json")
        }
        let found = try findings(run)
        #expect(found.map(\.code) == ["certificate-hash", "no-backup"])
        #expect(found.map(\.line) == [3, 4])
        #expect(found.map(\.host) == ["localhost", "a.example.test"])
        #expect(found.first?.pin == certificate)
        #expect(run.status == 1)
    }

    @Test func comparesNothingWithAnUntrustedChain() throws {
        try write("\"localhost\": [\"\(try pki.pin("leaf"))\", \"\(Self.spare)\"]")
        let run = try serve { try lint("--live", "--connect-to", $0.endpoint, "--format", "json", "pins.json") }
        #expect(try findings(run).map(\.code) == ["untrusted-chain"])
        #expect(run.status == 1)
    }

    /// The set names trust anchors of its host, as for `verify`.
    @Test func trustsTheAnchorsOfAHost() throws {
        try write(
            "\"localhost\": { \"anchors\": [\"\(pki.path("root.pem"))\"], \"pins\": [\"\(Self.spare)\",\n\"\(try pki.pin("root-old"))\"] }"
        )
        let run = try serve { try lint("--live", "--connect-to", $0.endpoint, "--format", "json", "pins.json") }
        #expect(try findings(run).map(\.code) == ["live-mismatch"])
        #expect(run.status == 1)
        // verify reports a mismatch of a host that is not enforced, but does not fail.
        try write(
            "\"localhost\": { \"enforce\": false, \"anchors\": [\"\(pki.path("root.pem"))\"], \"pins\": [\"\(Self.spare)\",\n\"\(try pki.pin("root-old"))\"] }"
        )
        let reported = try serve { try lint("--live", "--connect-to", $0.endpoint, "--format", "json", "pins.json") }
        try #expect(findings(reported).map(\.code).contains("live-mismatch"), "\(reported)")
        #expect(reported.status == 0, "\(reported)")
    }

    /// The endpoint, or --servername, has another name than the entry. Its anchors still are those of the entry, and the system's CAs
    /// are not trusted.
    @Test func trustsTheAnchorsOfAnEndpointWithAnotherName() throws {
        try serve { server in
            let pins = "\"pins\": [\"\(Self.spare)\", \"\(try pki.pin("root"))\"] }"
            for (anchors, codes) in [("root.pem", [String]()), ("other-root.pem", ["untrusted-chain"])] {
                let list = "\"anchors\": [\"\(pki.path(anchors))\"]"
                let system = ["SSL_CERT_FILE": pki.path("root.pem")]
                try write(
                    "\"example.test\": { \"subdomains\": \"all\", \(list), \"endpoints\": [\"api.example.test\"], \(pins)"
                )
                let run = try PinctlRun.spawn(
                    ["lint", "--live", "--connect-to", server.endpoint, "--format", "json", "pins.json"],
                    environment: system, folder: folder.url)
                try #expect(findings(run).map(\.code).filter { $0 == "untrusted-chain" } == codes, "\(run)")
                try write("\"example.test\": { \(list), \(pins)")
                let named = try PinctlRun.spawn(
                    [
                        "lint", "--live", "--connect-to", server.endpoint, "--servername", "api.example.test",
                        "--format",
                        "json", "pins.json",
                    ], environment: system, folder: folder.url)
                try #expect(findings(named).map(\.code).filter { $0 == "untrusted-chain" } == codes, "\(named)")
            }
        }
    }

    @Test func isUndecidedForARefusedConnection() throws {
        let socket = try LoopbackSocket()
        try write("\"localhost\": [\"\(Self.spare)\", \"\(try pki.pin("root"))\"]")
        let run = try lint("--live", "--connect-to", "127.0.0.1:\(socket.port)", "pins.json")
        withExtendedLifetime(socket) {}
        #expect(run.text.contains("pins.json:2: warning: localhost: no chain to compare with: "))
        #expect(run.errors.hasPrefix("pinctl: pins.json fails (1 host not reached); next: retry"), "\(run)")
        #expect(run.status == 3)
    }

    @Test func comparesWithASavedChain() throws {
        try write(
            "\"localhost\": [\"\(try pki.pin("leaf"))\", \"\(try pki.pin("root"))\"]",
            "\"api.example.com\": [\"\(Self.spare)\", \"\(try pki.pin("root-old"))\"]")
        let chain = ["--chain", pki.path("leaf.chain.pem"), "--anchors", pki.path("root.pem")]
        let run = try PinctlRun.spawn(["lint", "pins.json", "--format", "json"] + chain, folder: folder.url)
        // The chain is for localhost, so the other host is not compared.
        #expect(try findings(run).map(\.code) == ["no-backup"])
        #expect(run.status == 0)
        try write("\"api.example.com\": [\"\(Self.spare)\"]", to: "other.json")
        let other = try PinctlRun.spawn(["lint", "other.json"] + chain, folder: folder.url)
        #expect(other.status == 2)
        #expect(other.errors.contains(#"matches no host of "other.json""#))
        for (format, part) in [("junit", #"<error type="incomplete""#), ("prometheus", #"name="(run)"} 0"#)] {
            let report = try PinctlRun.spawn(
                ["lint", "other.json", "--format", format, "--html", "page.html"] + chain, folder: folder.url)
            #expect(report.status == 2 && report.text.contains(part), "\(report)")
            try #expect(folder.text("page.html").contains("1 file passes, not complete</h1>"))
        }
    }

    /// lint trusts the anchors as verify does, even if the set has other errors.
    @Test func trustsTheAnchorsOfTheSet() throws {
        let anchors = "\"anchors\": [\"\(pki.path("root.pem"))\"]"
        let wrong = "\"47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\""
        for pins in ["\"\(Self.spare)\"", "\"\(Self.spare)\", \(wrong)"] {
            try write("\"localhost\": { \(anchors), \"pins\": [\(pins)] }")
            let run = try PinctlRun.spawn(
                ["lint", "pins.json", "--format", "json", "--chain", pki.path("leaf.chain.pem")], folder: folder.url)
            let codes = try findings(run).map(\.code)
            #expect(codes.contains("live-mismatch") && !codes.contains("untrusted-chain"), "\(codes)")
            #expect(run.status == 1)
        }
        try write("\"localhost\": { \"anchors\": [\"nowhere.pem\"], \"pins\": [\"\(Self.spare)\"] }")
        let run = try PinctlRun.spawn(["lint", "pins.json", "--format", "json"], folder: folder.url)
        try #expect(findings(run).contains { $0.code == "unreadable-anchor" })
        #expect(run.status == 1)
    }

    // MARK: Forms

    private func writeBad() throws {
        try write(
            "\"api.example.com\": { \"pins\": [\n\"47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\",\n\"\(Self.spare)\"] }"
        )
    }

    @Test func writesJSON() throws {
        try writeBad()
        let run = try lint("--format", "json", "pins.json")
        #expect(
            try findings(run).first
                == Report.Finding(
                    file: "pins.json", line: 3, code: "empty-hash", severity: "error", host: "api.example.com",
                    pin: "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
                    message: "\"47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\" is the SHA-256 of empty input",
                    hint:
                        "generate the pin again from the certificate or key: the command that should print the key printed nothing"
                ))
        let lines = try lint("--format", "ndjson", "pins.json").lines
        let objects = try lines.map { try JSONDecoder().decode(Report.Finding.self, from: Data($0.utf8)) }
        #expect(try objects == findings(run))
    }

    @Test func writesReportsForContinuousIntegration() throws {
        try writeBad()
        try write("\"example.com\": [\"\(try pki.pin("root"))\", \"\(Self.spare)\"]", to: "app/pins.json")
        let files = ["pins.json", "app/pins.json"]
        func run(_ format: String) throws -> PinctlRun {
            let run = try PinctlRun.spawn(["lint", "--format", format] + files, folder: folder.url)
            #expect(run.status == 1)
            #expect(run.errorLines.last?.hasPrefix("pinctl: 1 of 2 files fails: pins.json (1 error); next: ") == true)
            return run
        }
        #expect(try PublicSchema.errors(inSARIF: run("sarif").output) == "")
        let junit = try run("junit")
        #expect(try PublicSchema.errors(inJUnit: junit.output) == "")
        #expect(junit.text.contains("<testcase name=\"app/pins.json\" classname=\"pinctl.lint\"/>"))
        #expect(try run("github").text.hasPrefix("::error file=pins.json,line=3,title=pinctl lint%3A empty-hash::"))
        let samples = try PublicSchema.samples(inPrometheus: run("prometheus").output)
        #expect(samples.contains("pinctl_check_success [('command', 'lint'), ('name', 'app/pins.json')] 1"))
    }

    @Test func strictFailsForWarnings() throws {
        try write("\"example.com\": [\"\(Self.spare)\"]")
        #expect(try lint("pins.json").status == 0)
        #expect(try lint("--strict", "pins.json").status == 1)
        // A document does not contain the options, so --strict changes its severities.
        #expect(try lint("--strict", "--format", "junit", "pins.json").text.contains("failures=\"1\""))
    }

    @Test func looksAheadByTheGivenDays() throws {
        try write(
            "\"example.com\": { \"expires\": \"2027-03-01\", \"pins\": [\"\(Self.spare)\", \"\(try pki.pin("root"))\"] }"
        )
        let flags = ["--at", "2026-11-21", "--strict"]
        func status(_ days: String) throws -> Int32? {
            try PinctlRun.spawn(["lint", "pins.json", "--within", days] + flags, folder: folder.url).status
        }
        // 2026-11-21 plus 100 days is 2027-03-01: `date -d '2026-11-21 100 days'`.
        #expect(try status("100") == 0)
        #expect(try status("101") == 1)
    }

    @Test func lintsTheOtherFilesIfOneIsNotAPinSet() throws {
        try write("\"example.com\": [\"\(Self.spare)\", \"\(try pki.pin("root"))\"]")
        try folder.write("hello\n", to: "text.txt")
        let run = try lint("nothing.json", "text.txt", "pins.json")
        #expect(run.status == 2)
        #expect(run.errors.contains("there is no file \"nothing.json\""))
        #expect(
            run.errorLines.last == "pinctl: 2 of 3 files fail: nothing.json (cannot be read), text.txt (not a pin set)")
        #expect(try lint("nothing.json").status == 2)
    }

    /// On a terminal with 80 columns, no line is wrapped by the terminal.
    @Test func fitsATerminal() throws {
        try writeBad()
        let output = try PinctlRun.textOnTerminal(
            ["lint", "--within", "9", "pins.json"], columns: 80, folder: folder.url)
        let lines = output.split(whereSeparator: \.isNewline)
        let findings = lines.filter { !$0.hasPrefix("pinctl: ") }
        #expect(findings.count >= 3)
        for line in findings { #expect(line.count <= 80, "\(line)") }
    }
}
