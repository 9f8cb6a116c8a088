package import OpenSSL

/// The application data of a TLS session over another stream.
///
/// The session's handshake is complete. The other stream may itself be a TLS session, so a handshake with a server can run inside
/// the TLS connection to an HTTPS proxy.
package struct TLSStream<Base: ByteStream & ~Copyable>: ByteStream, ~Copyable {
    private let base: Base
    private let session: ClientSession

    /// - Parameter session: a session whose handshake over `base` is complete.
    package init(_ session: consuming ClientSession, over base: consuming Base) {
        self.session = session
        self.base = base
    }

    package var endpoint: Endpoint { base.endpoint }

    package borrowing func receive(
        atMost count: Int, until deadline: MonotonicTime, on loop: isolated EventLoop
    ) async throws(StreamError) -> [UInt8] {
        while true {
            let step = session.read(atMost: count)
            // A read can produce output, such as the answer to a KeyUpdate (RFC 8446, section 4.6.3).
            try await base.send(session.takeOutput(), until: deadline, on: loop)
            switch step {
            case .bytes(let bytes): return bytes
            case .closed: throw .closed(nil)
            case .failed(let error): throw .tls(error)
            case .needsInput: break
            }
            let bytes: [UInt8]
            do throws(StreamError) {
                bytes = try await base.receive(atMost: Self.chunkSize, until: deadline, on: loop)
            } catch {
                if case .closed(nil) = error { throw .cut }
                throw error
            }
            do {
                try session.receive(bytes)
            } catch {
                throw .tls(error)
            }
        }
    }

    package borrowing func send(
        _ bytes: [UInt8], until deadline: MonotonicTime, on loop: isolated EventLoop
    ) async throws(StreamError) {
        do {
            try session.write(bytes)
        } catch {
            throw .tls(error)
        }
        try await base.send(session.takeOutput(), until: deadline, on: loop)
    }

    package borrowing func sendWithoutWaiting(_ bytes: [UInt8]) {
        guard (try? session.write(bytes)) != nil else { return }
        base.sendWithoutWaiting(session.takeOutput())
    }

    /// Number of bytes that are passed to the session at a time: the size of a TLS record.
    private static var chunkSize: Int { 16_384 }
}
