/// One thing that is wrong or risky in a pin set.
public struct LintFinding: Hashable, Sendable {
    public enum Severity: String, Hashable, Sendable, CaseIterable {
        /// It does not work, or not as it is meant to.
        case error
        /// It works today.
        case warning
        /// Nothing is wrong, and someone should know.
        case note
    }

    public let code: LintCode
    public let severity: Severity
    /// As the file writes it; nil for what is about the file as a whole.
    public let host: String?
    /// The pin in base64, or what stands in its place.
    public let pin: String?
    /// One sentence in lower case without its full stop: what is wrong, and why that matters.
    public let message: String
    /// The next step, where there is one.
    public let hint: String?
    /// Both count from 1; columns in Unicode scalars. Nil where there is no place.
    public let line: Int?
    public let column: Int?
}

extension LintFinding: CustomStringConvertible {
    public var description: String {
        (line.map { "\($0): " } ?? "") + "\(severity.rawValue): \(message) [\(code.rawValue)]"
    }
}
