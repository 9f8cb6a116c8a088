internal import PinSetMaintenance
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
    /// Whether results are missing.
    package let isIncomplete: Bool

    /// - Parameters:
    ///   - gaps: Why results are missing, as clauses. Each is a finding of an additional case, because a document without the
    ///     missing cases would look like that of a run in which all cases pass.
    ///   - file: The file that the additional case is about.
    package init(
        command: String, time: Timestamp, cases: [CheckCase], summary: String, rules: [CheckRule] = [],
        gaps: [String] = [], in file: String? = nil
    ) {
        self.command = command
        self.time = time
        self.summary = Self.summary(summary, gaps: gaps)
        isIncomplete = !gaps.isEmpty
        guard isIncomplete else {
            (self.cases, self.rules) = (cases, rules)
            return
        }
        let findings = gaps.map {
            CheckFinding(code: Self.incomplete.code, severity: .error, message: $0, file: file, isInconclusive: true)
        }
        self.cases = cases + [CheckCase(name: Self.nameOfGap, findings: findings)]
        self.rules = rules + [Self.incomplete]
    }

    /// A summary in one line, followed by the reasons why results are missing.
    package static func summary(_ text: String, gaps: [String]) -> String {
        ([text] + gaps.map { "not complete: \($0)" }).joined(separator: "; ")
    }

    /// The name of the case for missing results.
    private static let nameOfGap = "(run)"
    private static let incomplete = CheckRule(code: "incomplete", summary: "results of the run are missing")

    /// Pins and certificates that expire in fewer days cause a warning.
    package static let expiryWarningDays: Int64 = 30
}
