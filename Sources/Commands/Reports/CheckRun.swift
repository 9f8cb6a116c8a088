internal import Encodings
internal import PinSetMaintenance
internal import Pinning

/// The result of a command that checks something.
///
/// `verify`, `lint`, `refresh` and `sync` each convert their results to a check run. JUnit, SARIF, GitHub annotations and
/// Prometheus metrics are views of it.
struct CheckRun {
    /// Name of the subcommand, such as `verify`.
    let command: String
    /// Time of the run.
    let time: Timestamp
    /// One case for each checked thing, in input order.
    let cases: [CheckCase]
    /// Summary of the run in one line.
    let summary: String
    /// Descriptions of the finding codes. A code that is not listed is its own description.
    var rules: [CheckRule] = []

    /// Number of days before expiry at which a host's pins cause a warning.
    static let expiryWarningDays: Int64 = 30
}

/// One checked thing: a host, a pin set, or a copy of a pin set.
struct CheckCase {
    /// Display name, such as `api.example.com` or `app/Info.plist`.
    let name: String
    /// Problems and remarks; empty if there are none.
    let findings: [CheckFinding]
    /// Measured values.
    var measurements: [CheckMeasurement] = []

    /// Whether no finding makes the command fail.
    var passes: Bool { !findings.contains { $0.severity == .error } }
}

/// One problem or remark.
struct CheckFinding {
    typealias Severity = LintFinding.Severity

    /// Code in kebab case; part of the interface.
    let code: String
    let severity: Severity
    var host: String?
    var pin: Pin?
    /// One sentence in lower case, without a full stop.
    let message: String
    /// Next step, if there is one.
    var hint: String?
    /// Path of the file that the finding is about, as given; nil if it is about a server only.
    var file: String?
    /// Line in the file, from 1.
    var line: Int?
    /// Whether the check could not be made, so that the result is unknown.
    var isInconclusive = false
}

/// The description of a finding code.
struct CheckRule {
    let code: String
    /// One sentence in lower case, without a full stop.
    let summary: String
}

/// A measured value for monitoring.
struct CheckMeasurement {
    /// Metric name without the prefix `pinctl_`: snake case with the unit at the end, as Prometheus recommends.
    let name: String
    /// One sentence without a full stop.
    let help: String
    /// Labels that distinguish measurements of one name in one case.
    var labels: [(name: String, value: String)] = []
    let value: Int64
}
