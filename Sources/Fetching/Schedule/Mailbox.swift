internal import Synchronization

/// Results on their way from the loops to whoever asked for them.
final class Mailbox: Sendable {
    private struct State: ~Copyable {
        /// Taken from the end of `outgoing`, which is filled from `incoming` when it is empty.
        var incoming: [Fetcher.Event] = []
        var outgoing: [Fetcher.Event] = []
        var isCalled = false
        var isFull: Bool { incoming.count + outgoing.count >= Mailbox.capacity }
    }

    /// No new host is begun with while so many results wait to be taken.
    private static let capacity = 512

    private let state = Mutex(State())

    /// Whether there is something to take, or somebody has called.
    var hasNews: Bool { state.withLock { !$0.incoming.isEmpty || !$0.outgoing.isEmpty || $0.isCalled } }

    var isFull: Bool { state.withLock { $0.isFull } }

    func put(_ event: Fetcher.Event) { state.withLock { $0.incoming.append(event) } }

    func put(contentsOf events: [Fetcher.Event]) { state.withLock { $0.incoming += events } }

    /// - Returns: the next event, and whether there is room again for those who may have found none.
    func take() -> (event: Fetcher.Event?, makesRoom: Bool) {
        state.withLock { state in
            state.isCalled = false
            let count = state.incoming.count + state.outgoing.count
            if state.outgoing.isEmpty {
                state.outgoing = state.incoming.reversed()
                state.incoming.removeAll(keepingCapacity: true)
            }
            return (state.outgoing.popLast(), count == Self.capacity / 2)
        }
    }

    /// Makes ``hasNews`` true until something is taken.
    func call() { state.withLock { $0.isCalled = true } }
}
