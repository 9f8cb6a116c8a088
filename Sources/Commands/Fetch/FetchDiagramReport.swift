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
            let diagram = ChainDiagram(of: result, handshake.chain, at: plan.time ?? .now)
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
    /// The diagram of a host's chain, with every valid path if they were searched.
    init(of result: FetchResult, _ chain: CertificateChain, at now: Timestamp) {
        let paths = chain.validPaths.flatMap { $0.paths.isEmpty ? nil : $0.paths } ?? [chain.entries]
        let verdict = chain.isTrusted ? "trusted" : "not trusted: \(chain.reason)"
        self.init(
            title: "\(result.target)  \(verdict)",
            paths: paths.map { path in path.map { Node(of: $0, isVerified: chain.isTrusted, at: now) } },
            unused: chain.unused.map { $0.subject?.displayName ?? "" })
    }
}

extension ChainDiagram.Node {
    fileprivate init(of entry: CertificateChain.Entry, isVerified: Bool, at now: Timestamp) {
        let certificate = entry.certificate
        let origin =
            switch entry.source {
            case .served: "served"
            case .store: "from the trust store"
            case .fetched: "fetched"
            }
        let (validity, _) = ChainText.validity(of: certificate, now: now)
        self.init(
            name: certificate.subject?.displayName ?? "",
            facts: [entry.roleDescription, origin, certificate.key.description, validity],
            isAnchor: entry.isAnchor, pin: certificate.pin.base64 + (isVerified ? "" : " (unverified)"))
    }
}
