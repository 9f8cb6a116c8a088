internal import Arguments
internal import CheckReports
internal import CommandSupport
internal import Encodings
internal import PinSetCodec
internal import PinSetMaintenance
internal import Pinning

/// Writes the outcomes of a refresh in the chosen format.
struct RefreshReport {
    private let plan: RefreshPlan
    private let style: Style
    private let width: Int?
    private let names: AuthorityNames

    init(_ plan: RefreshPlan, style: Style, width: Int?) {
        self.plan = plan
        self.style = style
        self.width = width
        names = AuthorityNames(plan.trust.sources)
    }

    func summary(of outcomes: [RefreshOutcome]) -> RefreshSummary {
        RefreshSummary(outcomes, cases: outcomes.map(checkCase), plan)
    }

    /// One line of `ndjson`.
    func line(for outcome: RefreshOutcome) -> [UInt8] {
        JSONList.line { writer in writer.object { $0.fields(of: outcome, names) } }
    }

    /// The summary for a pull request.
    func markdown(of outcomes: [RefreshOutcome]) -> String {
        RefreshMarkdown(plan: plan, names: names).text(of: outcomes)
    }

    /// The whole report.
    func text(for outcomes: [RefreshOutcome], summary: RefreshSummary) -> [UInt8] {
        if let document = plan.format.document {
            let run = CheckRun(
                command: RefreshCommand.command.name, time: plan.rules.now, cases: outcomes.map(checkCase),
                summary: summary.text, rules: RefreshFinding.rules
            )
            return CheckReport.write(run, as: document, version: ToolVersion.current)
        }
        switch plan.format {
        case .json:
            var writer = JSONWriter(.pretty)
            writer.object { document in
                document.field("schema", "pinctl/refresh/1")
                document.array("results") { array in
                    for outcome in outcomes { array.object { $0.fields(of: outcome, names) } }
                }
                document.field("summary", summary.text)
            }
            writer.endLine()
            return writer.output
        case .ndjson: return outcomes.flatMap(line)
        default:
            let text = RefreshText(style: style, width: width, now: plan.rules.now, names: names)
            return Array(outcomes.map(text.block).joined(separator: "\n").utf8)
        }
    }

    private func checkCase(_ outcome: RefreshOutcome) -> CheckCase {
        CheckCase(
            name: outcome.name, findings: outcome.findings.map(\.checkFinding), measurements: measurements(outcome))
    }

    private func measurements(_ outcome: RefreshOutcome) -> [CheckMeasurement] {
        var measurements: [CheckMeasurement] = []
        if let expires = outcome.refresh.entry.expires {
            measurements.append(
                CheckMeasurement(
                    name: "pins_expiry_timestamp_seconds", help: "Expiry of the host's pins, in seconds since 1970",
                    value: expires.secondsSince1970))
        }
        for role in Role.allCases {
            let ends = outcome.refresh.chains.flatMap(\.entries).filter { $0.role == role }
                .compactMap(\.certificate.notAfter)
            guard let end = ends.min() else { continue }
            measurements.append(
                CheckMeasurement(
                    name: "certificate_expiry_timestamp_seconds",
                    help: "Expiry of the certificate, in seconds since 1970",
                    labels: [("role", role.rawValue)], value: end.secondsSince1970))
        }
        return measurements
    }
}
