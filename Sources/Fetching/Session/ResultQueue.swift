internal import Synchronization

/// The queue of events from the workers to the consumer of a run.
final class ResultQueue: Sendable {
    private struct State: ~Copyable {
        /// New events. They are moved to `outgoing`, and leave the queue from its end.
        var incoming: [FetchEvent] = []
        var outgoing: [FetchEvent] = []
        /// Total size of the events in bytes.
        var size = 0
        var isWakeUpRequested = false
        /// Whether a worker found the queue full and may wait for room.
        var hasWaitingWorkers = false

        func exceeds(count: Int, size: Int) -> Bool { incoming.count + outgoing.count >= count || self.size >= size }
    }

    /// Number of waiting events at which workers stop starting new hosts.
    static let capacity = 512
    /// Total size of waiting events at which workers stop starting new hosts, in bytes.
    static let maximumSize = 16 << 20

    private let state = Mutex(State())

    /// Whether an event is available or a wake-up was requested.
    var hasEvents: Bool {
        state.withLock { !$0.incoming.isEmpty || !$0.outgoing.isEmpty || $0.isWakeUpRequested }
    }

    /// Whether workers must not start new hosts. If true, a later ``popFirst()`` reports that there is room.
    func isFull() -> Bool {
        state.withLock { state in
            guard state.exceeds(count: Self.capacity, size: Self.maximumSize) else { return false }
            state.hasWaitingWorkers = true
            return true
        }
    }

    func append(_ event: FetchEvent) {
        state.withLock { state in
            state.size += event.size
            state.incoming.append(event)
        }
    }

    /// - Returns: the next event, and whether workers that found the queue full should try again.
    func popFirst() -> (event: FetchEvent?, makesRoom: Bool) {
        state.withLock { state in
            state.isWakeUpRequested = false
            if state.outgoing.isEmpty {
                state.outgoing = state.incoming.reversed()
                state.incoming.removeAll(keepingCapacity: true)
            }
            let event = state.outgoing.popLast()
            state.size -= event?.size ?? 0
            // Half of the queue must be free, so that the workers do not wake up for each event.
            guard state.hasWaitingWorkers, !state.exceeds(count: Self.capacity / 2, size: Self.maximumSize / 2) else {
                return (event, false)
            }
            state.hasWaitingWorkers = false
            return (event, true)
        }
    }

    /// Makes ``hasEvents`` true until the next ``popFirst()``.
    func requestWakeUp() { state.withLock { $0.isWakeUpRequested = true } }
}
