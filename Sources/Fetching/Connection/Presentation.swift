package import Pinning

/// What a server presented in a handshake, and how it was judged.
package struct Presentation: Sendable {
    package enum ClientCertificate: String, Sendable {
        case none
        /// The server asked for one, and went on without.
        case requested
        /// The server asked for one, and ended the handshake for want of it.
        case demanded
    }

    /// The address that answered.
    package let endpoint: Endpoint
    /// What was asked for in the server name extension; nil where it was left out.
    package let serverName: String?
    /// "TLSv1.3".
    package let protocolVersion: String
    /// The cipher suite's standard name.
    package let cipherSuite: String
    /// What the server chose of the protocols offered.
    package let applicationProtocol: String?
    package let clientCertificate: ClientCertificate
    package let chain: Chain
}
