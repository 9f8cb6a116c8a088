/// The packets of another protocol around the bytes of a TLS handshake.
protocol HandshakeFraming {
    /// Returns bytes to send, in packets.
    func wrap(_ bytes: [UInt8]) -> [UInt8]

    /// Returns the content of received bytes, which may be none; nil if they are not packets.
    mutating func unwrap(_ bytes: [UInt8]) -> [UInt8]?
}

/// No packets: the stream carries the TLS records alone.
struct NoFraming: HandshakeFraming {
    @inline(__always) func wrap(_ bytes: [UInt8]) -> [UInt8] { bytes }

    @inline(__always) func unwrap(_ bytes: [UInt8]) -> [UInt8]? { bytes }
}
