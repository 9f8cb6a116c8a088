internal import CSystem
internal import PlaintextProtocols

/// Connects to the first of several addresses that accepts the connection.
///
/// If an address does not answer within the connection attempt delay, the next attempt starts and the first one continues
/// (RFC 8305, section 5).
package struct Dialer {
    let deadline: MonotonicTime
    let timeout: Duration

    /// Maximum number of attempts in flight. If there are as many, the next attempt replaces the oldest one.
    private static let maximumAttempts = AddressLimits.maximumConnections

    /// The connection attempt delay (RFC 8305, section 8).
    private static let attemptDelay = Duration.milliseconds(250)

    package init(deadline: MonotonicTime, timeout: Duration) { (self.deadline, self.timeout) = (deadline, timeout) }

    package func connect(to endpoints: [Endpoint], on loop: isolated EventLoop) async throws(FetchError) -> Socket {
        guard let only = endpoints.first, endpoints.count == 1 else {
            return try await race(Self.candidates(endpoints), on: loop)
        }
        let socket: Socket
        do {
            socket = try await open(only, on: loop)
        } catch {
            throw .connect([FetchError.Attempt(endpoint: only, error: error, isLocal: true)])
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

    /// Interval between attempts to open a socket while the process has no free file descriptor.
    private static let shortageInterval = Duration.milliseconds(50)

    /// Opens a socket. If the process has no free file descriptor, waits until other connections close theirs.
    private func open(_ endpoint: Endpoint, on loop: isolated EventLoop) async throws(SystemError) -> Socket {
        while true {
            do throws(SystemError) {
                return try Socket.connecting(to: endpoint)
            } catch {
                guard error.isShortage, loop.now < deadline else { throw error }
                _ = await loop.wait(until: min(deadline, loop.now + Self.shortageInterval)) { _ in }
            }
        }
    }

    private func race(_ endpoints: [Endpoint], on loop: isolated EventLoop) async throws(FetchError) -> Socket {
        var waiting = endpoints[...]
        var attemptsInFlight: [ConnectionAttempt] = []
        var failures: [FetchError.Attempt] = []
        defer { for attempt in attemptsInFlight { loop.forget(attempt.descriptor) } }
        while true {
            if let next = waiting.popFirst() {
                if attemptsInFlight.count == Self.maximumAttempts {
                    let oldest = attemptsInFlight.removeFirst()
                    loop.forget(oldest.descriptor)
                    failures.append(
                        FetchError.Attempt(endpoint: oldest.endpoint, error: SystemError(code: ETIMEDOUT)))
                }
                do {
                    // If an attempt is in flight, it already has a descriptor. Waiting for another descriptor could cause a
                    // deadlock with other hosts.
                    let socket =
                        attemptsInFlight.isEmpty ? try await open(next, on: loop) : try Socket.connecting(to: next)
                    attemptsInFlight.append(ConnectionAttempt(socket))
                } catch {
                    failures.append(FetchError.Attempt(endpoint: next, error: error, isLocal: true))
                    continue
                }
            }
            guard !attemptsInFlight.isEmpty else { throw .connect(failures) }
            let limit = waiting.isEmpty ? deadline : min(deadline, loop.now + Self.attemptDelay)
            guard let index = await loop.wait(for: .writable, onAnyOf: attemptsInFlight.map(\.descriptor), until: limit)
            else {
                if limit < deadline { continue }
                throw .timeout(.connecting(attemptsInFlight.map(\.endpoint)), after: timeout)
            }
            let attempt = attemptsInFlight.remove(at: index)
            guard let error = attempt.socket?.connectResult() else {
                guard let socket = attempt.socket.take() else { continue }
                return socket
            }
            loop.forget(attempt.descriptor)
            failures.append(FetchError.Attempt(endpoint: attempt.endpoint, error: error))
        }
    }

    /// The addresses to which attempts are made, in order: at most ``AddressLimits/maximumAddresses``.
    package static func candidates(_ endpoints: [Endpoint]) -> [Endpoint] {
        guard endpoints.count > 1 else { return endpoints }
        return Array(interleaved(endpoints).prefix(AddressLimits.maximumAddresses))
    }

    /// Sorts addresses so that the families alternate, starting with the family of the first one (RFC 8305, section 4).
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

/// A connection attempt in flight; a class, because arrays cannot contain noncopyable values.
private final class ConnectionAttempt {
    let endpoint: Endpoint
    let descriptor: Int32
    var socket: Socket?

    init(_ socket: consuming Socket) {
        descriptor = socket.descriptor
        endpoint = socket.endpoint
        self.socket = consume socket
    }
}
