internal import Arguments
internal import Pinning

/// What continuous integration is told of a copy.
extension SyncedCopy {
    /// Of a copy that could not be compared or written.
    static let failureCode = "copy-failed"
    /// Of what a format cannot say.
    static let noteCode = "format-loss"

    static let rules =
        CopyDifference.Code.allCases.map { CheckRule(code: $0.rawValue, summary: $0.summary) } + [
            CheckRule(code: failureCode, summary: "a copy could not be compared or written"),
            CheckRule(code: noteCode, summary: "the format of a copy cannot say all of the set"),
        ]

    /// Its path, and its format where the file holds two.
    private func name(by plan: SyncPlan) -> String {
        let isAlone = plan.manifest.copies.count { plan.path($0.file) == path } == 1
        return isAlone ? path : path + (format.map { " (\($0.rawValue))" } ?? "")
    }

    /// What mends what pinctl will not.
    private func step(after failure: Failure) -> String {
        failure.hint ?? "mend the file by hand: it is left as it is"
    }

    func checkCase(by plan: SyncPlan) -> CheckCase {
        var findings: [CheckFinding] = []
        if status == .failed, let failure {
            findings.append(
                CheckFinding(
                    code: Self.failureCode, severity: .error, message: failure.message, hint: step(after: failure),
                    file: path, line: failure.line))
        }
        for difference in differences {
            findings.append(
                CheckFinding(
                    code: difference.code.rawValue, severity: status == .written ? .note : .error,
                    host: difference.host, pin: difference.pin,
                    message: (difference.host.map { "\($0.quoted): " } ?? "") + difference.message,
                    hint: failure.map(step) ?? (status == .different ? plan.nextStep : nil), file: path,
                    line: difference.line))
        }
        for note in notes {
            findings.append(
                CheckFinding(
                    code: Self.noteCode, severity: .note, host: note.host,
                    message: note.sentence, file: path))
        }
        return CheckCase(name: name(by: plan), findings: findings)
    }
}

extension SyncPlan {
    /// What mends a copy that differs.
    fileprivate var nextStep: String { "run \"pinctl sync --write \(manifestPath)\" and commit what it changes" }
}
