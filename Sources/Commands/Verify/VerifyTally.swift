internal import Arguments
internal import Pinning

/// A report that counts what passes through it for the line that ends the run, whatever the format.
final class VerifyTally: HostReport {
    private let plan: VerifyPlan
    private let report: any HostReport<Verification>
    private var closing = ClosingLine(words)

    static let words = ClosingLine.Words(many: "hosts", pass: "match", passes: "matches")

    init(_ plan: VerifyPlan, _ report: any HostReport<Verification>) { (self.plan, self.report) = (plan, report) }

    var isStreamed: Bool { report.isStreamed }
    var start: String { report.start }
    var separator: String { report.separator }
    var end: String { report.end }

    func piece(for verification: Verification) throws(CommandError) -> HostPiece {
        let step = !plan.hasSeveral ? VerifyAdvice(plan).step(after: verification) : nil
        closing.add(
            plan.name(of: verification.check), at: verification.check.index, failing: verification.shortcoming,
            warnings: verification.isOnlyReported ? 1 : 0,
            next: verification.shortcoming == nil
                ? nil : (verification.rank, step ?? VerifyAdvice(plan).generalStep(after: verification))
        )
        return try report.piece(for: verification)
    }

    /// For standard error; empty where there is nothing to add.
    ///
    /// Programs that read a document have their answer in it: only people are told that all is well.
    var closingLine: String {
        guard closing.fails || (plan.format == .text && !closing.isQuiet) else { return "" }
        return Message.closing(closing.text)
    }
}

extension Verification {
    /// Why the host makes the run fail, in a word; nil where it does not.
    fileprivate var shortcoming: String? {
        switch verdict {
        case .mismatch where isOnlyReported, .match: platforms.contains(where: \.isFailure) ? "a platform rejects" : nil
        default: verdict.rawValue
        }
    }

    /// What matters most has the lowest: pins that do not match may be an attack.
    fileprivate var rank: Int { Verdict.allCases.firstIndex(of: verdict) ?? 0 }
}
