internal import Arguments
internal import Fetching
internal import Pinning

/// The report that people read: a line for each host that matches, a block with the reasons for each that does not.
final class VerifyTextReport: HostReport {
    private let plan: VerifyPlan
    private let text: VerificationText
    private let platforms: PlatformText
    private let advice: VerifyAdvice

    /// - Parameter width: the columns that there are; nil for as many as it takes.
    init(_ plan: VerifyPlan, style: Style, width: Int?) {
        self.plan = plan
        let chains = ChainText(style: style, width: width, now: plan.now)
        text = VerificationText(plan, chains)
        platforms = PlatformText(chains)
        advice = VerifyAdvice(plan)
    }

    var separator: String { "\n" }

    func piece(for verification: Verification) throws(CommandError) -> HostPiece {
        var piece = HostPiece(status: verification.status)
        // The line that ends the run gives the next step after a host alone.
        let isAlone = !plan.hasSeveral && verification.status != .success
        if case .unreachable(let error) = verification.finding {
            piece.messages = Message.error(
                about: verification.check.target, error.message, hint: isAlone ? nil : error.hint)
            if let entry = verification.check.entry, let expires = entry.expires, entry.isExpired(at: plan.now) {
                piece.messages += Message.warning("the pins of \(entry.host.quoted) hold no more since \(expires.date)")
            }
        } else {
            piece.output = Array((text.report(on: verification) + platforms.table(of: verification)).utf8)
            piece.isLine = verification.verdict == .match && verification.platforms.isEmpty
            if let error = verification.failure {
                piece.messages = Message.error(
                    about: verification.check.target, error.message, hint: isAlone ? nil : error.hint)
            }
            if !isAlone { piece.messages += advice.hint(on: verification).map { Message.hint($0) } ?? "" }
        }
        return piece
    }
}
