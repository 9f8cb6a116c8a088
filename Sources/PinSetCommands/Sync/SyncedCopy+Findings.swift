internal import CheckReports
internal import CommandSupport
internal import Encodings
internal import FileConflicts
internal import PinSetCodec
internal import PinSetMaintenance
internal import Pinning

/// Findings of a copy, for CI documents.
extension SyncedCopy {
    /// Codes of findings besides ``CopyDifference/Code``; part of the interface.
    private enum Code: String, CaseIterable {
        case failed = "copy-failed"
        case formatLoss = "format-loss"

        var summary: String {
            switch self {
            case .failed: "a copy could not be compared or written"
            case .formatLoss: "the format of a copy has no equivalent for a setting of the set"
            }
        }
    }

    static let rules =
        CopyDifference.Code.allCases.map { CheckRule(code: $0.rawValue, summary: $0.summary) }
        + Code.allCases.map { CheckRule(code: $0.rawValue, summary: $0.summary) }

    /// The path, followed by the format if the manifest lists the file twice.
    private func name(by plan: SyncPlan) -> String {
        plan.isListedTwice(path) ? shownPath + (format.map { " (\($0.rawValue))" } ?? "") : shownPath
    }

    /// The next step after a failure.
    private func step(after failure: Failure) -> String {
        failure.hint ?? failure.defaultStep
    }

    /// - Parameter withSteps: false to leave out the step after a failure, if an error message has it.
    func checkCase(by plan: SyncPlan, withSteps: Bool = true) -> CheckCase {
        var findings: [CheckFinding] = []
        if status == .failed, let failure {
            findings.append(
                CheckFinding(
                    code: Code.failed.rawValue, severity: .error, message: failure.message,
                    hint: withSteps || failure.hint == nil ? step(after: failure) : nil,
                    file: shownPath, line: failure.line))
        }
        // The code of the first finding stands for the copy, and a different label has no effect on connections.
        for difference in differences.filter({ $0.code != .note }) + differences.filter({ $0.code == .note }) {
            findings.append(
                CheckFinding(
                    code: difference.code.rawValue, severity: status == .written ? .note : .error,
                    host: difference.host, pin: difference.pin,
                    message: (difference.host.map { "\($0.quoted): " } ?? "") + difference.message,
                    hint: (withSteps ? failure.map(step) : nil) ?? (status == .different ? plan.nextStep : nil),
                    file: shownPath,
                    line: difference.line))
        }
        for group in ConversionWarningGroup.groups(of: notes) {
            findings.append(
                CheckFinding(
                    code: Code.formatLoss.rawValue, severity: group.harm <= .unpins ? .warning : .note,
                    host: group.hosts.count == 1 ? group.hosts[0] : nil, message: group.sentence,
                    hint: group.step(in: plan.editableSetPath), file: shownPath))
        }
        return CheckCase(name: name(by: plan), findings: findings)
    }
}

extension SyncPlan {
    /// The next step for a copy that differs.
    fileprivate var nextStep: String {
        "update the copies and commit the changes: \(ShellCommand.line(["pinctl", "sync", "--write", ShellCommand.path(manifestPath)]))"
    }
}
