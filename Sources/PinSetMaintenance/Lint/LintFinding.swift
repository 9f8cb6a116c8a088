/// A mistake or a risk in a pin set.
public struct LintFinding: Hashable, Sendable {
    public enum Severity: String, Hashable, Sendable, CaseIterable {
        /// The set does not work, or does not work as intended.
        case error
        /// The set works today, but has a risk.
        case warning
        /// Information only.
        case note
    }

    /// A next step whose words depend on the program that shows the finding, for example on its options.
    package enum Action: Hashable, Sendable {
        /// Compare the pins with the chain.
        case compareWithChain
        /// Add the pin of another CA to the host of the finding.
        case addAuthority
    }

    public let code: LintCode
    public let severity: Severity
    /// The host as written in the file, without a user and a password. Nil for a finding about the whole file.
    public let host: String?
    /// The pin in base64, or the invalid text in its place.
    public let pin: String?
    /// The mistake and its consequence: one sentence in lower case without a full stop.
    public let message: String
    /// The next step, if there is one.
    public let hint: String?
    /// The next step of a finding without a hint.
    package let action: Action?
    /// Line and column, both from 1; columns count Unicode scalars. Nil if the position is unknown.
    public let line: Int?
    public let column: Int?
    /// Number of further findings with this code and severity that ``Linter`` left out, if the finding is the sentence about them; 0 for
    /// any other finding.
    package var omitted = 0

    /// Number of findings that this one counts as.
    package var count: Int { max(1, omitted) }
}

extension LintFinding: CustomStringConvertible {
    public var description: String {
        (line.map { "\($0): " } ?? "") + "\(severity.rawValue): \(message) [\(code.rawValue)]"
    }
}
