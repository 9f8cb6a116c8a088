internal import CommandSupport
internal import Encodings
internal import Fetching
internal import PinSetCodec
internal import Pinning

/// The text report: one line for each host that matches, and a block with the reasons for each other host.
final class VerifyTextReport: HostReport {
    private let plan: VerifyPlan
    private let text: VerificationText
    private let platforms: PlatformText
    private let hints: VerifyHints

    /// - Parameter width: Maximum width in columns; nil for no limit.
    init(_ plan: VerifyPlan, style: Style, width: Int?) {
        self.plan = plan
        let chains = ChainText(style: style, width: width, now: plan.now)
        text = VerificationText(plan, chains)
        platforms = PlatformText(chains)
        hints = VerifyHints(plan)
    }

    var separator: String { "\n" }

    func fragment(for verification: Verification) throws(CommandError) -> ReportFragment {
        var fragment = ReportFragment(status: verification.status)
        // For a single host, the summary line has the next step.
        let isOnlyHost = !plan.hasSeveral && verification.status != .success
        if case .unreachable(let error) = verification.finding {
            fragment.messages = Message.error(
                about: verification.check.target, error.message, hint: isOnlyHost ? nil : error.hint)
            if let entry = verification.check.entry, let expires = entry.expires, entry.isExpired(at: plan.now) {
                fragment.messages += Message.warning("the pins of \(entry.host.quoted) expired on \(expires.date)")
            }
        } else {
            fragment.output = Array((text.report(on: verification) + platforms.table(of: verification)).utf8)
            fragment.isLine = verification.verdict == .match && verification.platforms.isEmpty
            if let error = verification.failure {
                fragment.messages = Message.error(
                    about: verification.check.target, error.message, hint: isOnlyHost ? nil : error.hint)
            }
            if let warning = verification.chain.flatMap({ plan.expiryWarning(on: $0) }) {
                fragment.messages += Message.warning("\(plan.name(of: verification)): \(warning)")
            }
            fragment.messages += verification.chainWarnings(plan)
            if !isOnlyHost { fragment.messages += hints.hint(on: verification).map { Message.hint($0) } ?? "" }
        }
        return fragment
    }
}
