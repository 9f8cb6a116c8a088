internal import Arguments
internal import Fetching
internal import Pinning

/// The report that people read: a block a host, and in it a line a certificate, with its pin below.
final class FetchTextReport: HostReport {
    private let plan: FetchPlan
    private let text: ChainText

    /// - Parameter width: the columns that there are; nil for as many as it takes.
    init(_ plan: FetchPlan, style: Style, width: Int?) {
        self.plan = plan
        let isOnConsole = if case .standardOutput = plan.destination { true } else { false }
        text = ChainText(style: style, width: isOnConsole ? width : nil, now: plan.time ?? .now)
    }

    var separator: String { "\n" }

    func piece(for result: FetchResult) throws(CommandError) -> HostPiece {
        var piece = HostPiece()
        piece.status = result.status(acceptsUntrusted: plan.acceptsUntrusted)
        switch result.outcome {
        case .failure(let error):
            piece.messages = result.message(error.message, hint: error.hint)
        case .success(let presentation):
            let entries = presentation.chain.entries.filter(plan.selects)
            var block = text.heading(of: result.target, presentation)
            block += text.table(of: entries)
            block += text.notes(on: presentation)
            piece.output = Array(block.utf8)
            if entries.isEmpty {
                piece.messages = result.message(
                    "the chain has nothing of what --select asks for: it has \(presentation.chain.summary)"
                )
                piece.status = piece.status.combined(with: .failure)
            }
        }
        return piece
    }
}
