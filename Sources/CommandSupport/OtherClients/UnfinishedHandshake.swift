/// What an address may hide after a handshake that nothing authenticated (``HandshakeResult/isUnfinished``).
package enum UnfinishedHandshake {
    package static let step = "use --cert and --key with a client certificate that the server accepts"

    /// What a report on the chain says, as a sentence.
    package static let note =
        "nothing authenticated the handshake: an interceptor can have replaced the certificates of CAs"

    /// Why an address may have another chain, as a sentence.
    package static func reason(at name: String) -> String {
        "\(end(at: name)), so it may have another chain for your clients"
    }

    /// Why the certificates of CAs may not be those of the server, as a sentence.
    package static func doubt(at name: String) -> String {
        "\(end(at: name)), so nothing authenticated its certificates: an interceptor can have replaced those of CAs"
    }

    /// - Parameter name: the name of the address.
    private static func end(at name: String) -> String {
        "\(name) got no client certificate that it accepts and ended the handshake"
    }
}
