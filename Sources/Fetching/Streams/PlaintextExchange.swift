internal import PlaintextProtocols

/// Runs a ``PlaintextNegotiation`` over a stream, until it succeeds, fails or times out.
struct PlaintextExchange {
    let deadline: MonotonicTime
    let timeout: Duration

    private static let chunkSize = 4096

    func run<Negotiation: PlaintextNegotiation, Stream: ByteStream & ~Copyable>(
        _ negotiation: Negotiation,
        as step: PlaintextStep,
        over stream: borrowing Stream,
        on loop: isolated EventLoop
    ) async throws(FetchError) {
        var negotiation = negotiation
        try await run(&negotiation, as: step, over: stream, on: loop)
    }

    /// Runs a negotiation whose state the caller needs afterwards, even if it fails.
    func run<Negotiation: PlaintextNegotiation, Stream: ByteStream & ~Copyable>(
        _ negotiation: inout Negotiation,
        as step: PlaintextStep,
        over stream: borrowing Stream,
        on loop: isolated EventLoop
    ) async throws(FetchError) {
        let endpoint = stream.endpoint
        var receivedCount = 0
        var output = negotiation.begin()
        while true {
            let bytes: [UInt8]
            do {
                try await stream.send(output, until: deadline, on: loop)
                bytes = try await stream.receive(atMost: Self.chunkSize, until: deadline, on: loop)
            } catch {
                throw fetchError(for: error, in: step, at: endpoint, hasAnswered: receivedCount > 0)
            }
            receivedCount += bytes.count
            switch negotiation.receive(bytes) {
            case .proceed(let bytes): output = bytes
            case .done(let last, injected: 0):
                do {
                    return try await stream.send(last, until: deadline, on: loop)
                } catch {
                    throw fetchError(for: error, in: step, at: endpoint, hasAnswered: true)
                }
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
        case .tls(let error): .tunnel(endpoint, error)
        }
    }
}
