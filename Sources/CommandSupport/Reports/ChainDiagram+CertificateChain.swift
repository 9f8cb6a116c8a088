internal import Encodings
package import Pinning
package import Reports

extension ChainDiagram {
    /// The diagram of a chain, with every valid path if they were searched.
    ///
    /// - Parameters:
    ///   - pinMark: the mark of each pin, because it may be an attacker's; nil for pins of a trusted chain.
    ///   - remark: returns a further fact about a certificate, or nil.
    ///   - match: returns the pin of a set that matches a certificate, in a few words; nil if none matches.
    package init(
        title: String, _ chain: CertificateChain, pinMark: String?, at now: Timestamp,
        remark: (CertificateChain.Entry) -> String? = { _ in nil },
        match: (CertificateChain.Entry) -> String? = { _ in nil }
    ) {
        let paths = chain.validPaths.flatMap { $0.paths.isEmpty ? nil : $0.paths } ?? [chain.entries]
        let shown = Set(paths.joined().map(\.certificate))
        self.init(
            title: title,
            paths: paths.map { path in
                path.map { Node(of: $0, pinMark: pinMark, remark: remark($0), match: match($0), at: now) }
            },
            unused: chain.unused.filter { !shown.contains($0) }.map { $0.subject?.displayName ?? "" })
    }
}

extension ChainDiagram.Node {
    fileprivate init(
        of entry: CertificateChain.Entry, pinMark: String?, remark: String?, match: String?, at now: Timestamp
    ) {
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
            facts: [entry.roleDescription, origin, certificate.key.description, validity] + [remark].compactMap(\.self),
            isAnchor: entry.isAnchor, pin: certificate.pin.base64 + (pinMark.map { " \($0)" } ?? ""),
            identity: certificate.der)
        self.match = match
    }
}
