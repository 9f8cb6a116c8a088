package import Authentication
internal import PlaintextProtocols

/// The request to a proxy without a connection, for fuzz targets.
package struct ProxyRehearsal {
    package enum Outcome: Equatable, Sendable {
        /// The proxy must send more bytes.
        case proceeds
        /// The proxy made the connection, and sent this number of bytes after its answer.
        case ends(injected: Int)
        /// The error in one sentence.
        case fails(String)
    }

    private var negotiation: any PlaintextNegotiation

    /// Begins the request to a proxy of this kind for `h.example:443`.
    ///
    /// - Returns: nil for SOCKS 4 without names, which cannot connect to this target.
    package init?(_ kind: Proxy.Kind, credential: PasswordCredential?) {
        let target = Target(host: .name("h.example"))
        switch kind {
        case .http, .https: negotiation = HTTPConnect(to: target, credential: credential, clientNonce: "c")
        case .socks4, .socks4a:
            guard let request = try? SOCKS4Request(to: target.host, port: target.port, user: "u") else { return nil }
            negotiation = request
        case .socks5, .socks5h:
            negotiation = SOCKS5Negotiation(to: target.host, port: target.port, credential: credential)
        }
        _ = negotiation.begin()
    }

    /// Processes the next bytes of the proxy, at least one.
    package mutating func receive(_ bytes: [UInt8]) -> Outcome {
        switch negotiation.receive(bytes) {
        case .proceed: return .proceeds
        case .done(_, let injected): return .ends(injected: injected)
        case .failed(.proxy(let failure)): return .fails(failure.message)
        case .failed(let failure): return .fails("\(failure)")
        }
    }
}
