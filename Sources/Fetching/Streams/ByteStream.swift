/// A connection that carries bytes in both directions: a socket, or a TLS session over another stream.
///
/// The pipeline of ``Connection`` is generic over this protocol, so that the compiler specializes the code for sockets. Every wait
/// ends at a deadline on the clock of the event loop.
package protocol ByteStream: ~Copyable {
    /// The address of the TCP connection below the stream.
    var endpoint: Endpoint { get }

    /// Waits for the next bytes of the peer.
    ///
    /// - Returns: at least one byte.
    borrowing func receive(
        atMost count: Int, until deadline: MonotonicTime, on loop: isolated EventLoop
    ) async throws(StreamError) -> [UInt8]

    /// Sends all bytes.
    borrowing func send(
        _ bytes: [UInt8], until deadline: MonotonicTime, on loop: isolated EventLoop
    ) async throws(StreamError)

    /// Sends the bytes as far as the stream accepts them without a wait, and ignores errors.
    borrowing func sendWithoutWaiting(_ bytes: [UInt8])
}
