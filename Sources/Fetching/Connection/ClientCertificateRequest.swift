/// A server's request for a client certificate, and what followed.
package struct ClientCertificateRequest: Sendable {
    /// The raw values are part of the JSON interface.
    package enum Outcome: String, Sendable {
        /// The server requested no certificate.
        case none
        /// The server requested one, and none was sent.
        case requested
        /// The server aborted the handshake because no certificate was sent.
        case demanded
        /// A certificate was sent. TLS 1.3 ends for the client before the server has checked it, and the server sent nothing since.
        case sent
        /// A certificate was sent, and the server continued.
        case accepted
        /// A certificate was sent, and the server aborted the handshake.
        case refused
    }

    package let outcome: Outcome
    /// Whether the server requires a certificate in TLS; nil if it is unknown. An application protocol can require one even if TLS
    /// does not.
    package let isRequired: Bool?
    /// The names of the CAs from which the server accepts certificates, in DER; empty if it names none.
    package let authorities: [[UInt8]]
    /// The alert with which the server aborted the handshake.
    package let alert: String?
}
