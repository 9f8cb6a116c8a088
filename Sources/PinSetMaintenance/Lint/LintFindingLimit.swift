/// Limits the number of findings about a file, so that a small file with very many mistakes does not need much memory.
package struct LintFindingLimit {
    /// Maximum number of findings with the same code and severity.
    package static let maximum = 10_000

    private struct Kind: Hashable {
        let code: LintCode
        let severity: LintFinding.Severity
    }

    private var counts: [Kind: Int] = [:]
    /// The kinds with more findings than ``maximum``, in the order in which they exceeded it.
    private var exceeded: [Kind] = []

    package init() {}

    /// Whether a finding must be omitted.
    package func isReached(by finding: LintFinding) -> Bool {
        counts[Self.kind(of: finding), default: 0] >= Self.maximum
    }

    /// Counts a finding.
    package mutating func add(_ finding: LintFinding) {
        let kind = Self.kind(of: finding)
        let count = counts[kind, default: 0] + 1
        counts[kind] = count
        if count == Self.maximum + 1 { exceeded.append(kind) }
    }

    /// The sentences about the omitted findings: one for each code and severity. They have no host and no position.
    package var sentences: [LintFinding] {
        exceeded.map { kind in
            let omitted = (counts[kind] ?? 0) - Self.maximum
            return LintFinding(
                code: kind.code, severity: kind.severity, host: nil, pin: nil,
                message:
                    "\(omitted) more \(kind.severity.rawValue)\(omitted == 1 ? " has" : "s have") this code; lint shows at most \(Self.maximum) of them for each file",
                hint: "fix the findings that are shown and run lint again", action: nil, line: nil, column: nil,
                omitted: omitted)
        }
    }

    private static func kind(of finding: LintFinding) -> Kind { Kind(code: finding.code, severity: finding.severity) }
}
