package import Pinning

/// The outcome of a handshake: the negotiated parameters and the validated chain.
package struct HandshakeResult: Sendable {
    private var storage: Storage

    /// The contents of a result. A class, because a result is copied at each step from the handshake to the report.
    private final class Storage: Sendable {
        let contents: Contents

        init(_ contents: Contents) { self.contents = contents }
    }

    private struct Contents: Sendable {
        var endpoint: Endpoint?
        var proxy: String?
        let serverName: String?
        let protocolVersion: String
        let cipherSuite: String
        let applicationProtocol: String?
        let isProven: Bool
        let clientCertificate: ClientCertificateRequest?
        let stapledResponse: [UInt8]?
        var chain: CertificateChain
        var issuerFetches: [IssuerFetch] = []
        let servedCertificates: [Certificate]
        var otherChains: OtherChains?
    }

    init(
        endpoint: Endpoint, serverName: String?, protocolVersion: String, cipherSuite: String,
        applicationProtocol: String?, isProven: Bool, clientCertificate: ClientCertificateRequest?,
        stapledResponse: [UInt8]?, chain: CertificateChain, servedCertificates: [Certificate]
    ) {
        storage = Storage(
            Contents(
                endpoint: endpoint, serverName: serverName, protocolVersion: protocolVersion, cipherSuite: cipherSuite,
                applicationProtocol: applicationProtocol, isProven: isProven, clientCertificate: clientCertificate,
                stapledResponse: stapledResponse, chain: chain, servedCertificates: servedCertificates))
    }

    /// The address of the server; nil if a proxy resolved the name, so that only the proxy knows it.
    package internal(set) var endpoint: Endpoint? {
        get { storage.contents.endpoint }
        set { change { $0.endpoint = newValue } }
    }
    /// The URL of the proxy, without its credential; nil for a direct connection.
    package internal(set) var proxy: String? {
        get { storage.contents.proxy }
        set { change { $0.proxy = newValue } }
    }
    /// The name sent in the server name extension; nil if the extension was left out.
    package var serverName: String? { storage.contents.serverName }
    /// The negotiated version, such as "TLSv1.3".
    package var protocolVersion: String { storage.contents.protocolVersion }
    /// The cipher suite's standard name.
    package var cipherSuite: String { storage.contents.cipherSuite }
    /// The application protocol that the server selected; nil if it selected none.
    package var applicationProtocol: String? { storage.contents.applicationProtocol }
    /// Whether the server proved that it has the private key of the leaf. If not, it can have sent any other server's chain, and the
    /// validation of the chain does not identify it.
    package var isProven: Bool { storage.contents.isProven }
    /// The server's request for a client certificate; nil if the handshake ended before the server's last message about it.
    package var clientCertificate: ClientCertificateRequest? { storage.contents.clientCertificate }
    /// The OCSP response that the server stapled, in DER; nil if none was requested or stapled.
    package var stapledResponse: [UInt8]? { storage.contents.stapledResponse }
    package internal(set) var chain: CertificateChain {
        get { storage.contents.chain }
        set { change { $0.chain = newValue } }
    }
    /// The attempts to fetch issuers that the server did not send, if they were requested.
    package internal(set) var issuerFetches: [IssuerFetch] {
        get { storage.contents.issuerFetches }
        set { change { $0.issuerFetches = newValue } }
    }
    /// The certificates that the server sent, in its order; empty if the chain is trusted, or if no issuers are fetched.
    var servedCertificates: [Certificate] { storage.contents.servedCertificates }
    /// The other chains of the server, if they were searched (``KeyTypeSelection/all``); nil if not.
    package internal(set) var otherChains: OtherChains? {
        get { storage.contents.otherChains }
        set { change { $0.otherChains = newValue } }
    }

    private mutating func change(_ change: (inout Contents) -> Void) {
        var contents = storage.contents
        change(&contents)
        storage = Storage(contents)
    }

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

    /// Whether the server selected TLS 1.3, in which the cipher suite does not depend on the type of key.
    package var usesTLS13: Bool { protocolVersion == TLSVersion.tls13.name }

    /// Whether the server got no client certificate that it accepts and ended the handshake before its Finished message. Up to TLS 1.2,
    /// only this message authenticates the ClientHello (RFC 5246, section 7.4.9). So an interceptor can have changed what the client
    /// offers, and thereby selected one of the server's chains.
    package var isUnfinished: Bool {
        !usesTLS13 && [.demanded, .refused].contains(clientCertificate?.outcome ?? .none)
    }

    /// Whether this handshake or one of those for other types of keys is unfinished (``isUnfinished``).
    package var includesUnfinished: Bool { isUnfinished || otherChains?.includesUnfinished == true }

    /// The type of the server's key; nil for a key that no TLS server can use.
    package var keyType: ServerKeyType? { leaf.flatMap { ServerKeyType($0.key) } }

    /// The server's certificate; nil if the chain is empty.
    package var leaf: Certificate? { chain.entries.first?.certificate }
}
