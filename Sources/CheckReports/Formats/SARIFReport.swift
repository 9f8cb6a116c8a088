internal import Encodings
internal import PinSetMaintenance
internal import Pinning

/// Static analysis results in OASIS SARIF 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0/), the input format of GitHub code
/// scanning.
package enum SARIFReport {
    package static func bytes(of run: CheckRun, version: String) -> [UInt8] {
        let rules = Self.rules(of: run)
        var writer = JSONWriter(.pretty)
        writer.object { document in
            document.field("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
            document.field("version", "2.1.0")
            document.array("runs") { runs in
                runs.object { object in
                    object.object("tool") { $0.object("driver") { describe(rules, version, to: &$0) } }
                    object.array("invocations") { array in
                        array.object { invocation in
                            // The property is true even if there are findings.
                            invocation.field("executionSuccessful", !run.isIncomplete)
                            invocation.field("endTimeUtc", run.time)
                        }
                    }
                    // pinctl's readers count columns in Unicode scalars.
                    object.field("columnKind", "unicodeCodePoints")
                    var results = Results(run, rules)
                    object.array("results") { results.write(to: &$0) }
                }
            }
        }
        writer.endLine()
        return writer.output
    }

    private static func describe(_ rules: [CheckRule], _ version: String, to object: inout JSONWriter) {
        object.field("name", "pinctl")
        object.field("semanticVersion", version)
        object.array("rules") { array in
            for rule in rules {
                array.object { item in
                    item.field("id", rule.code)
                    item.object("shortDescription") { $0.field("text", sentence(rule.summary)) }
                }
            }
        }
    }

    /// The rules of the findings, in the order of their first use.
    private static func rules(of run: CheckRun) -> [CheckRule] {
        var rules: [CheckRule] = []
        var known: Set<String> = []
        for finding in run.cases.flatMap(\.findings) where known.insert(finding.code).inserted {
            rules.append(
                run.rules.first { $0.code == finding.code } ?? CheckRule(code: finding.code, summary: finding.code))
        }
        return rules
    }

    /// A text in which no part is a placeholder or a link of SARIF (sections 3.11.5 and 3.11.6).
    ///
    /// Brackets have a backslash only if the text can contain a link, because some viewers show it.
    fileprivate static func literal(_ text: String) -> String {
        let text = text.escaped
        let hasLink = text.has("](")
        var output = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "{", "}": output.append(scalar)
            case "[", "]", "\\": if hasLink { output.append("\\") }
            default: break
            }
            output.append(scalar)
        }
        return String(output)
    }

    /// A SARIF message is a sentence with a full stop (section 3.11.1).
    fileprivate static func sentence(_ text: String) -> String {
        let text = literal(text)
        guard let first = text.first, first.isLowercase else { return text + "." }
        return first.uppercased() + text.dropFirst() + "."
    }
}

/// Writes the findings. Each one has a distinct fingerprint.
private struct Results {
    private let run: CheckRun
    private let ruleIndices: [String: Int]
    private var fingerprints: [String: Int] = [:]

    init(_ run: CheckRun, _ rules: [CheckRule]) {
        self.run = run
        ruleIndices = Dictionary(rules.enumerated().map { ($1.code, $0) }) { first, _ in first }
    }

    mutating func write(to array: inout JSONWriter) {
        for item in run.cases {
            for finding in item.findings {
                let fingerprint = fingerprint(of: finding, on: item)
                array.object { write(finding, on: item, fingerprint, to: &$0) }
            }
        }
    }

    private func write(_ finding: CheckFinding, on item: CheckCase, _ fingerprint: String, to object: inout JSONWriter)
    {
        object.field("ruleId", finding.code)
        object.field("ruleIndex", ruleIndices[finding.code])
        object.field("level", finding.severity.rawValue)
        object.object("message") { message in
            let next = finding.hint.map { "\nNext: \(SARIFReport.literal($0))." } ?? ""
            // Viewers show the first line as the title.
            let title = finding.title.map { "\(SARIFReport.sentence($0))\n" } ?? ""
            message.field("text", title + SARIFReport.sentence(finding.message) + next)
        }
        object.array("locations") { locations in
            locations.object { location in
                if let file = finding.file {
                    location.object("physicalLocation") { physical in
                        // GitHub refuses a document with a location without a file.
                        let uri = file == "-" ? "stdin" : FileReference.uri(of: file)
                        physical.object("artifactLocation") { $0.field("uri", uri) }
                        if let line = finding.line { physical.object("region") { $0.field("startLine", line) } }
                    }
                }
                location.array("logicalLocations") { logical in
                    logical.object { $0.field("name", finding.host ?? item.name) }
                }
            }
        }
        object.object("partialFingerprints") { $0.field("pinctlFinding/v1", fingerprint) }
    }

    /// A fingerprint that does not change between runs when the finding moves to another line.
    private mutating func fingerprint(of finding: CheckFinding, on item: CheckCase) -> String {
        let parts = [run.command, finding.code, item.name, finding.host ?? "", finding.pin?.base64 ?? ""]
        let text = parts.joined(separator: " ")
        let count = fingerprints[text, default: 0] + 1
        fingerprints[text] = count
        return count == 1 ? text : "\(text) \(count)"
    }
}
