internal import CommandSupport
internal import Encodings
internal import Fetching
internal import Pinning
internal import Reports

/// A diagram of each host's chain: a tree in text, Mermaid, or an SVG image.
final class FetchDiagramReport: HostReport {
    private let plan: FetchPlan
    private let style: Style
    private let width: Int?
    private var number = 0

    init(_ plan: FetchPlan, style: Style, width: Int?) { (self.plan, self.style, self.width) = (plan, style, width) }

    var separator: String { "\n" }

    func fragment(for result: FetchResult) throws(CommandError) -> ReportFragment {
        var fragment = ReportFragment(status: result.status(acceptsUntrusted: plan.acceptsUntrusted))
        switch result.outcome {
        case .failure(let error): fragment.messages = result.message(error.message, hint: error.hint)
        case .success(let handshake):
            fragment.messages = result.unfinishedWarning
            let diagram = ChainDiagram(of: result, handshake, at: plan.time ?? .now)
            let text =
                switch plan.format {
                case .mermaid: diagram.mermaid(prefix: "c\(number)_")
                case .svg: diagram.svg()
                default: diagram.text(usesUnicode: style.showsUnicode, width: width) { style(.strong, $0) }
                }
            number += 1
            fragment.output = Array(text.utf8)
        }
        return fragment
    }
}

extension ChainDiagram {
    /// The diagram of a host's chain.
    init(of result: FetchResult, _ handshake: HandshakeResult, at now: Timestamp) {
        let chain = handshake.chain
        let verdict = handshake.verdict + (chain.isTrusted ? "" : ": \(chain.reason)")
        self.init(title: "\(result.target)  \(verdict)", chain, pinMark: handshake.pinMark, at: now)
    }
}
