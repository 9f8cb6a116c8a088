internal import Encodings
package import PinSetMaintenance
package import Pinning

/// The result of a command that checks something.
///
/// `verify`, `lint`, `refresh` and `sync` each convert their results to a check run. JUnit, SARIF, GitHub annotations and
/// Prometheus metrics are views of it.
package struct CheckRun {
    /// Name of the subcommand, such as `verify`.
    package let command: String
    /// Time of the run.
    package let time: Timestamp
    /// One case for each checked thing, in input order.
    package let cases: [CheckCase]
    /// Summary of the run in one line.
    package let summary: String
    /// Descriptions of the finding codes. A code that is not listed is its own description.
    package var rules: [CheckRule] = []

    package init(command: String, time: Timestamp, cases: [CheckCase], summary: String, rules: [CheckRule] = []) {
        self.command = command
        self.time = time
        self.cases = cases
        self.summary = summary
        self.rules = rules
    }

    /// Number of days before expiry at which a host's pins cause a warning.
    package static let expiryWarningDays: Int64 = 30
}

/// One checked thing: a host, a pin set, or a copy of a pin set.
package struct CheckCase {
    /// Display name, such as `api.example.com` or `app/Info.plist`.
    package let name: String
    /// Problems and remarks; empty if there are none.
    package let findings: [CheckFinding]
    /// Measured values.
    package var measurements: [CheckMeasurement] = []
    /// Labels of the case's metrics in addition to its name.
    package var labels: [(name: String, value: String)] = []

    package init(
        name: String, findings: [CheckFinding], measurements: [CheckMeasurement] = [],
        labels: [(name: String, value: String)] = []
    ) {
        self.name = name
        self.findings = findings
        self.measurements = measurements
        self.labels = labels
    }

    /// Whether no finding makes the command fail.
    package var passes: Bool { !findings.contains { $0.severity == .error } }
}

/// A problem or a remark.
package struct CheckFinding {
    package typealias Severity = LintFinding.Severity

    /// Code in kebab case; part of the interface.
    package let code: String
    package let severity: Severity
    package var host: String?
    package var pin: Pin?
    /// One sentence in lower case, without a full stop.
    package let message: String
    /// A short form of the message, such as `root changed: X → Y`, if the message has lists.
    package var title: String?
    /// Next step, if there is one.
    package var hint: String?
    /// Path of the file that the finding is about, as given; nil if it is about a server only.
    package var file: String?
    /// Line in the file, from 1.
    package var line: Int?
    /// Whether pinctl could not make the check, so that the result is unknown.
    package var isInconclusive = false

    package init(
        code: String, severity: Severity, host: String? = nil, pin: Pin? = nil, message: String, hint: String? = nil,
        file: String? = nil, line: Int? = nil, isInconclusive: Bool = false
    ) {
        self.code = code
        self.severity = severity
        // A copy or a set can have a URL with a user and a password in place of a host.
        self.host = host?.withoutUserInfo
        self.pin = pin
        self.message = message.withoutUserInfoInURLs
        self.hint = hint?.withoutUserInfoInURLs
        self.file = file
        self.line = line
        self.isInconclusive = isInconclusive
    }
}

/// The description of a finding code.
package struct CheckRule {
    package let code: String
    /// One sentence in lower case, without a full stop.
    package let summary: String

    package init(code: String, summary: String) {
        self.code = code
        self.summary = summary
    }
}

/// A measured value for monitoring.
package struct CheckMeasurement {
    /// Metric name without the prefix `pinctl_`: snake case with the unit at the end, as Prometheus recommends.
    package let name: String
    /// One sentence without a full stop.
    package let help: String
    /// Labels that distinguish measurements with the same name in one case.
    package var labels: [(name: String, value: String)] = []
    package let value: Int64

    package init(name: String, help: String, labels: [(name: String, value: String)] = [], value: Int64) {
        self.name = name
        self.help = help
        self.labels = labels
        self.value = value
    }
}
