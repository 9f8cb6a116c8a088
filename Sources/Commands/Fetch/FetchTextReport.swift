internal import CommandSupport
internal import Fetching
internal import Pinning

/// The text report: a block for each host with a line for each certificate and its pin on the next line.
final class FetchTextReport: HostReport {
    private let plan: FetchPlan
    private let text: ChainText
    /// The kinds of failures whose hint was written.
    private var hinted: Set<String> = []

    /// - Parameter width: Maximum width in columns; nil for no limit.
    init(_ plan: FetchPlan, style: Style, width: Int?) {
        self.plan = plan
        let isOnConsole = if case .standardOutput = plan.destination { true } else { false }
        text = ChainText(style: style, width: isOnConsole ? width : nil, now: plan.time ?? .now)
    }

    var separator: String { "\n" }

    func fragment(for result: FetchResult) throws(CommandError) -> ReportFragment {
        var fragment = ReportFragment()
        fragment.status = result.status(acceptsUntrusted: plan.acceptsUntrusted)
        switch result.outcome {
        case .failure(let error):
            fragment.messages = result.message(error.message, hint: error.hint)
        case .success(let presentation):
            let entries = presentation.chain.entries.filter(plan.selects)
            var block = text.heading(of: result.target, presentation, result.chainPart)
            if let authority = UnlistedAuthority(of: presentation.chain, plan.trust) {
                block += text.sentence("\(authority.message): \(UnlistedAuthority.step)", .careful)
            }
            if let code = presentation.chain.failures.first?.code, hinted.insert(code).inserted,
                let step = UntrustedChainStep(plan.trust).text(for: presentation.chain)
            {
                fragment.messages = Message.hint(step)
            }
            for fetch in presentation.issuerFetches { block += text.sentence(fetch.finding, .careful) }
            block += text.table(of: entries, pinMark: presentation.pinMark)
            block += text.notes(on: presentation)
            if let paths = presentation.chain.validPaths { block += text.paths(paths, pinMark: presentation.pinMark) }
            fragment.output = Array(block.utf8)
            fragment.noteMissingSelection(entries, of: result, presentation.chain)
        }
        return fragment
    }
}
