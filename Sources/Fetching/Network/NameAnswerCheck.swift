internal import PlaintextProtocols
internal import Synchronization

/// Checks the name servers' answers about several names, each within a time limit.
///
/// A look-up can last longer than this limit, so it is made on a background thread, which is abandoned at the time limit. res_query(3) of
/// glibc limits the time only over UDP: after a truncated answer it asks over TCP, where connect(2) and read(2) wait without a limit
/// (`send_vc` in resolv/res_send.c). ``StreamLimit`` ends this wait, so that the thread can take another query.
package final class NameAnswerCheck: Sendable {
    /// The addresses to ask for.
    package struct Query: Hashable, Sendable {
        let name: String
        let family: AddressFamily

        /// - Parameter family: ``AddressFamily/any`` asks for the addresses of both families.
        package init(name: String, family: AddressFamily) { (self.name, self.family) = (name, family) }
    }

    private struct State: ~Copyable {
        /// Queries that no thread has taken yet.
        var waiting: [Query]
        /// Queries that a thread has taken, with the ends of their time limits.
        var running: [Query: MonotonicTime] = [:]
        var answers: [Query: NameAnswer.Addresses] = [:]
        /// Number of threads, including those that were abandoned.
        var threads = 0
    }

    /// Number of threads that start together.
    private static let threadsAtOnce = 32
    /// Maximum number of threads if some look-ups are not answered.
    private static let maximumThreads = 512

    private let state: Mutex<State>
    private let timeout: Duration
    private let patience: Duration
    private let lookUp: @Sendable (Query) -> NameAnswer.Addresses
    /// Nil if the process has no file descriptors left. An abandoned thread can still write to the pipe.
    private let wakePipe = WakePipe()

    /// - Parameters:
    ///   - timeout: time limit of each look-up.
    ///   - patience: time without an answer after which more threads start for the queries that no thread has taken.
    ///   - lookUp: the blocking look-up; tests replace it.
    init(
        of queries: some Sequence<Query>, timeout: Duration, patience: Duration = .milliseconds(100),
        lookUp: @escaping @Sendable (Query) -> NameAnswer.Addresses = { NameAnswer.addresses(of: $0.name, $0.family) }
    ) {
        state = Mutex(State(waiting: Array(Set(queries))))
        (self.timeout, self.patience, self.lookUp) = (timeout, patience, lookUp)
    }

    deinit { wakePipe?.closeEnds() }

    /// The addresses of each name in the answers of the name servers.
    ///
    /// - Parameter timeout: time limit of each look-up.
    package static func answers(
        to queries: some Sequence<Query>, timeout: Duration
    ) -> [Query: NameAnswer.Addresses] {
        NameAnswerCheck(of: queries, timeout: timeout).answers()
    }

    /// Makes the look-ups; see ``answers(to:timeout:)``. Call it once.
    func answers() -> [Query: NameAnswer.Addresses] {
        startThreads()
        while let moment = nextMoment() {
            guard let wakePipe else { break }
            let isSignalled = wakePipe.wait(milliseconds: MonotonicTime.now.milliseconds(until: moment))
            if !isSignalled { startThreads() }
        }
        return state.withLock { state in
            // No thread could be started for these.
            for query in state.waiting + state.running.keys {
                state.answers[query] = NameAnswer.Addresses(
                    reason: "the answers of the name server about \(query.name) could not be checked")
            }
            state.waiting = []
            state.running = [:]
            return state.answers
        }
    }

    /// Abandons the look-ups whose time limit has passed.
    ///
    /// - Returns: when to continue without an answer; nil if there is nothing to wait for.
    private func nextMoment() -> MonotonicTime? {
        let now = MonotonicTime.now
        return state.withLock { state in
            for (query, deadline) in state.running where deadline <= now {
                state.running[query] = nil
                state.answers[query] = NameAnswer.Addresses(
                    reason: "the name server did not answer within \(timeout.inSeconds)")
            }
            let isWaiting = !state.waiting.isEmpty && state.threads < Self.maximumThreads
            return (state.running.values + (isWaiting ? [now + patience] : [])).min()
        }
    }

    /// Starts threads for the queries that no thread has taken.
    private func startThreads() {
        let count = state.withLock { state in
            let count = min(state.waiting.count, Self.threadsAtOnce, Self.maximumThreads - state.threads)
            state.threads += count
            return count
        }
        for number in 0..<max(0, count) where !BackgroundThread.start({ self.work() }) {
            // The threads that could not be started count as used up, so that the loop in `answers` ends.
            return state.withLock { $0.threads = number == 0 ? Self.maximumThreads : $0.threads - (count - number) }
        }
    }

    private func work() {
        let limit = MonotonicTime.now.milliseconds(until: .now + timeout)
        while let query = takeQuery() {
            let answer = StreamLimit.within(milliseconds: limit) { lookUp(query) }
            state.withLock { state in
                guard state.running.removeValue(forKey: query) != nil else { return }
                state.answers[query] = answer
            }
            wakePipe?.signal()
        }
        state.withLock { $0.threads -= 1 }
    }

    private func takeQuery() -> Query? {
        let deadline = MonotonicTime.now + timeout
        return state.withLock { state in
            guard let query = state.waiting.popLast() else { return nil }
            state.running[query] = deadline
            return query
        }
    }
}
