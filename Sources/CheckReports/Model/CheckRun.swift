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
