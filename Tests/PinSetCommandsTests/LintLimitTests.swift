import Foundation
import InProcessRuns
import TestSupport
import Testing

/// A file with more mistakes of one kind than `lint` reports. The first key `x` is no duplicate, so the file has 12,000 duplicate keys.
@Suite(.blocking) struct LintLimitTests {
    private static let mistakes = 12_000
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder("lint-limit")
        // Two pins: the SHA-256 of "a" and of "b".
        let pins = #"["ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs=", "PiPoFgA5WUoziU9lZOGxNIu9egCI1CxKy3PurtWcAJ0="]"#
        let keys = String(repeating: ",\n\"x\": 0", count: Self.mistakes + 1)
        try folder.write(#"{ "version": 1, "hosts": { "a.example": \#(pins) }\#(keys) }"#, to: "pins.json")
    }

    private func lint(_ format: String, _ options: String...) throws -> PinctlRun {
        let run = try PinctlRun.inProcess(
            ["lint", "pins.json", "--format", format] + options, folder: folder.url)
        #expect(run.status == 1, "\(format)")
        #expect(run.errors.contains("(12000 errors, 1 warning)"), "\(format): \(run.errors)")
        return run
    }

    /// The number that Docs/lint.md names.
    private static func documentedLimit() throws -> Int {
        let text = try String(contentsOf: Repository.url.appending(path: "Docs/lint.md"), encoding: .utf8)
        let match = try #require(text.firstMatch(of: /at most ([0-9,]+) findings/))
        return try #require(Int(match.1.filter { $0 != "," }))
    }

    private static let sentence = "2000 more errors have this code"

    @Test func text() throws {
        defer { folder.remove() }
        let limit = try Self.documentedLimit()
        #expect(limit == 10_000)
        let lines = try lint("text").text.split(separator: "\n").filter { $0.hasSuffix("[duplicate-key]") }
        #expect(lines.count == limit + 1)
        #expect(lines.last?.hasPrefix("pins.json: error: \(Self.sentence); ") == true, "\(lines.last ?? "")")
    }

    @Test func json() throws {
        defer { folder.remove() }
        let document = try JSONSerialization.jsonObject(with: Data(try lint("json").output)) as? [String: Any]
        let findings = try #require(document?["findings"] as? [[String: Any]])
        #expect(findings.count { $0["code"] as? String == "unknown-key" } == 1)
        let found = findings.filter { $0["code"] as? String == "duplicate-key" }
        #expect(try found.count == Self.documentedLimit() + 1)
        let last = try #require(findings.last)
        #expect((last["message"] as? String)?.hasPrefix(Self.sentence) == true, "\(last)")
        #expect(last["severity"] as? String == "error" && last["line"] is NSNull && last["host"] is NSNull, "\(last)")
    }

    @Test func ndjson() throws {
        defer { folder.remove() }
        let lines = try lint("ndjson").text.split(separator: "\n")
        // The findings that are shown, the sentence, and the unknown key.
        #expect(try lines.count == Self.documentedLimit() + 2)
        #expect(lines.last?.contains(Self.sentence) == true)
    }

    @Test func junit() throws {
        defer { folder.remove() }
        let run = try lint("junit")
        #expect(try PublicSchema.errors(inJUnit: run.output) == "")
        #expect(run.text.contains("(and \(Self.mistakes - 1) more)\""))
        #expect(run.text.contains(Self.sentence))
    }

    @Test func sarif() throws {
        defer { folder.remove() }
        let run = try lint("sarif")
        #expect(try PublicSchema.errors(inSARIF: run.output) == "")
        #expect(run.text.contains(Self.sentence))
    }

    @Test func github() throws {
        defer { folder.remove() }
        let lines = try lint("github").text.split(separator: "\n")
        #expect(try lines.count == Self.documentedLimit() + 2)
        let start = "::error file=pins.json,title=pinctl lint%3A duplicate-key::\(Self.sentence)"
        #expect(lines.last?.hasPrefix(start) == true, "\(lines.last ?? "")")
    }

    @Test func prometheus() throws {
        defer { folder.remove() }
        let samples = try PublicSchema.samples(inPrometheus: lint("prometheus").output)
        let findings = samples.filter { $0.contains("'duplicate-key'") }
        #expect(findings.count == 1 && findings.first?.hasSuffix(" \(Self.mistakes)") == true, "\(findings)")
    }

    /// The page has at most 1,000 findings of each severity (Docs/report.md), and names the number of those that the JSON output has.
    @Test func html() throws {
        defer { folder.remove() }
        _ = try lint("text", "--html", "page.html")
        let page = try folder.text("page.html")
        #expect(page.contains("Errors (\(Self.mistakes))"))
        #expect(page.contains("11000 more: the command's JSON output has 9000 of them."))
    }
}
