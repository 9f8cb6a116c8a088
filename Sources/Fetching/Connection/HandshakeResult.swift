package import Pinning

/// The outcome of a handshake: the negotiated parameters and the validated chain.
package struct HandshakeResult: Sendable {
    /// The address of the server; nil if a proxy resolved the name, so that only the proxy knows it.
    package internal(set) var endpoint: Endpoint?
    /// The URL of the proxy, without its credential; nil for a direct connection.
    package internal(set) var proxy: String?
    /// The name sent in the server name extension; nil if the extension was left out.
    package let serverName: String?
    /// The negotiated version, such as "TLSv1.3".
    package let protocolVersion: String
    /// The cipher suite's standard name.
    package let cipherSuite: String
    /// The application protocol that the server selected; nil if it selected none.
    package let applicationProtocol: String?
    /// Whether the server proved that it has the private key of the leaf. If not, it can have sent any other server's chain, and the
    /// validation of the chain does not identify it.
    package let isProven: Bool
    /// The server's request for a client certificate; nil if the handshake ended before the server's last message about it.
    package let clientCertificate: ClientCertificateRequest?
    /// The OCSP response that the server stapled, in DER; nil if none was requested or stapled.
    package var stapledResponse: [UInt8]?
    package internal(set) var chain: CertificateChain
    /// The attempts to fetch issuers that the server did not send, if they were requested.
    package internal(set) var issuerFetches: [IssuerFetch] = []
    /// The certificates that the server sent, in its order; empty if the chain is trusted, or if no issuers are fetched.
    let servedCertificates: [Certificate]
    /// The other chains of the server, if they were searched (``KeyTypeSelection/all``); nil if not.
    package internal(set) var otherChains: OtherChains?

    func adding(_ others: OtherChains) -> HandshakeResult {
        var result = self
        result.otherChains = others
        return result
    }

    /// This result with another form of its chain and of its other chains.
    package func mapChains(_ transform: (CertificateChain) -> CertificateChain) -> HandshakeResult {
        var result = self
        result.chain = transform(chain)
        guard var others = otherChains else { return result }
        others.results = others.results.map { $0.mapChains(transform) }
        result.otherChains = others
        return result
    }

    /// The type of the server's key; nil for a key that no TLS server can use.
    package var keyType: ServerKeyType? { chain.entries.first.flatMap { ServerKeyType($0.certificate.key) } }
}
