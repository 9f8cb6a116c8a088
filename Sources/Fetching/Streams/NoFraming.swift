internal import PlaintextProtocols

/// No packets: the stream carries the TLS records alone.
package struct NoFraming: HandshakeFraming {
    package init() {}

    @inline(__always) package func wrap(_ bytes: [UInt8]) -> [UInt8] { bytes }

    @inline(__always) package func unwrap(_ bytes: [UInt8]) -> [UInt8]? { bytes }
}
