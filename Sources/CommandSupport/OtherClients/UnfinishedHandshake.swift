/// What an address may hide after a handshake that nothing authenticated (``HandshakeResult/isUnfinished``).
package enum UnfinishedHandshake {
    package static let step = "use --cert and --key with a client certificate that the server accepts"

    /// Why the certificates of CAs may not be those of the server, as a sentence.
    ///
    /// - Parameter name: the name of the address.
    package static func doubt(at name: String) -> String {
        "\(name) required a client certificate and ended the handshake, so nothing authenticated its certificates: an interceptor can have"
            + " replaced those of CAs"
    }

    /// - Parameter name: the name of the address.
    package static func reason(at name: String) -> String {
        "\(name) required a client certificate and ended the handshake, so it may have another chain for your clients"
    }
}
