package import Pinning

/// A step of a connection that runs in plain text, before the TLS handshake with the server.
package enum PlaintextStep: Hashable, Sendable {
    case startTLS(StartTLSProtocol)
    /// The request to a proxy; the name of the proxy's protocol, such as "HTTP".
    case proxy(String)
}

extension PlaintextStep: CustomStringConvertible {
    /// The name of the step with its protocol: "starttls smtp", "proxy HTTP".
    package var description: String {
        switch self {
        case .startTLS(let proto): "starttls \(proto.rawValue)"
        case .proxy(let name): "proxy \(name)"
        }
    }

    /// The name of the protocol in messages.
    package var protocolName: String {
        switch self {
        case .startTLS(let proto): proto.name
        case .proxy(let name): name
        }
    }
}
