internal import Arguments
internal import Pinning

/// A document for continuous integration, given as a whole when every host is done.
final class VerifyCheckReport: HostReport {
    private let plan: VerifyPlan
    private let document: CheckDocument
    /// By the host's place in the input.
    private var cases: [Int: CheckCase] = [:]

    init(_ plan: VerifyPlan, as document: CheckDocument) { (self.plan, self.document) = (plan, document) }

    var end: String {
        let ordered = cases.sorted { $0.key < $1.key }.map(\.value)
        let run = CheckRun(
            command: VerifyCommand.command.name, time: plan.now, cases: ordered,
            summary: ClosingLine(VerifyTally.words, of: ordered).text,
            rules: Verification.rules
        )
        return String(decoding: CheckReport.write(run, as: document), as: UTF8.self)
    }

    func piece(for verification: Verification) throws(CommandError) -> HostPiece {
        cases[verification.check.index] = verification.checkCase(by: plan)
        return HostPiece(status: verification.status)
    }
}
