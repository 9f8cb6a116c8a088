internal import Encodings
package import Fetching
package import HTMLReports
package import Pinning
internal import Reports

extension ReportedChain {
    /// The chain of one or more addresses, with the properties of the connection.
    ///
    /// - Parameters:
    ///   - chain: nil if the host gave none.
    ///   - handshake: nil for a saved chain, and if there was no handshake.
    ///   - host: the name of the host in the diagram.
    ///   - addresses: the addresses that gave this result; empty for that of the handshake.
    ///   - matches: returns the pins of the set that match a certificate, each in a few words.
    package init(
        _ chain: CertificateChain?, _ handshake: HandshakeResult?, host: String, title: String?,
        at addresses: [Endpoint] = [], now: Timestamp,
        matches: (CertificateChain.Entry) -> [String] = { _ in [] }
    ) {
        let diagram = chain.map { chain in
            let verdict =
                handshake.map { $0.verdict + (chain.isTrusted ? "" : ": \(chain.reason)") } ?? chain.verdict
            return ChainDiagram(
                title: "\(host)  \(verdict)", chain, pinMark: handshake?.pinMark ?? chain.pinMark, at: now,
                match: { matches($0).first })
        }
        self.init(chain, title: title, diagram: diagram, matches: matches)
        let answered = addresses.isEmpty ? [handshake?.endpoint].compactMap(\.self) : addresses
        if !answered.isEmpty {
            let text = answered.map(\.description).joined(separator: ", ")
            facts.append(Fact(answered.count == 1 ? "Address" : "Addresses", text))
        }
        guard let handshake else { return }
        if !handshake.isProven { markNotProven() }
        facts.append(Fact("TLS version", handshake.protocolVersion))
        facts.append(Fact("Cipher suite", handshake.cipherSuite))
        if let name = handshake.serverName { facts.append(Fact("Server name", name)) }
        if let name = handshake.applicationProtocol { facts.append(Fact("Application protocol", name)) }
        if let proxy = handshake.proxy { facts.append(Fact("Proxy", proxy)) }
        notes += handshake.issuerFetches.map(\.finding) + ChainText.sentences(on: handshake)
    }
}
