package import Pinning

/// A step of a connection that runs in plain text, before the TLS handshake with the server.
package enum PlaintextStep: Hashable, Sendable {
    case startTLS(StartTLSProtocol)
    /// The request to a proxy; the name of the proxy's protocol, such as "HTTP".
    case proxy(String)
}
