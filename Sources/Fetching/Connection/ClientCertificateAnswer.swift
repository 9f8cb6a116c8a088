package import OpenSSL

/// Finds out what a server does after it requested a client certificate.
///
/// A TLS 1.3 server reads the client's certificate after the handshake is complete for the client (RFC 8446, section 4.4.2). Its next
/// message shows whether it continues: a session ticket or application data, or an alert.
package struct ClientCertificateAnswer {
    let deadline: MonotonicTime
    /// Whether TLS records follow the handshake in the stream as they are. TDS frames those of the handshake only.
    let readsAfterHandshake: Bool

    /// Maximum time to wait for the message. A server that waits for a request of the client sends none.
    private static let maximumWait = Duration.seconds(1)
    /// Maximum number of bytes to read for it.
    private static let maximumBytes = 1 << 16
    private static let chunkSize = 16_384

    package init(deadline: MonotonicTime, readsAfterHandshake: Bool) {
        (self.deadline, self.readsAfterHandshake) = (deadline, readsAfterHandshake)
    }

    /// - Parameter handshakeAlert: the alert with which the server aborted the handshake; nil if the handshake is complete.
    package func request<Stream: ByteStream & ~Copyable>(
        _ session: borrowing ClientSession, over stream: borrowing Stream, after handshakeAlert: TLSAlert?,
        on loop: isolated EventLoop
    ) async -> ClientCertificateRequest {
        guard session.wasAskedForClientCertificate else {
            return ClientCertificateRequest(outcome: .none, isRequired: nil, authorities: [], alert: nil)
        }
        let isTLS13 = session.protocolVersion == TLSVersion.tls13.name
        let alert: TLSAlert?
        let continues: Bool
        if handshakeAlert == nil, isTLS13, readsAfterHandshake {
            switch await firstMessage(session, over: stream, on: loop) {
            case .other: (alert, continues) = (nil, true)
            case .failed(let error):
                (alert, continues) = (error.alert.flatMap { $0.isAboutCertificate ? $0 : nil }, false)
            case .closed, .needsInput: (alert, continues) = (nil, false)
            }
        } else {
            (alert, continues) = (handshakeAlert, handshakeAlert == nil && !isTLS13)
        }
        let outcome: ClientCertificateRequest.Outcome =
            if session.hasSentCertificate {
                alert != nil ? .refused : continues ? .accepted : .sent
            } else {
                alert != nil ? .demanded : .requested
            }
        let isRequired: Bool? = session.hasSentCertificate ? nil : alert != nil ? true : continues ? false : nil
        return ClientCertificateRequest(
            outcome: outcome, isRequired: isRequired, authorities: session.clientCertificateAuthorities,
            alert: alert?.name)
    }

    private func firstMessage<Stream: ByteStream & ~Copyable>(
        _ session: borrowing ClientSession, over stream: borrowing Stream, on loop: isolated EventLoop
    ) async -> ClientSession.ServerMessage {
        let limit = min(deadline, loop.now + Self.maximumWait)
        var count = 0
        while true {
            let message = session.readMessage()
            guard case .needsInput = message, count < Self.maximumBytes else { return message }
            let bytes: [UInt8]
            do throws(StreamError) {
                bytes = try await stream.receive(atMost: Self.chunkSize, until: limit, on: loop)
            } catch {
                if case .timedOut = error { return .needsInput }
                return .closed
            }
            guard (try? session.receive(bytes)) != nil else { return .closed }
            count += bytes.count
        }
    }
}
