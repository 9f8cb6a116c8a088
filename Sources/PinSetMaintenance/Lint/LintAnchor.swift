internal import Encodings

/// A file of certificates that a pin set names for a host.
public struct LintAnchor: Sendable {
    /// The host as ``LintInput/hosts`` has it; nil for what is no host.
    public let name: String?
    /// As written.
    let host: String
    /// As written: relative to the set's own folder.
    public let path: String
    let position: SourcePosition

    /// What to tell where it cannot be read.
    public func finding(_ message: String, hint: String?) -> LintFinding {
        LintFinding(
            code: .unreadableAnchor, severity: LintCode.unreadableAnchor.severity, host: host, pin: nil,
            message: message, hint: hint, line: position.line, column: position.column
        )
    }
}
