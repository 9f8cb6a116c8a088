internal import OpenSSL

/// Runs one TLS handshake until it completes, fails or times out.
struct Handshake {
    let deadline: MonotonicTime
    let timeout: Duration

    func run(
        _ session: borrowing ClientSession,
        over socket: borrowing Socket,
        on loop: isolated EventLoop
    ) async throws(FetchError) {
        let endpoint = socket.endpoint
        var hasAnswered = false
        while true {
            let interest: Interest
            switch session.handshake() {
            case .done: return
            case .wantsRead: interest = .readable
            case .wantsWrite: interest = .writable
            case .closed(let code):
                throw .closed(endpoint, code == 0 ? nil : SystemError(code: code))
            case .failed(let error):
                if let alert = error.alert { throw .alert(endpoint, alert) }
                throw .handshake(endpoint, error)
            }
            guard await loop.wait(for: interest, on: socket.descriptor, until: deadline) == .ready else {
                throw .timeout(.handshaking(endpoint, hasAnswered: hasAnswered), after: timeout)
            }
            if interest == .readable, !hasAnswered {
                hasAnswered = true
                // OpenSSL would report "wrong version number"; the bytes show which protocol the peer speaks.
                if let first = try Self.firstBytes(of: socket), !ProtocolGuess.isTLS(first) {
                    throw .notTLS(endpoint, firstBytes: first)
                }
            }
        }
    }

    private static let peekedBytes = 32

    private static func firstBytes(of socket: borrowing Socket) throws(FetchError) -> [UInt8]? {
        do {
            return try socket.peek(peekedBytes)
        } catch {
            throw .closed(socket.endpoint, error)
        }
    }
}
