internal import PlaintextProtocols

/// No packets: the stream carries the TLS records alone.
struct NoFraming: HandshakeFraming {
    @inline(__always) func wrap(_ bytes: [UInt8]) -> [UInt8] { bytes }

    @inline(__always) func unwrap(_ bytes: [UInt8]) -> [UInt8]? { bytes }
}
