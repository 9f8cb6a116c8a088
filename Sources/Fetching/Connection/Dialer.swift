/// Connects to the first of several addresses that takes the connection.
///
/// An address that stays silent holds the others up for a quarter of a second only, and stays in the race meanwhile
/// (RFC 8305, section 5).
struct Dialer {
    let deadline: MonotonicTime
    let timeout: Duration

    private static let headStart = Duration.milliseconds(250)

    func connect(to endpoints: [Endpoint], on loop: isolated EventLoop) async throws(FetchError) -> Socket {
        guard let only = endpoints.first, endpoints.count == 1 else {
            return try await race(Self.interleaved(endpoints), on: loop)
        }
        let socket: Socket
        do {
            socket = try await open(only, on: loop)
        } catch {
            throw .connect([FetchError.Attempt(endpoint: only, error: error)])
        }
        let outcome = await loop.wait(for: .writable, on: socket.descriptor, until: deadline)
        let error = outcome == .ready ? socket.connectResult() : nil
        guard outcome == .ready, error == nil else {
            loop.forget(socket.descriptor)
            guard let error else { throw .timeout(.connecting(endpoints), after: timeout) }
            throw .connect([FetchError.Attempt(endpoint: only, error: error)])
        }
        return socket
    }

    private static let patience = Duration.milliseconds(50)

    /// Where this process has no descriptor left, the connections under way give theirs back: that says nothing of the host.
    private func open(_ endpoint: Endpoint, on loop: isolated EventLoop) async throws(SystemError) -> Socket {
        while true {
            do throws(SystemError) {
                return try Socket.connecting(to: endpoint)
            } catch {
                guard error.isShortage, loop.now < deadline else { throw error }
                _ = await loop.wait(until: min(deadline, loop.now + Self.patience)) { _ in }
            }
        }
    }

    private func race(_ endpoints: [Endpoint], on loop: isolated EventLoop) async throws(FetchError) -> Socket {
        var waiting = endpoints[...]
        var running: [Runner] = []
        var attempts: [FetchError.Attempt] = []
        defer { for runner in running { loop.forget(runner.descriptor) } }
        while true {
            if let next = waiting.popFirst() {
                do {
                    // Whoever holds a descriptor already waits for no other: all could wait for each other.
                    let socket = running.isEmpty ? try await open(next, on: loop) : try Socket.connecting(to: next)
                    running.append(Runner(socket))
                } catch {
                    attempts.append(FetchError.Attempt(endpoint: next, error: error))
                    continue
                }
            }
            guard !running.isEmpty else { throw .connect(attempts) }
            let patience = waiting.isEmpty ? deadline : min(deadline, loop.now + Self.headStart)
            guard let index = await loop.wait(for: .writable, onAnyOf: running.map(\.descriptor), until: patience)
            else {
                if patience < deadline { continue }
                throw .timeout(.connecting(running.map(\.endpoint)), after: timeout)
            }
            let runner = running.remove(at: index)
            guard let error = runner.socket?.connectResult() else {
                guard let socket = runner.socket.take() else { continue }
                return socket
            }
            loop.forget(runner.descriptor)
            attempts.append(FetchError.Attempt(endpoint: runner.endpoint, error: error))
        }
    }

    /// The families in turn, so that one broken family costs one head start (RFC 8305, section 4).
    static func interleaved(_ endpoints: [Endpoint]) -> [Endpoint] {
        guard let first = endpoints.first else { return [] }
        let preferred = endpoints.filter { $0.isIPv6 == first.isIPv6 }
        let others = endpoints.filter { $0.isIPv6 != first.isIPv6 }
        var result: [Endpoint] = []
        for index in 0..<max(preferred.count, others.count) {
            if index < preferred.count { result.append(preferred[index]) }
            if index < others.count { result.append(others[index]) }
        }
        return result
    }
}

/// A connection attempt in a race; a class, because no array holds what cannot be copied.
private final class Runner {
    let endpoint: Endpoint
    let descriptor: Int32
    var socket: Socket?

    init(_ socket: consuming Socket) {
        (descriptor, endpoint) = (socket.descriptor, socket.endpoint)
        self.socket = consume socket
    }
}
