/// The packets of another protocol around the bytes of a TLS handshake.
package protocol HandshakeFraming {
    /// Returns bytes to send, in packets.
    func wrap(_ bytes: [UInt8]) -> [UInt8]

    /// Returns the content of received bytes, which may be none; nil if they are not packets.
    mutating func unwrap(_ bytes: [UInt8]) -> [UInt8]?
}
