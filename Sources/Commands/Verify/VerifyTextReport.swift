internal import Arguments
internal import Fetching
internal import Pinning

/// The report that people read: a line for each host that matches, a block with the reasons for each that does not.
final class VerifyTextReport: HostReport {
    private let plan: VerifyPlan
    private let text: VerificationText
    private let platforms: PlatformText
    private let advice: VerifyAdvice
    private var counts: [String: Int] = [:]
    private var hasOutput = false

    /// - Parameter width: the columns that there are; nil for as many as it takes.
    init(_ plan: VerifyPlan, style: Style, width: Int?) {
        self.plan = plan
        let chains = ChainText(style: style, width: width, now: plan.now)
        text = VerificationText(plan, chains)
        platforms = PlatformText(chains)
        advice = VerifyAdvice(plan)
    }

    var separator: String { "\n" }

    /// How often which verdict was given, where there were several hosts.
    var end: String {
        guard plan.checks.count > 1 else { return "" }
        let parts = Verification.Verdict.allCases.flatMap { verdict in
            [verdict.rawValue, verdict.rawValue + Self.reportedOnly].compactMap { name in
                counts[name].map { "\($0) \(name)" }
            }
        }
        return (hasOutput ? "\n" : "") + "\(plan.checks.count) hosts: \(parts.joined(separator: ", "))\n"
    }

    private static let reportedOnly = " (not enforced)"

    func piece(for verification: Verification) throws(CommandError) -> HostPiece {
        let name = verification.verdict.rawValue + (verification.isOnlyReported ? Self.reportedOnly : "")
        counts[name, default: 0] += 1
        var piece = HostPiece(status: verification.status)
        if case .unreachable(let error) = verification.finding {
            piece.messages = Message.error(about: verification.check.target, error.message, hint: error.hint)
            if let entry = verification.check.entry, let expires = entry.expires, entry.isExpired(at: plan.now) {
                piece.messages += Message.warning("the pins of \(entry.host.quoted) hold no more since \(expires.date)")
            }
        } else {
            piece.output = Array((text.report(on: verification) + platforms.table(of: verification)).utf8)
            piece.isLine = verification.verdict == .match && verification.platforms.isEmpty
            if let error = verification.failure {
                piece.messages = Message.error(about: verification.check.target, error.message, hint: error.hint)
            }
            piece.messages += advice.hint(on: verification).map { Message.hint($0) } ?? ""
            hasOutput = true
        }
        return piece
    }
}
