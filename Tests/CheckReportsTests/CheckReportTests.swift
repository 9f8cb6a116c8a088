import Foundation
import Pinning
import TestSupport
import Testing

@testable import CheckReports
@testable import PinSetMaintenance

/// The documents for continuous integration, validated with public schemas and parsers of other projects.
@Suite(.blocking) struct CheckReportTests {
    /// Characters that each format must escape.
    private static let nasty =
        "50% \"of\" <all> & 'more',: \\ \u{1}\u{1B}[31m\r\n\t\u{FFFE}]]> é 😀"
        + " \u{7F}\u{9B}2J\u{202E}\u{200B}\u{FEFF}\u{E0041}\n::error::x ##[error]y ##vso[task.x]z"

    private static func run(_ cases: [CheckCase], rules: [CheckRule] = []) throws -> CheckRun {
        let time = try #require(Timestamp(rfc3339: "2026-11-21T02:00:00Z"))
        return CheckRun(
            command: "verify", time: time, cases: cases, summary: "1 of 2 hosts fails: \(nasty)", rules: rules)
    }

    private static func full() throws -> CheckRun {
        try run(
            [
                CheckCase(name: "good.example.com", findings: []),
                CheckCase(
                    name: "bad.example.com",
                    findings: [
                        CheckFinding(
                            code: "mismatch", severity: .error, host: "bad.example.com",
                            pin: try Pin(spelling: "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="),
                            message: "no pin matches", hint: "renew them", file: "./my pins/a%b#c.json", line: 12
                        ),
                        CheckFinding(code: "expires-soon", severity: .warning, message: "soon", file: "/etc/pins.json"),
                        CheckFinding(code: "mismatch", severity: .error, message: "another", file: "a:b.json", line: 3),
                    ],
                    measurements: [
                        CheckMeasurement(name: "pins_expiry_timestamp_seconds", help: "End", value: 1_796_083_200)
                    ]
                ),
                CheckCase(
                    name: nasty,
                    findings: [
                        CheckFinding(code: "note", severity: .note, message: nasty, hint: nasty, file: nasty, line: 1)
                    ],
                    measurements: [CheckMeasurement(name: "a_seconds", help: nasty, labels: [("b", nasty)], value: -1)]
                ),
                CheckCase(
                    name: "gone.example.com",
                    findings: [
                        CheckFinding(
                            code: "unreachable", severity: .error, message: "refused", file: "-", isInconclusive: true)
                    ]
                ),
            ],
            rules: [CheckRule(code: "mismatch", summary: "no pin is in the chain")]
        )
    }

    /// The documents contain no characters that a terminal or the runner of a CI service interprets.
    @Test(arguments: CheckDocument.allCases) func escapesTextThatATerminalOrRunnerInterprets(
        document: CheckDocument
    ) throws {
        let text = String(decoding: CheckReport.write(try Self.full(), as: document, version: "1.2.3"), as: UTF8.self)
        #expect(text.contains("2J"))
        for scalar in text.unicodeScalars where scalar != "\n" && scalar != "\t" {
            let category = scalar.properties.generalCategory
            #expect(category != .control && category != .format, "U+\(String(scalar.value, radix: 16))")
        }
        #expect(!text.contains("##[") && !text.contains("##vso["))
        let commands = text.split(separator: "\n").filter { $0.drop(while: \.isWhitespace).hasPrefix("::") }
        if document == .github {
            #expect(commands.allSatisfy { $0.contains("title=pinctl verify%3A") })
        } else {
            #expect(commands.isEmpty)
        }
    }

    // MARK: SARIF

    @Test func sarifIsValid() throws {
        #expect(try PublicSchema.errors(inSARIF: CheckReport.write(Self.full(), as: .sarif, version: "1.2.3")) == "")
        #expect(try PublicSchema.errors(inSARIF: CheckReport.write(Self.run([]), as: .sarif, version: "1.2.3")) == "")
    }

    /// Shows that the test above can fail.
    @Test func sarifSchemaRejectsInvalidDocuments() throws {
        let text = String(decoding: CheckReport.write(try Self.full(), as: .sarif, version: "1.2.3"), as: UTF8.self)
        for (good, bad) in [
            ("\"level\": \"error\"", "\"level\": \"fatal\""), ("\"startLine\": 12", "\"startLine\": 0"),
        ] {
            #expect(text.contains(good))
            #expect(try PublicSchema.errors(inSARIF: Array(text.replacing(good, with: bad).utf8)) != "")
        }
    }

    private struct Log: Decodable {
        struct Run: Decodable {
            struct Tool: Decodable { let driver: Driver }
            struct Driver: Decodable { let rules: [Rule] }
            struct Text: Decodable { let text: String }
            struct Rule: Decodable {
                let id: String
                let shortDescription: Text
            }
            struct Location: Decodable {
                struct Physical: Decodable {
                    struct Artifact: Decodable { let uri: String }
                    struct Region: Decodable { let startLine: Int }
                    let artifactLocation: Artifact
                    let region: Region?
                }
                let physicalLocation: Physical?
            }
            struct Result: Decodable {
                let ruleId: String
                let ruleIndex: Int
                let level: String
                let message: Text
                let locations: [Location]
                let partialFingerprints: [String: String]
            }
            let tool: Tool
            let results: [Result]
        }
        let runs: [Run]
    }

    /// RFC 3986, section 4.2: only a path that begins with a slash is absolute. In a path of POSIX, "./" and repeated slashes are nothing.
    @Test(arguments: [
        (".//p.json", "p.json"), ("././/./p.json", "p.json"), (".///a//p.json", "a//p.json"), (".//a:b", "./a:b"),
        ("/.//p.json", "file:///.//p.json"), ("../p.json", "../p.json"), ("./", "./"), (".//", ".//"),
    ]) func relativePathsStayRelative(path: String, uri: String) {
        #expect(FileReference.uri(of: path) == uri)
    }

    @Test func sarifContainsEachFinding() throws {
        let document = CheckReport.write(try Self.full(), as: .sarif, version: "1.2.3")
        let run = try #require(try JSONDecoder().decode(Log.self, from: Data(document)).runs.first)
        #expect(run.results.map(\.ruleId) == ["mismatch", "expires-soon", "mismatch", "note", "unreachable"])
        #expect(run.results.map(\.level) == ["error", "warning", "error", "note", "error"])
        for result in run.results { #expect(run.tool.driver.rules[result.ruleIndex].id == result.ruleId) }
        #expect(run.tool.driver.rules.map(\.id) == ["mismatch", "expires-soon", "note", "unreachable"])
        #expect(run.tool.driver.rules[0].shortDescription.text == "No pin is in the chain.")
        #expect(run.results[0].message.text == "No pin matches.\nNext: renew them.")
        let places = run.results.map(\.locations[0].physicalLocation)
        // RFC 3986: relative, percent-encoded, and no colon in a first segment.
        #expect(places[0]?.artifactLocation.uri == "my%20pins/a%25b%23c.json")
        #expect(places[0]?.region?.startLine == 12)
        #expect(places[1]?.artifactLocation.uri == "file:///etc/pins.json")
        #expect(places[1]?.region == nil)
        #expect(places[2]?.artifactLocation.uri == "./a:b.json")
        #expect(places[4]?.artifactLocation.uri == "stdin")
        #expect(Set(run.results.map(\.partialFingerprints)).count == run.results.count)
    }

    /// A name of a certificate is no link and no placeholder (SARIF 2.1.0, sections 3.11.5 and 3.11.6).
    @Test(arguments: [
        ("[fix](https://evil.example/{0})", #"\[fix\](https://evil.example/{{0}})."#), ("[::1]:443", "[::1]:443."),
        (#"\[a](b)"#, #"\\\[a\](b)."#), ("{a}", "{{a}}."),
    ]) func sarifContainsNoLink(text: String, expected: String) throws {
        let finding = CheckFinding(code: "c", severity: .error, message: text, hint: text, file: "-")
        let run = try Self.run([CheckCase(name: "a", findings: [finding])])
        let log = try JSONDecoder().decode(Log.self, from: Data(CheckReport.write(run, as: .sarif, version: "1.2.3")))
        #expect(log.runs[0].results[0].message.text == "\(expected)\nNext: \(expected)")
        // GitHub refuses a document with a location without a file.
        #expect(log.runs[0].results[0].locations[0].physicalLocation?.artifactLocation.uri == "stdin")
    }

    /// The fingerprint of a finding stays the same if a line is inserted above it.
    @Test func fingerprintDoesNotDependOnTheLine() throws {
        func fingerprints(line: Int) throws -> [[String: String]] {
            let finding = CheckFinding(code: "c", severity: .error, message: "m", file: "f", line: line)
            let run = try Self.run([CheckCase(name: "a", findings: [finding, finding])])
            let log = try JSONDecoder().decode(
                Log.self, from: Data(CheckReport.write(run, as: .sarif, version: "1.2.3")))
            return log.runs[0].results.map(\.partialFingerprints)
        }
        #expect(try fingerprints(line: 1) == fingerprints(line: 2))
        #expect(try Set(fingerprints(line: 1)).count == 2)
    }

    // MARK: JUnit

    @Test func junitIsValid() throws {
        #expect(try PublicSchema.errors(inJUnit: CheckReport.write(Self.full(), as: .junit, version: "1.2.3")) == "")
        #expect(try PublicSchema.errors(inJUnit: CheckReport.write(Self.run([]), as: .junit, version: "1.2.3")) == "")
    }

    @Test func junitSchemaRejectsInvalidDocuments() throws {
        let text = String(decoding: CheckReport.write(try Self.full(), as: .junit, version: "1.2.3"), as: UTF8.self)
        #expect(text.contains("<testcase name="))
        #expect(
            try PublicSchema.errors(inJUnit: Array(text.replacing("<testcase name=", with: "<testcase id=").utf8)) != ""
        )
    }

    /// Parses the document with Python's XML reader.
    @Test func junitContainsEachFinding() throws {
        let script = """
            import sys, xml.etree.ElementTree as tree
            root = tree.parse(sys.stdin.buffer).getroot()
            print(root.get("tests"), root.get("failures"), root.get("errors"), root[0].get("timestamp"))
            for case in root.iter("testcase"):
                print([(child.tag, child.get("type"), child.get("message")) for child in case])
            print(ascii(list(root.iter("testcase"))[2].get("name")))
            print(repr(list(root.iter("failure"))[0].text))
            """
        let document = CheckReport.write(try Self.full(), as: .junit, version: "1.2.3")
        let output = try ChildProcess.output(of: ["python3", "-c", script], input: document)
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "4 1 1 2026-11-21T02:00:00",
                "[]",
                "[('failure', 'mismatch', 'no pin matches (and 1 more)'), ('system-out', None, None)]",
                "[('system-out', None, None)]",
                "[('error', 'unreachable', 'refused')]",
                // The name is unchanged, except for three characters that XML 1.0 forbids.
                #"'50% "of" <all> & \'more\',: \\ \ufffd\ufffd[31m\r\n\t\ufffd]]> \xe9 \U0001f600 \x7f\x9b2J\u202e\u200b\ufeff\U000e0041\n::error::x ##[error]y ##vso[task.x]z'"#,
                #"'./my pins/a%b#c.json:12: error: no pin matches [mismatch]\n  renew them\n"#
                    + #"a:b.json:3: error: another [mismatch]'"#,
            ])
    }

    // MARK: GitHub

    /// A workflow command as the runner parses it: its name, properties and message
    /// (`::name key=value,key=value::message`, then `%0D`, `%0A`, `%3A`, `%2C` and `%25` undone in this order).
    private struct Annotation: Equatable {
        var command = ""
        var properties: [String: String] = [:]
        var message = ""

        init?(line: Substring) {
            guard line.hasPrefix("::") else { return nil }
            let rest = line.dropFirst(2)
            guard let end = rest.firstRange(of: "::") else { return nil }
            let head = rest[..<end.lowerBound].split(separator: " ", maxSplits: 1)
            guard let command = head.first else { return nil }
            self.command = String(command)
            for property in head.dropFirst().first?.split(separator: ",") ?? [] {
                let pair = property.split(separator: "=", maxSplits: 1)
                guard pair.count == 2 else { return nil }
                properties[String(pair[0])] = Self.plain(String(pair[1]))
            }
            message = Self.plain(String(rest[end.upperBound...]))
        }

        private static func plain(_ text: String) -> String {
            [("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")]
                .reduce(text) { $0.replacing($1.0, with: $1.1) }
        }
    }

    @Test func githubParsesTheAnnotations() throws {
        let text = String(decoding: CheckReport.write(try Self.full(), as: .github, version: "1.2.3"), as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let annotations = lines.compactMap { Annotation(line: $0) }
        // Each line is one command.
        #expect(lines.count == annotations.count + 1)
        #expect(lines.last == "")
        #expect(annotations.map(\.command) == ["error", "warning", "error", "notice", "error"])
        #expect(
            annotations[0].properties
                == ["file": "./my pins/a%b#c.json", "line": "12", "title": "pinctl verify: mismatch"])
        #expect(annotations[0].message == "bad.example.com: no pin matches\nrenew them")
        // Text that the runner would interpret is escaped.
        #expect(
            annotations[3].properties["file"]?.hasPrefix(#"50% "of" <all> & 'more',: \ \u{1}\u{1B}[31m\r\n\t"#) == true)
        #expect(
            annotations[3].properties["file"]?.hasSuffix(#"\n::error::x #\u{23}[error]y #\u{23}vso[task.x]z"#) == true)
        #expect(annotations[4].properties == ["title": "pinctl verify: unreachable"])
    }

    // MARK: Prometheus

    @Test func prometheusParsesTheMetrics() throws {
        let samples = try PublicSchema.samples(
            inPrometheus: CheckReport.write(Self.full(), as: .prometheus, version: "1.2.3"))
        let good = "[('command', 'verify'), ('name', 'good.example.com')]"
        let bad = "('command', 'verify'), ('name', 'bad.example.com')"
        #expect(samples.contains("pinctl_check_success \(good) 1"))
        #expect(samples.contains("pinctl_check_success [\(bad)] 0"))
        #expect(samples.contains("pinctl_check_findings [('code', 'mismatch'), \(bad), ('severity', 'error')] 2"))
        #expect(samples.contains("pinctl_pins_expiry_timestamp_seconds [\(bad)] 1796083200"))
        // date -u -d 2026-11-21T02:00:00Z +%s
        #expect(samples.last == "pinctl_check_timestamp_seconds [('command', 'verify')] 1795226400")
    }

    /// The parser returns each label value unchanged.
    @Test func prometheusKeepsLabels() throws {
        let text = "a\\b\"c\nd\\n,{}=é"
        let run = try Self.run([CheckCase(name: text, findings: [])])
        let samples = try PublicSchema.samples(inPrometheus: CheckReport.write(run, as: .prometheus, version: "1.2.3"))
        #expect(samples.first == #"pinctl_check_success [('command', 'verify'), ('name', 'a\\b"c\nd\\n,{}=é')] 1"#)
    }

    /// Prometheus rejects a scrape that contains a series twice.
    @Test func eachPrometheusSeriesOccursOnce() throws {
        let bad = CheckFinding(code: "c", severity: .error, message: "m")
        let times = [5, 3].map { CheckMeasurement(name: "end_seconds", help: "End", value: $0) }
        let run = try Self.run([
            CheckCase(name: "a", findings: [], measurements: [times[0]]),
            CheckCase(name: "a", findings: [bad], measurements: [times[1]]),
        ])
        let samples = try PublicSchema.samples(inPrometheus: CheckReport.write(run, as: .prometheus, version: "1.2.3"))
        let name = "[('command', 'verify'), ('name', 'a')]"
        #expect(samples.prefix(1) == ["pinctl_check_success \(name) 0"])
        #expect(samples.contains("pinctl_end_seconds \(name) 3"))
        #expect(samples.count == 4)
    }
}
