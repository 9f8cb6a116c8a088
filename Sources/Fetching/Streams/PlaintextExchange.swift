internal import PlaintextProtocols

/// Runs a ``PlaintextNegotiation`` over a stream, until it succeeds, fails or times out.
struct PlaintextExchange {
    let deadline: MonotonicTime
    let timeout: Duration

    private static let chunkSize = 4096

    /// - Parameters:
    ///   - received: the first bytes of the peer, which arrived together with the end of the negotiation before.
    ///   - keepsRest: whether bytes after the end of the negotiation belong to another one in plain text. Otherwise they are an error.
    /// - Returns: the bytes after the end of the negotiation.
    @discardableResult
    func run<Negotiation: PlaintextNegotiation, Stream: ByteStream & ~Copyable>(
        _ negotiation: Negotiation,
        as step: PlaintextStep,
        after received: [UInt8] = [],
        keepsRest: Bool = false,
        over stream: borrowing Stream,
        on loop: isolated EventLoop
    ) async throws(FetchError) -> [UInt8] {
        var negotiation = negotiation
        return try await run(&negotiation, as: step, after: received, keepsRest: keepsRest, over: stream, on: loop)
    }

    /// Runs a negotiation whose state the caller needs afterwards, even if it fails.
    func run<Negotiation: PlaintextNegotiation, Stream: ByteStream & ~Copyable>(
        _ negotiation: inout Negotiation,
        as step: PlaintextStep,
        after received: [UInt8] = [],
        keepsRest: Bool = false,
        over stream: borrowing Stream,
        on loop: isolated EventLoop
    ) async throws(FetchError) -> [UInt8] {
        let endpoint = stream.endpoint
        var received = received
        var receivedCount = 0
        var output = negotiation.begin()
        while true {
            do {
                try await stream.send(output, until: deadline, on: loop)
                if received.isEmpty {
                    received = try await stream.receive(atMost: Self.chunkSize, until: deadline, on: loop)
                }
            } catch {
                throw fetchError(for: error, in: step, at: endpoint, hasAnswered: receivedCount > 0)
            }
            let bytes = received
            received = []
            receivedCount += bytes.count
            switch negotiation.receive(bytes) {
            case .proceed(let bytes): output = bytes
            case .done(let last, let count) where count == 0 || keepsRest:
                do {
                    try await stream.send(last, until: deadline, on: loop)
                } catch {
                    throw fetchError(for: error, in: step, at: endpoint, hasAnswered: true)
                }
                // The negotiation ended in these bytes, so the rest is a part of them.
                return bytes.suffix(count)
            case .done(_, let count): throw .negotiation(step, endpoint, .injectedText(count: count))
            case .failed(let failure): throw .negotiation(step, endpoint, failure)
            }
            guard receivedCount < NegotiationLimits.maximumBytes else {
                throw .negotiation(step, endpoint, .tooLong(limit: NegotiationLimits.maximumBytes))
            }
        }
    }

    private func fetchError(
        for error: StreamError, in step: PlaintextStep, at endpoint: Endpoint, hasAnswered: Bool
    ) -> FetchError {
        switch error {
        case .timedOut: .timeout(.negotiating(step, endpoint, hasAnswered: hasAnswered), after: timeout)
        case .closed(let error): .negotiation(step, endpoint, .closed(error))
        case .cut: .negotiation(step, endpoint, .closed(nil))
        case .tls(let error): .tunnel(endpoint, error)
        }
    }
}
