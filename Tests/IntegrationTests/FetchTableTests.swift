import Foundation
import TestSupport
import Testing

/// Tables, filters and metrics of `fetch`.
@Suite(.blocking) struct FetchTableTests {
    let pki: TestPKI
    let folder: TemporaryFolder

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("table")
    }

    private var anchors: [String] { ["--anchors", pki.path("root.pem")] }

    /// Runs a server with a trusted chain and one with an expired certificate.
    private func withServers(_ body: (_ trusted: String, _ expired: String) throws -> Void) throws {
        try OpenSSLServer.run { trusted in
            try OpenSSLServer.run("leaf-expired") { expired in try body(trusted.localhost, expired.localhost) }
        }
    }

    private func fetch(_ hosts: [String], _ options: [String], status: Int32) throws -> String {
        let run = try PinctlRun.spawn(["fetch"] + hosts + anchors + options)
        #expect(run.status == status, "\(run)")
        return run.text
    }

    /// Reads CSV with the module of Python, which is independent of pinctl.
    private func rows(_ csv: String) throws -> [[String: String]] {
        let script = "import csv,json,sys; print(json.dumps(list(csv.DictReader(sys.stdin))))"
        let outcome = try ChildProcess.run(["python3", "-c", script], input: Array(csv.utf8))
        return try JSONDecoder().decode([[String: String]].self, from: Data(outcome.text.utf8))
    }

    @Test func writesCSVThatPythonReads() throws {
        try withServers { trusted, expired in
            let csv = try fetch([trusted, expired], ["--format", "csv"], status: 1)
            #expect(
                csv.hasPrefix(
                    "target,address,status,reason,message,subject,issuer,root,key,signature,protocol,not_after,days_left,pin\r\n"
                ))
            let rows = try rows(csv)
            #expect(rows.map { $0["target"] } == [trusted, expired])
            #expect(rows.map { $0["status"] } == ["trusted", "untrusted"])
            #expect(rows.map { $0["reason"] } == ["", "expired"])
            #expect(rows.first?["pin"] == "sha256/\(try pki.pin("leaf"))")
            // No pin of an untrusted chain.
            #expect(rows.last?["pin"] == "")
            #expect(Int(rows.last?["days_left"] ?? "").map { $0 < 0 } == true)
        }
    }

    @Test(arguments: [
        (["--only", "trusted"], [0]), (["--only", "expired"], [1]), (["--only", "untrusted"], [1]),
        (["--only", "expired,trusted"], [0, 1]), (["--only", "weak-key"], []), (["--within", "0"], [1]),
        (["--within", "36500"], [0, 1]), (["--only", "expiring"], []),
        (["--only", "expiring", "--within", "36500"], [0]),
    ]) func filters(options: [String], expected: [Int]) throws {
        try withServers { trusted, expired in
            let rows = try rows(try fetch([trusted, expired], ["--format", "csv"] + options, status: 1))
            #expect(rows.map { $0["target"] } == expected.map { [trusted, expired][$0] })
            let lines = try fetch([trusted, expired], ["--format", "ndjson"] + options, status: 1).split(
                separator: "\n")
            #expect(lines.count == expected.count)
            // A file gets the same contents as standard output, also without a host, and also if it exists.
            let (printed, folder) = (
                try fetch([trusted, expired], ["--format", "csv"] + options, status: 1),
                try TemporaryFolder("fetch-filter")
            )
            try folder.write("an earlier run\n", to: "hosts.csv")
            _ = try fetch([trusted, expired], options + ["--output", folder.path("hosts.csv")], status: 1)
            #expect(
                try folder.text("hosts.csv").split(separator: "\r\n").count == printed.split(separator: "\r\n").count)
        }
    }

    @Test func sortsAndGroups() throws {
        try withServers { trusted, expired in
            let sorted = try rows(try fetch([trusted, expired], ["--format", "csv", "--sort", "expiry"], status: 1))
            #expect(sorted.map { $0["target"] } == [expired, trusted])
            let groups = try rows(
                try fetch([trusted, expired, trusted], ["--format", "csv", "--group-by", "reason"], status: 1))
            #expect(groups == [["reason": "trusted", "hosts": "2"], ["reason": "expired", "hosts": "1"]])
            // On a narrow terminal, the column of the order remains.
            let narrow = try PinctlRun.textOnTerminal(
                ["fetch", trusted, expired, "--format", "table", "--sort", "root"] + anchors, columns: 60)
            let titles = narrow.split(whereSeparator: \.isNewline).first { $0.hasPrefix("target") }
            #expect(titles?.split(separator: " ").prefix(3) == ["target", "status", "root"], "\(narrow)")
            let piped = try fetch([trusted, expired], ["--format", "table", "--sort", "root"], status: 1)
            #expect(
                piped.split(separator: "\n").first?.split(separator: " ").prefix(3) == ["target", "status", "days"])
            // A name is code, so that it can be copied without the characters that prevent links.
            let markdown = try fetch([trusted], ["--format", "markdown"], status: 0)
            #expect(markdown.contains("| `\(trusted)` | trusted |"), "\(markdown)")
            let table = try fetch([trusted, expired], ["--format", "table", "--sort", "expiry"], status: 1)
            #expect(
                table.split(separator: "\n").map { $0.prefix { $0 != " " } } == ["target", expired[...], trusted[...]])
        }
    }

    @Test func writesATableToAFile() throws {
        try withServers { trusted, expired in
            for name in ["out.csv", "out.md", "out.prom"] {
                let text = try fetch([trusted, expired], ["--output", folder.path(name)], status: 1)
                #expect(text.isEmpty)
                #expect(try !folder.text(name).isEmpty)
            }
            _ = try fetch([trusted, expired], ["--output", folder.path("sorted.csv"), "--sort", "expiry"], status: 1)
            #expect(try rows(try folder.text("sorted.csv")).count == 2)
        }
    }

    @Test func writesMetrics() throws {
        try withServers { trusted, expired in
            let text = try fetch([trusted, expired], ["--format", "prometheus"], status: 1)
            #expect(text.contains("pinctl_check_success{command=\"fetch\",name=\"\(trusted)\"} 1\n"))
            #expect(text.contains("pinctl_check_success{command=\"fetch\",name=\"\(expired)\"} 0\n"))
            #expect(text.contains("code=\"expired\""))
            let end = try ChildProcess.run(
                [
                    "sh", "-c",
                    "date -d \"$(openssl x509 -in \(pki.path("leaf.pem")) -noout -enddate | cut -d= -f2)\" +%s",
                ]
            ).text.trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(
                text.contains(
                    "pinctl_certificate_expiry_timestamp_seconds{command=\"fetch\",name=\"\(trusted)\",position=\"0\",role=\"leaf\"} \(end)\n"
                ))
        }
    }
}
