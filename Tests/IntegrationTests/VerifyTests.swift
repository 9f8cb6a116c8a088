import Foundation
import TestSupport
import Testing

/// `pinctl verify` with real servers: the name, the exit status and the report of each verdict.
@Suite(.blocking) struct VerifyTests {
    let pki: TestPKI
    let folder: TemporaryFolder

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("verify")
    }

    struct Report: Decodable {
        let schema: String
        let results: [Result]
    }

    struct Result: Decodable {
        let target: String
        let host: String?
        let verdict: String
        let enforced: Bool?
        let matched: [Match]
        let expected: [Key]
        let nearMisses: [NearMiss]
        let chain: [FetchReport.Entry]
        let trust: FetchReport.Trust?
        let error: FetchReport.Failure?
    }

    struct Match: Decodable {
        let pin: String
        let role: String
        let position: Int
    }

    struct Key: Decodable {
        let pin: String
    }

    struct NearMiss: Decodable {
        let pin: String
        let reason: String
    }

    /// An entry of a pin set.
    private func entry(_ host: String, _ pins: [String], _ more: String = "") -> String {
        "\"\(host)\": { \(more)\"pins\": [\(pins.joined(separator: ", "))] }"
    }

    private func key(_ name: String, _ role: String = "any", _ more: String = "") throws -> String {
        "{ \"sha256\": \"\(try pki.pin(name))\", \"role\": \"\(role)\"\(more) }"
    }

    private func write(_ entries: String..., to name: String = "pins.json") throws {
        try folder.write("{ \"version\": 1, \"hosts\": { \(entries.joined(separator: ",\n")) } }\n", to: name)
    }

    private func verify(
        _ arguments: String..., anchors: String? = "root", environment: [String: String] = [:]
    ) throws -> PinctlRun {
        let trust = anchors.map { ["--anchors", pki.path("\($0).pem")] } ?? []
        return try PinctlRun.spawn(
            ["verify", "--pins", "pins.json"] + trust + arguments, environment: environment, folder: folder.url)
    }

    private func result(_ run: PinctlRun) throws -> Result {
        let report = try JSONDecoder().decode(Report.self, from: Data(run.output))
        #expect(report.schema == "pinctl/verify/1")
        return try #require(report.results.first)
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let about: String
        /// Name and role of each pin.
        let pins: [(name: String, role: String)]
        let verdict: String
        let status: Int32
        var testDescription: String { about }
    }

    static let cases = [
        Case(about: "the leaf's key", pins: [("leaf", "any")], verdict: "match", status: 0),
        Case(about: "the intermediate's", pins: [("intermediate", "intermediate")], verdict: "match", status: 0),
        Case(about: "the root's, which was not sent", pins: [("root", "root")], verdict: "match", status: 0),
        Case(about: "the root's, as any authority", pins: [("root", "ca")], verdict: "match", status: 0),
        Case(about: "one of two", pins: [("other-root", "any"), ("leaf", "leaf")], verdict: "match", status: 0),
        Case(about: "another key", pins: [("leaf-www", "any")], verdict: "mismatch", status: 1),
        Case(about: "the right key in the wrong role", pins: [("leaf", "ca")], verdict: "mismatch", status: 1),
        Case(about: "the root's key for a leaf", pins: [("root", "leaf")], verdict: "mismatch", status: 1),
    ]

    @Test(arguments: cases) func pinsAndRoles(test: Case) throws {
        defer { folder.remove() }
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            try write(entry("localhost", try test.pins.map { try key($0.name, $0.role) }))
            let text = try verify(server.localhost)
            #expect(text.status == test.status, "\(text)")
            #expect(text.lines.first?.hasPrefix("\(server.localhost)  \(test.verdict)") == true, "\(text)")
            let result = try result(try verify(server.localhost, "-f", "json"))
            #expect(result.verdict == test.verdict)
            #expect(result.host == "localhost")
            #expect(result.chain.map(\.pin) == (try pki.pins("leaf", "intermediate", "root")))
            if test.verdict == "match" {
                #expect(result.matched.count == 1)
                #expect(result.matched.first?.pin == (try test.pins.last.map { try pki.pin($0.name) }))
            } else {
                #expect(result.matched.isEmpty)
                // The expected and the seen pins.
                for pin in result.expected.map(\.pin) + result.chain.map(\.pin) { #expect(text.text.contains(pin)) }
            }
        }
    }

    /// A server can append any certificate, so only the validated chain counts (CVE-2016-2402).
    @Test func appendedCADoesNotMatch() throws {
        defer { folder.remove() }
        try write(entry("localhost", [try key("other-root")]))
        let chain = try pki.text("intermediate.pem") + pki.text("other-root.pem")
        let file = try folder.write(chain, to: "chain.pem")
        try OpenSSLServer.run(chain: file) { server in
            let run = try verify(server.localhost)
            #expect(run.status == 1, "\(run)")
            #expect(run.text.contains("  mismatch"))
        }
        // An appended chain that is valid itself does not count either.
        try OpenSSLServer.run("other-leaf", chain: "intermediate.chain.pem") { server in
            try write(entry("localhost", [try key("intermediate"), try key("root")]))
            let run = try verify(server.localhost, "-f", "json")
            #expect(run.status == 1, "\(run)")
            try #expect(result(run).verdict == "untrusted")
            try #expect(result(run).matched.isEmpty)
        }
    }

    /// A pinned key in an untrusted chain is not a match.
    @Test(arguments: [
        ("leaf-expired", "expired"), ("leaf-self-signed", "self-signed"), ("leaf-wrong-name", "name-mismatch"),
        ("leaf-by-expired", "expired"), ("leaf-client-only", "wrong-purpose"),
    ])
    func untrustedChainIsNotAMatch(certificate: String, code: String) throws {
        defer { folder.remove() }
        try Nginx.run {
            Nginx.host($0, certificate)
        } _: { server in
            try write(entry("localhost", [try key(certificate)]))
            let text = try verify(server.localhost)
            #expect(text.status == 1, "\(text)")
            #expect(text.text.hasPrefix("\(server.localhost)  untrusted"), "\(text)")
            #expect(
                !text.text.contains(try pki.pin(certificate)), "a pin was printed of a chain that does not validate")
            let result = try result(try verify(server.localhost, "-f", "json"))
            #expect(result.verdict == "untrusted")
            #expect(result.trust?.code == code)
            #expect(result.matched.isEmpty)
        }
    }

    @Test func anchorsOfTheSetAreRelativeToItsFolder() throws {
        defer { folder.remove() }
        try folder.write(try pki.bytes("root.pem"), to: "ca/inhouse.pem")
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            try write(entry("localhost", [try key("root", "root")], "\"anchors\": [\"ca/inhouse.pem\"], "))
            let run = try verify(server.localhost, anchors: nil)
            #expect(run.status == 0, "\(run)")
            // The anchors of the command line take precedence.
            try #expect(verify(server.localhost, anchors: "other-root").status == 1)
            // Without both, the system's anchors are used, which do not include this root.
            try write(entry("localhost", [try key("root", "root")]))
            try #expect(verify(server.localhost, anchors: nil).status == 1)
            let system = ["SSL_CERT_FILE": pki.path("root.pem")]
            try #expect(verify(server.localhost, anchors: nil, environment: system).status == 0)
        }
    }

    /// Hosts with different anchors in one run. The anchors of each host are those of its entry.
    @Test func anchorsOfSeveralHosts() throws {
        defer { folder.remove() }
        for name in ["root", "root-rsa"] { try folder.write(try pki.bytes("\(name).pem"), to: "\(name).pem") }
        try Nginx.run { endpoint in
            Nginx.host(endpoint, "leaf", names: "a.example.test")
                + Nginx.host(endpoint, "leaf-rsa", names: "b.example.test")
        } _: { server in
            func set(_ a: String, _ b: String) throws {
                try write(
                    entry("a.example.test", [try key("root")], "\"anchors\": [\"\(a).pem\"], "),
                    entry("b.example.test", [try key("root-rsa")], "\"anchors\": [\"\(b).pem\"], "))
            }
            let options = ["--connect-to", server.endpoint, "-f", "ndjson", "--jobs", "1"]
            func verdicts() throws -> [String] {
                let run = try PinctlRun.spawn(["verify", "--pins", "pins.json"] + options, folder: folder.url)
                return try run.lines.map { try JSONDecoder().decode(Result.self, from: Data($0.utf8)).verdict }
            }
            try set("root", "root-rsa")
            try #expect(verdicts() == ["match", "match"])
            // An anchor of one host does not apply to another.
            try set("root-rsa", "root")
            try #expect(verdicts() == ["untrusted", "untrusted"])
            try set("root", "root")
            try #expect(verdicts() == ["match", "untrusted"])
        }
    }

    @Test func everyHostOfTheSetInOrder() throws {
        defer { folder.remove() }
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let names = ["c", "a", "b"].map { "\($0).example.test" }
            try write(
                entry(names[0], [try key("leaf")]), entry(names[1], [try key("leaf-www")]),
                entry(names[2], [try key("root")], "\"enforce\": false, "))
            let run = try verify("--connect-to", server.endpoint)
            #expect(run.status == 1, "\(run)")
            let heads = run.lines.filter { $0.contains(".example.test:443  ") }
                .map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
            #expect(heads == ["\(names[0]):443 match", "\(names[1]):443 mismatch", "\(names[2]):443 match"])
        }
    }

    @Test func unenforcedMismatchIsReportedOnly() throws {
        defer { folder.remove() }
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            try write(entry("localhost", [try key("leaf-www")], "\"enforce\": false, "))
            let run = try verify(server.localhost)
            #expect(run.status == 0, "\(run)")
            #expect(run.text.contains("mismatch"))
            #expect(run.text.contains("not enforced"))
            // The last line does not call it a match.
            let line = #"no pin matches for \#(server.localhost), which the set only reports ("enforce": false)"#
            #expect(run.errors.hasSuffix("pinctl: \(line)\n"), "\(run)")
            try #expect(verify(server.localhost, "-f", "junit").text.contains("<system-out>\(line)</system-out>"))
        }
    }

    @Test func expiredSet() throws {
        defer { folder.remove() }
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            try write(entry("localhost", [try key("leaf")], "\"expires\": \"2026-01-01\", "))
            let run = try verify(server.localhost)
            #expect(run.status == 1, "\(run)")
            #expect(run.lines.first?.contains("  expired") == true)
            // Before that date the entry was valid.
            try #expect(verify(server.localhost, "--at", "2025-12-31").status == 0)
        }
    }

    /// pinctl does not contact a host that the set does not cover.
    @Test func uncoveredHost() throws {
        defer { folder.remove() }
        try write(entry("example.test", [try key("leaf")]))
        let socket = try LoopbackSocket(listens: true)
        let run = try verify("localhost:\(socket.port)", "--timeout", "30", "-f", "json")
        #expect(run.status == 1, "\(run)")
        try #expect(result(run).verdict == "no-pins")
        try #expect(result(run).host == nil)
        withExtendedLifetime(socket) {}
    }

    @Test func unreachableHost() throws {
        defer { folder.remove() }
        try write(entry("127.0.0.1", [try key("leaf")]), entry("localhost", [try key("leaf-www")]))
        let socket = try LoopbackSocket()
        let dead = "127.0.0.1:\(socket.port)"
        let run = try verify(dead, "-f", "json")
        #expect(run.status == 3, "\(run)")
        try #expect(result(run).verdict == "unreachable")
        try #expect(result(run).error?.code == "refused")
        let text = try verify(dead)
        #expect(text.status == 3)
        #expect(
            text.errors.hasPrefix("pinctl: error: cannot connect to \(dead): connection refused\n"),
            "\(text)")
        // A failure takes precedence over an undecided host.
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            try #expect(verify(dead, server.localhost).status == 1)
        }
        withExtendedLifetime(socket) {}
    }

    /// verify checks a chain that fetch saved, without the server.
    @Test func savedChain() throws {
        defer { folder.remove() }
        try write(entry("localhost", [try key("root", "root")]))
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let run = try fetch(
                server.localhost, "--anchors", pki.path("root.pem"), "-o", "saved.pem", folder: folder.url)
            #expect(run.status == 0)
        }
        let run = try verify("--chain", "saved.pem")
        #expect(run.status == 0, "\(run)")
        #expect(run.text.hasPrefix("localhost  match"), "\(run)")
    }

    /// A platform's own file is judged as this platform reads it, without --as.
    @Test(arguments: [("", 0, "accepts"), ("sha256/", 1, "rejects")])
    func aPlatformsOwnFile(prefix: String, status: Int32, verdict: String) throws {
        defer { folder.remove() }
        let pin = "<dict><key>SPKI-SHA256-BASE64</key><string>\(prefix)\(try pki.pin("root"))</string></dict>"
        try folder.write(
            "<plist version=\"1.0\"><dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict>"
                + "<key>localhost</key><dict><key>NSPinnedCAIdentities</key><array>\(pin)</array></dict></dict></dict>"
                + "</dict></plist>", to: "pins.json")
        let run = try verify("--chain", pki.path("leaf.chain.pem"))
        #expect(run.status == status, "\(run)")
        #expect(run.text.contains("apple  \(verdict)"), "\(run)")
        let without = try verify(
            "--chain", pki.path("leaf.chain.pem"), "--as", "none")
        #expect(without.status == 0 && !without.text.contains("apple"), "\(without)")
    }

    // MARK: Missing results

    /// A report without the host of a refused line is not that of a run in which all hosts match.
    @Test func aRefusedLineIsInTheReports() throws {
        defer { folder.remove() }
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            try write(entry("localhost", [try key("leaf")]))
            try folder.write("\(server.localhost)\nb.exa mple\n", to: "list")
            let gap = "1 line of the list was refused, so hosts are missing"
            for (format, part) in [
                ("junit", #"<error type="incomplete" message="\#(gap)">"#), ("sarif", #""executionSuccessful": false"#),
                ("github", "::(run): \(gap)\n"), ("prometheus", #"name="(run)"} 0"#), ("text", "  match"),
            ] {
                let run = try verify("--from", "list", "--format", format, "--html", "page.html")
                #expect(run.status == 3 && run.text.contains(part), "\(run)")
                if format == "text" {
                    #expect(
                        run.errors.contains("pinctl: localhost:\(server.port) matches; not complete: \(gap)\n"),
                        "\(run)")
                }
                let page = try folder.text("page.html")
                #expect(page.contains("1 host passes, not complete</h1>"))
                #expect(page.components(separatedBy: gap).count == 2 && page.contains("Not complete: \(gap)."))
            }
        }
    }

    // MARK: A closed pipe

    /// The reader that closed the pipe got an incomplete report, so the run does not succeed and prints no success message.
    @Test func truncatedReportIsNotASuccess() throws {
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let set = #"{"version":1,"hosts":{"localhost":["\#(try pki.pin("leaf"))"]}}"#
            try folder.write(set, to: "cut.json")
            // A hundred results are larger than the buffer of a pipe.
            try folder.write(String(repeating: "\(server.localhost)\n", count: 100), to: "list")
            func run(_ reader: String) throws -> ChildProcess.Outcome {
                let command =
                    "'\(PinctlRun.executable)' verify -4 --pins cut.json --from list --format ndjson --anchors"
                    + " '\(pki.path("root.pem"))' | \(reader); exit ${PIPESTATUS[0]}"
                return try ChildProcess.run(
                    ["bash", "-c", command], environment: TestEnvironment.base, folder: folder.url)
            }
            try #expect(run("cat").end == .exit(0))
            let cut = try run("head -1")
            #expect(cut.end == .exit(3), "\(cut.errors)")
            #expect(cut.errors == "pinctl: the result is incomplete: standard output was closed\n")
        }
    }
}
