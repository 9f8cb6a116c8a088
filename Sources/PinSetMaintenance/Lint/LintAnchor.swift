internal import Encodings

/// A file of trust anchors that a pin set names for a host.
public struct LintAnchor: Sendable {
    /// The host as in ``LintInput/hosts``. Nil for an invalid host.
    public let name: String?
    /// The host as written in the file.
    let host: String
    /// The path as written in the file, relative to the folder of the pin set.
    public let path: String
    let position: SourcePosition

    /// The finding for an anchor file that cannot be read.
    public func finding(_ message: String, hint: String?) -> LintFinding {
        LintFinding(
            code: .unreadableAnchor, severity: LintCode.unreadableAnchor.severity, host: host.withoutUserInfo, pin: nil,
            message: message, hint: hint, action: nil, line: position.line, column: position.column
        )
    }
}
