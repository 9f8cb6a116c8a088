package import OpenSSL
package import PlaintextProtocols

/// Runs one TLS handshake over a stream until it completes, fails or times out.
///
/// The session receives at most ``chunkSize`` bytes at a time, and the event loop runs between two chunks. So a server that sends
/// endless data does not delay other hosts. The deadline and the ``HandshakeBudget`` are checked after each chunk.
package struct Handshake {
    let deadline: MonotonicTime
    let timeout: Duration

    /// Number of bytes that are read and processed before the event loop runs again: the size of a TLS record.
    static let chunkSize = 16_384

    package init(deadline: MonotonicTime, timeout: Duration) { (self.deadline, self.timeout) = (deadline, timeout) }

    /// - Parameters:
    ///   - framing: the packets that carry the handshake.
    ///   - closing: whether to end the session together with the handshake. A session in which the server requested a client
    ///     certificate stays open, because the server's answer to the certificate follows.
    package func run<Stream: ByteStream & ~Copyable, Framing: HandshakeFraming>(
        _ session: borrowing ClientSession,
        over stream: borrowing Stream,
        in framing: Framing = NoFraming(),
        closing: Bool = false,
        on loop: isolated EventLoop
    ) async throws(FetchError) {
        let endpoint = stream.endpoint
        var framing = framing
        var budget = HandshakeBudget()
        var hasAnswered = false
        while true {
            let step = session.handshake()
            let output = framing.wrap(session.takeOutput())
            switch step {
            case .receivedCertificate: return try await send(output, over: stream, hasAnswered, on: loop)
            case .done:
                guard closing, !session.wasAskedForClientCertificate else {
                    return try await send(output, over: stream, hasAnswered, on: loop)
                }
                // Before TLS 1.3 the last message is the server's.
                guard !output.isEmpty else { return Self.sendCloseNotify(of: session, over: stream) }
                // One write for the last message and the alert.
                session.writeCloseNotify()
                return try await send(output + session.takeOutput(), over: stream, hasAnswered, on: loop)
            case .needsInput: try await send(output, over: stream, hasAnswered, on: loop)
            case .closed: throw .closed(endpoint, nil)
            case .failed(let error):
                // The output is an alert, which the server may not be able to receive any more.
                stream.sendWithoutWaiting(output)
                if let alert = error.alert { throw .alert(endpoint, alert) }
                if session.hasExcessiveDiffieHellmanPrime { throw .excessiveDiffieHellmanPrime(endpoint) }
                throw .handshake(endpoint, error)
            }
            let received = try await receive(from: stream, hasAnswered, on: loop)
            guard let bytes = framing.unwrap(received) else {
                throw .notTLS(endpoint, firstBytes: AnswerExcerpt.bytes(of: received))
            }
            let excess = budget.spend(bytes, received: received.count)
            // A packet can arrive in portions.
            if bytes.isEmpty, excess == nil { continue }
            // OpenSSL would report "wrong version number"; the bytes show which protocol the peer speaks.
            if !hasAnswered, !bytes.isEmpty, !TLSRecordStart.matches(bytes) {
                throw .notTLS(endpoint, firstBytes: AnswerExcerpt.bytes(of: bytes))
            }
            hasAnswered = true
            if let excess { throw .excessiveHandshake(endpoint, excess) }
            do {
                try session.receive(bytes)
            } catch {
                throw .handshake(endpoint, error)
            }
        }
    }

    private func receive<Stream: ByteStream & ~Copyable>(
        from stream: borrowing Stream, _ hasAnswered: Bool, on loop: isolated EventLoop
    ) async throws(FetchError) -> [UInt8] {
        do {
            return try await stream.receive(atMost: Self.chunkSize, until: deadline, on: loop)
        } catch {
            throw fetchError(for: error, at: stream.endpoint, hasAnswered)
        }
    }

    private func send<Stream: ByteStream & ~Copyable>(
        _ bytes: [UInt8], over stream: borrowing Stream, _ hasAnswered: Bool, on loop: isolated EventLoop
    ) async throws(FetchError) {
        do {
            try await stream.send(bytes, until: deadline, on: loop)
        } catch {
            throw fetchError(for: error, at: stream.endpoint, hasAnswered)
        }
    }

    private func fetchError(for error: StreamError, at endpoint: Endpoint, _ hasAnswered: Bool) -> FetchError {
        switch error {
        case .timedOut: .timeout(.handshaking(endpoint, hasAnswered: hasAnswered), after: timeout)
        case .closed(let error): .closed(endpoint, error)
        case .cut: .closed(endpoint, nil)
        case .tls(let error): .tunnel(endpoint, error)
        }
    }

    /// Sends a close_notify alert, as far as the stream accepts it now.
    package static func sendCloseNotify<Stream: ByteStream & ~Copyable>(
        of session: borrowing ClientSession, over stream: borrowing Stream
    ) {
        session.writeCloseNotify()
        stream.sendWithoutWaiting(session.takeOutput())
    }
}
