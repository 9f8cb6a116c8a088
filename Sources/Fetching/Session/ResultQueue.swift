internal import Synchronization

/// The queue of events from the workers to the consumer of a run.
final class ResultQueue: Sendable {
    private struct State: ~Copyable {
        /// New events. They are moved to `outgoing`, and leave the queue from its end.
        var incoming: [FetchEvent] = []
        var outgoing: [FetchEvent] = []
        var isWakeUpRequested = false
        var isFull: Bool { incoming.count + outgoing.count >= ResultQueue.capacity }
    }

    /// Number of waiting events at which workers stop starting new hosts.
    private static let capacity = 512

    private let state = Mutex(State())

    /// Whether an event is available or a wake-up was requested.
    var hasEvents: Bool {
        state.withLock { !$0.incoming.isEmpty || !$0.outgoing.isEmpty || $0.isWakeUpRequested }
    }

    var isFull: Bool { state.withLock { $0.isFull } }

    func append(_ event: FetchEvent) { state.withLock { $0.incoming.append(event) } }

    /// - Returns: the next event, and whether workers that found the queue full should try again.
    func popFirst() -> (event: FetchEvent?, makesRoom: Bool) {
        state.withLock { state in
            state.isWakeUpRequested = false
            let count = state.incoming.count + state.outgoing.count
            if state.outgoing.isEmpty {
                state.outgoing = state.incoming.reversed()
                state.incoming.removeAll(keepingCapacity: true)
            }
            return (state.outgoing.popLast(), count == Self.capacity / 2)
        }
    }

    /// Makes ``hasEvents`` true until the next ``popFirst()``.
    func requestWakeUp() { state.withLock { $0.isWakeUpRequested = true } }
}
