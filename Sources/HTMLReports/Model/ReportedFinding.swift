/// A finding in a file.
package struct ReportedFinding: Sendable {
    /// The kinds of findings, the most severe first.
    package enum Severity: Int, CaseIterable, Sendable {
        case error, warning, note

        var tone: Tone {
            switch self {
            case .error: .bad
            case .warning: .careful
            case .note: .neutral
            }
        }

        var title: String {
            switch self {
            case .error: "Errors"
            case .warning: "Warnings"
            case .note: "Notes"
            }
        }
    }

    package let severity: Severity
    package let code: String
    /// The file, with the line and column if they are known.
    package let location: String
    /// A sentence in lower case, without a full stop.
    package let message: String
    package let nextStep: String?

    package init(severity: Severity, code: String, location: String, message: String, nextStep: String?) {
        (self.severity, self.code, self.location) = (severity, code, location)
        (self.message, self.nextStep) = (message, nextStep)
    }
}
