internal import Synchronization

/// The addresses of one host that a run connects to, in their order, and the outcome of each.
///
/// Several tasks take addresses from it, so the number of tasks limits the number of connections.
final class AddressQueue: Sendable {
    /// One address that a task has taken.
    struct Turn: Sendable {
        /// Position among the addresses, from 0.
        let index: Int
        let endpoint: Endpoint
        /// Whether the address did not wait for the connection to another one.
        var isFirst: Bool { index < AddressLimits.maximumConnections }
    }

    private struct State: ~Copyable {
        var taken = 0
        var finished = 0
        var results: [AddressResult?]
    }

    private let endpoints: [Endpoint]
    private let state: Mutex<State>

    /// - Parameter endpoints: the addresses; only the first ``AddressLimits/maximumAddresses`` are in the queue.
    init(_ endpoints: [Endpoint]) {
        self.endpoints = Array(endpoints.prefix(AddressLimits.maximumAddresses))
        state = Mutex(State(results: [AddressResult?](repeating: nil, count: self.endpoints.count)))
    }

    /// Number of tasks that take addresses.
    var taskCount: Int { min(endpoints.count, AddressLimits.maximumConnections) }

    /// Takes the next address; nil if all were taken.
    func next() -> Turn? {
        let index = state.withLock { state in
            defer { state.taken += 1 }
            return state.taken
        }
        return endpoints.indices.contains(index) ? Turn(index: index, endpoint: endpoints[index]) : nil
    }

    /// - Returns: whether this was the last outcome.
    func finish(_ turn: Turn, with outcome: Result<HandshakeResult, FetchError>) -> Bool {
        state.withLock { state in
            state.results[turn.index] = AddressResult(endpoint: turn.endpoint, outcome: outcome)
            state.finished += 1
            return state.finished == state.results.count
        }
    }

    /// The outcomes in the order of the addresses.
    var results: [AddressResult] { state.withLock { $0.results.compactMap(\.self) } }
}
