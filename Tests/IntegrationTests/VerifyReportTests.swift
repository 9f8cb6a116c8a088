import Foundation
import TestSupport
import Testing

/// The CI formats of `pinctl verify` with a real server: one host matches, one does not match, one is
/// unreachable.
@Suite(.blocking) struct VerifyReportTests {
    /// Lines 2 to 4 contain the hosts.
    private func verify(_ hosts: String..., format: String) throws -> PinctlRun {
        let pki = try TestPKI.shared()
        let folder = try TemporaryFolder("verify-report")
        defer { folder.remove() }
        let pins = """
            { "version": 1, "hosts": {
              "localhost": { "expires": "2049-06-01", "pins": ["\(try pki.pin("root"))"] },
              "a.example.test": ["\(try pki.pin("other-root"))"],
              "b.example.test": ["\(try pki.pin("root"))"] } }
            """
        try folder.write(pins, to: "my pins.json")
        return try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            try PinctlRun.spawn(
                [
                    "verify", "--pins", "my pins.json", "--anchors", pki.path("root.pem"), "--format", format,
                    "--connect-to",
                ]
                    + [server.endpoint] + hosts,
                folder: folder.url
            )
        }
    }

    @Test func sarifNamesTheLineOfTheHost() throws {
        let run = try verify("localhost", "a.example.test", format: "sarif")
        #expect(try PublicSchema.errors(inSARIF: run.output) == "")
        #expect(run.text.contains(#""ruleId": "mismatch""#))
        #expect(run.text.contains(#""uri": "my%20pins.json""#))
        #expect(run.text.contains(#""startLine": 3"#))
        #expect(run.status == 1)
    }

    @Test func junitHasATestCaseForEachHost() throws {
        let run = try verify("localhost", "a.example.test", format: "junit")
        #expect(try PublicSchema.errors(inJUnit: run.output) == "")
        #expect(run.text.contains(#"<testsuites name="pinctl verify" tests="2" failures="1" errors="0">"#))
        #expect(run.text.contains(#"<testcase name="localhost:443" classname="pinctl.verify"/>"#))
        // The lists of pins are in the body only.
        #expect(
            run.text.contains(#"<failure type="mismatch" message="no pin matches">"#)
                && run.text.contains("the chain is valid, but no pin matches: expected "))
    }

    @Test func githubPointsIntoTheSet() throws {
        let run = try verify("localhost", "a.example.test", format: "github")
        #expect(run.lines.count == 1)
        #expect(
            run.text.hasPrefix(
                "::error file=my pins.json,line=3,title=pinctl verify%3A no pin matches::a.example.test:443: ")
        )
        #expect(
            run.errorLines.last?.hasPrefix("pinctl: 1 of 2 hosts fails: a.example.test:443 (mismatch); next: ") == true)
    }

    @Test func prometheusHasTheEndOfEachCertificate() throws {
        let run = try verify("localhost", "a.example.test", format: "prometheus")
        let samples = try PublicSchema.samples(inPrometheus: run.output)
        let host = "('command', 'verify'), ('name', 'localhost:443')"
        #expect(samples.contains("pinctl_check_success [\(host)] 1"))
        // date -u -d 2049-06-01 +%s
        #expect(samples.contains("pinctl_pins_expiry_timestamp_seconds [\(host)] 2506118400"))
        // The end date of the certificate, from openssl x509 -enddate.
        let pki = try TestPKI.shared()
        let dates = try ChildProcess.output(of: ["openssl", "x509", "-in", pki.path("leaf.pem"), "-noout", "-enddate"])
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "'notAfter='MMM d HH:mm:ss yyyy z"
        let text = String(decoding: dates, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        let end = try #require(formatter.date(from: text))
        let name = "pinctl_certificate_expiry_timestamp_seconds"
        #expect(
            samples.contains("\(name) [\(host), ('position', '0'), ('role', 'leaf')] \(Int(end.timeIntervalSince1970))")
        )
    }

    /// A successful run prints nothing besides the document.
    @Test(arguments: ["json", "ndjson", "junit", "sarif", "github", "prometheus"])
    func successPrintsOnlyTheDocument(format: String) throws {
        let run = try verify("localhost", "b.example.test", format: format)
        #expect(run.errors == "")
        #expect(run.status == 0)
    }

    @Test func endsWithASummaryLine() throws {
        #expect(try verify("localhost", format: "text").errors == "")
        #expect(try verify("localhost", "b.example.test", format: "text").errors == "pinctl: 2 of 2 hosts match\n")
    }
}
