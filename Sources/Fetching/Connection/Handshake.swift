internal import OpenSSL

/// Runs one TLS handshake over a socket until it completes, fails or times out.
///
/// The session gets at most ``chunkSize`` bytes at a time, and the event loop runs between two chunks. So a server that sends
/// without end delays no other host, and the deadline and the ``HandshakeBudget`` are checked after each chunk.
struct Handshake {
    let deadline: MonotonicTime
    let timeout: Duration

    /// Number of bytes that are read and processed without a return to the event loop: the size of a TLS record.
    private static let chunkSize = 16_384

    func run(
        _ session: borrowing ClientSession,
        over socket: borrowing Socket,
        on loop: isolated EventLoop
    ) async throws(FetchError) {
        let endpoint = socket.endpoint
        var budget = HandshakeBudget()
        var hasAnswered = false
        while true {
            let step = session.handshake()
            let output = session.takeOutput()
            switch step {
            case .done: return try await send(output, over: socket, hasAnswered, on: loop)
            case .needsInput: try await send(output, over: socket, hasAnswered, on: loop)
            case .closed: throw .closed(endpoint, nil)
            case .failed(let error):
                // The output is an alert, which the server may not be able to receive any more.
                _ = try? socket.send(output[...])
                if let alert = error.alert { throw .alert(endpoint, alert) }
                if session.hasExcessiveDiffieHellmanPrime { throw .excessiveDiffieHellmanPrime(endpoint) }
                throw .handshake(endpoint, error)
            }
            let bytes = try await receive(from: socket, hasAnswered, on: loop)
            // OpenSSL would report "wrong version number"; the bytes show which protocol the peer speaks.
            if !hasAnswered, !ProtocolGuess.isTLS(bytes) {
                throw .notTLS(endpoint, firstBytes: Array(bytes.prefix(ProtocolGuess.maximumLength)))
            }
            hasAnswered = true
            if let limit = budget.spend(bytes) { throw .excessiveHandshake(endpoint, limit) }
            do {
                try session.receive(bytes)
            } catch {
                throw .handshake(endpoint, error)
            }
        }
    }

    /// The next bytes of the peer, at least one.
    private func receive(
        from socket: borrowing Socket, _ hasAnswered: Bool, on loop: isolated EventLoop
    ) async throws(FetchError) -> [UInt8] {
        while true {
            try await wait(for: .readable, on: socket, hasAnswered, on: loop)
            do throws(SystemError) {
                guard let bytes = try socket.receive(atMost: Self.chunkSize) else { continue }
                if !bytes.isEmpty { return bytes }
            } catch {
                throw .closed(socket.endpoint, error)
            }
            throw .closed(socket.endpoint, nil)
        }
    }

    private func send(
        _ bytes: [UInt8], over socket: borrowing Socket, _ hasAnswered: Bool, on loop: isolated EventLoop
    ) async throws(FetchError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            do throws(SystemError) {
                rest = rest.dropFirst(try socket.send(rest))
            } catch {
                throw .closed(socket.endpoint, error)
            }
            if !rest.isEmpty { try await wait(for: .writable, on: socket, hasAnswered, on: loop) }
        }
    }

    private func wait(
        for interest: Interest, on socket: borrowing Socket, _ hasAnswered: Bool, on loop: isolated EventLoop
    ) async throws(FetchError) {
        // A socket that is always ready would end each wait before the deadline is looked at.
        let isReady = await loop.wait(for: interest, on: socket.descriptor, until: deadline) == .ready
        guard isReady, loop.now < deadline else {
            throw .timeout(.handshaking(socket.endpoint, hasAnswered: hasAnswered), after: timeout)
        }
    }

    /// Sends a close_notify alert, as far as the socket accepts it now.
    static func sendCloseNotify(of session: borrowing ClientSession, over socket: borrowing Socket) {
        session.writeCloseNotify()
        _ = try? socket.send(session.takeOutput()[...])
    }
}
