internal import CertificateDetails
internal import CommandSupport
internal import Encodings
internal import Fetching
internal import Pinning

/// The text report: each certificate with its fields, and each problem below the field that it is about.
final class InspectText: InspectFormat {
    private let plan: InspectPlan
    private let chainText: ChainText
    private let text: CertificateText
    private let now: Timestamp

    /// Width if standard output is not a terminal.
    private static let defaultWidth = 80

    init(_ plan: InspectPlan, style: Style, width: Int?) {
        self.plan = plan
        now = plan.time ?? .now
        chainText = ChainText(style: style, width: width ?? Self.defaultWidth, now: now)
        text = CertificateText(style: style, width: width ?? Self.defaultWidth, now: now)
    }

    var start: String { "" }
    var separator: String { "\n" }
    var end: String { "" }
    var containsErrors: Bool { false }

    func output(for file: InspectedFile) -> [UInt8] {
        let name = file.path == "-" ? "standard input" : file.path.escaped
        let blocks = file.certificates.map { number, certificate in
            let place = file.certificates.count == 1 ? "" : "#\(number)"
            return text.block("\(name)\(place)", certificate, isVerified: true)
        }
        return Array(blocks.joined(separator: "\n").utf8)
    }

    func fragment(for result: FetchResult) -> ReportFragment {
        var fragment = ReportFragment(status: result.status(acceptsUntrusted: plan.acceptsUntrusted))
        switch result.outcome {
        case .failure(let error): fragment.messages = result.message(error.message, hint: error.hint)
        case .success(let handshake):
            let chain = handshake.chain
            let entries = chain.entries.filter(plan.selects)
            var block = chainText.heading(of: result.target, handshake, result.chainPart)
            if let authority = UnlistedAuthority(of: chain, plan.trust) {
                block += chainText.sentence("\(authority.message): \(UnlistedAuthority.step)", .careful)
            }
            block += text.row("cipher suite", [handshake.cipherSuite])
            if let status = handshake.stapledStatus(at: now) { block += text.rows(of: status) }
            for fetch in handshake.issuerFetches { block += chainText.sentence(fetch.finding, .careful) }
            block += chainText.notes(on: handshake)
            for entry in entries {
                block += "\n" + text.block(entry.title, entry.certificate, isVerified: chain.isTrusted)
            }
            fragment.output = Array(block.utf8)
            fragment.noteMissingSelection(entries, of: result, chain)
        }
        return fragment
    }
}

extension CertificateChain.Entry {
    /// The role, and where the certificate comes from if the server did not send it.
    fileprivate var title: String {
        switch source {
        case .served: roleDescription
        case .store: "\(roleDescription) (from the trust store)"
        case .fetched: "\(roleDescription) (fetched)"
        }
    }
}

extension HandshakeResult {
    /// The stapled revocation status of the leaf; nil if the chain is empty.
    func stapledStatus(at now: Timestamp) -> StapledStatus? {
        guard let leaf = chain.entries.first?.certificate else { return nil }
        return StapledStatus(
            stapledResponse, of: leaf, issuedBy: chain.entries.dropFirst().first?.certificate, at: now)
    }
}
