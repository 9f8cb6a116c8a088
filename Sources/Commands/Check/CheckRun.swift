internal import Pinning

/// What a command that checks something found out, in the form in which continuous integration takes it.
///
/// `verify`, `lint`, `refresh` and `sync` each make one of their own results; JUnit, SARIF, GitHub's annotations and Prometheus's
/// metrics are views of it.
struct CheckRun {
    /// The subcommand: `verify`.
    let command: String
    /// The moment of the run.
    let time: Timestamp
    /// What was checked, in the order of the input.
    let cases: [CheckCase]
    /// The one line that says what it all comes to.
    let summary: String
    /// What the codes of the findings mean. A code that is not here stands for itself.
    var rules: [CheckRule] = []

    /// From so many days before the end of its pins a host is warned about.
    static let daysOfWarning: Int64 = 30
}

/// One thing that was checked: a host, a pin set, a copy of one.
struct CheckCase {
    /// How a person knows it: `api.example.com`, `app/Info.plist`.
    let name: String
    /// What is wrong with it; empty where it passed.
    let findings: [CheckFinding]
    /// What was measured on the way.
    var measurements: [CheckMeasurement] = []

    /// Whether nothing is wrong that makes the command fail.
    var passes: Bool { !findings.contains { $0.severity == .error } }
}

/// One thing that is wrong, or that someone should know.
struct CheckFinding {
    enum Severity: String, CaseIterable, Sendable {
        case error, warning, note
    }

    /// In kebab case; part of the interface.
    let code: String
    let severity: Severity
    var host: String?
    var pin: Pin?
    /// One sentence in lower case, without its full stop.
    let message: String
    /// The next step, where there is one.
    var hint: String?
    /// The file that it is about, as it was given; nil where it is about a server alone.
    var file: String?
    /// Where in the file, from 1.
    var line: Int?
    /// Whether the check could not be made, so that nothing is known to be wrong with what was to be checked.
    var isInconclusive = false
}

/// What a code of findings means, whatever it is found in.
struct CheckRule {
    let code: String
    /// One sentence in lower case, without its full stop.
    let summary: String
}

/// A figure that is worth watching.
struct CheckMeasurement {
    /// In snake case with its unit at the end, as Prometheus names metrics, without `pinctl_`.
    let name: String
    /// One sentence without its full stop.
    let help: String
    /// What tells it from others of its name in the same case.
    var labels: [(name: String, value: String)] = []
    let value: Int64
}
