internal import Synchronization

/// Decides for all workers of a run which host is next, and when it starts.
final class Schedule: Sendable {
    /// A host in flight, or one that waits for a retry.
    struct Job: Sendable {
        /// Position in the run's input, from 0.
        let index: Int
        let target: Target
        /// Number of failed attempts so far.
        var failures = 0
        /// The URLs in certificates that were requested for this host; nil before the first attempt, and if none may be requested.
        var issuerRequests: IssuerRequests?
        /// The chains of this host; nil if the run connects to one address of each host.
        var chains: HostChains?
    }

    /// The next action of a worker.
    enum NextAction: Sendable {
        case start(Job)
        case skip(index: Int, Target)
        case reportInvalidLine(InvalidTargetLine)
        /// Report the error of a host that was waiting for a retry, because no retry will be made.
        case reportFailure(Job, FetchError)
        /// Wait until this time or until the state changes.
        case wait(until: MonotonicTime, Version)
        case finish
    }

    /// Identifies the state that a worker saw when it decided to wait.
    struct Version: Sendable {
        fileprivate let changes: UInt64
    }

    struct StopHandlerID: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    private enum Phase {
        case running
        /// No new host starts; hosts in flight finish.
        case draining
        case abandoned
    }

    private struct Retry: Sendable {
        let due: MonotonicTime
        let job: Job
        let error: FetchError
    }

    private struct State: ~Copyable {
        var phase = Phase.running
        var isPaused = false
        var nextIndex = 0
        var inFlight = 0
        /// Hosts that wait for a retry, in descending order of time, so that the next one is last.
        var retries: [Retry] = []
        var rateLimiter: RateLimiter?
        /// The entry that was taken from the channel when the rate limit allowed no start.
        var pendingEntry: TargetChannel.Entry?
        var reachedEnd = false
        /// The wake-up closures of waiting workers, by worker number.
        var parked: [Int: @Sendable () -> Void] = [:]
        var stopHandlers: [StopHandlerID: @Sendable () -> Void] = [:]
        var nextStopHandler: UInt64 = 0
        var changes: UInt64 = 0
        var generator = SystemRandomNumberGenerator()
    }

    private let state: Mutex<State>
    private let channel: TargetChannel
    private let retryPolicy: RetryPolicy
    /// Maximum number of hosts that wait for a retry. If it is reached, no new host starts.
    private let maximumWaitingRetries: Int

    init(_ channel: TargetChannel, _ load: LoadLimits) {
        self.channel = channel
        retryPolicy = RetryPolicy(maximumRetries: load.retries)
        maximumWaitingRetries = max(1024, 2 * load.jobs)
        state = Mutex(State(rateLimiter: load.rate.map { RateLimiter(perSecond: $0, from: .now) }))
        channel.onArrival { [weak self] in self?.signalChange() }
    }

    /// Whether the run has no work left.
    var isFinished: Bool {
        state.withLock { state in
            if state.phase == .abandoned { return true }
            return state.inFlight == 0 && state.retries.isEmpty && (state.reachedEnd || state.phase == .draining)
        }
    }

    /// Whether ``drain()`` or ``abandon()`` was called.
    var isStopping: Bool { state.withLock { $0.phase != .running } }

    /// The version of the current state.
    var version: Version { state.withLock { Version(changes: $0.changes) } }

    /// Decides what the calling worker does next. A returned job counts as in flight.
    func next(at now: MonotonicTime) -> NextAction {
        state.withLock { state in
            switch state.phase {
            case .abandoned: return .finish
            case .draining:
                guard let retry = state.retries.popLast() else { return .finish }
                state.inFlight += 1
                return .reportFailure(retry.job, retry.error)
            case .running: return nextWhileRunning(&state, at: now)
            }
        }
    }

    private func nextWhileRunning(_ state: inout State, at now: MonotonicTime) -> NextAction {
        let version = Version(changes: state.changes)
        let due = state.retries.last?.due ?? .distantFuture
        if due <= now {
            if let later = state.rateLimiter?.acquire(at: now) { return .wait(until: later, version) }
            guard let retry = state.retries.popLast() else { return .wait(until: .distantFuture, version) }
            state.inFlight += 1
            return .start(retry.job)
        }
        // Retries continue during a pause, because the consumer may wait for the result of exactly that host.
        guard !state.isPaused, state.retries.count < maximumWaitingRetries else { return .wait(until: due, version) }
        let entry: TargetChannel.Entry
        switch state.pendingEntry.take().map({ .entry($0) }) ?? channel.take() {
        case .entry(let taken): entry = taken
        case .nothing: return .wait(until: due, version)
        case .end:
            if !state.reachedEnd { Self.countChange(&state) }
            state.reachedEnd = true
            // The run may not be finished, because a host in flight may still need a retry.
            let mayRetry = !state.retries.isEmpty || retryPolicy.maximumRetries > 0 && state.inFlight > 0
            return mayRetry ? .wait(until: due, Version(changes: state.changes)) : .finish
        }
        switch entry {
        case .invalidLine(let line): return .reportInvalidLine(line)
        case .skipped(let target): return .skip(index: Self.takeIndex(&state), target)
        case .target(let target):
            if let later = state.rateLimiter?.acquire(at: now) {
                state.pendingEntry = entry
                return .wait(until: min(due, later), version)
            }
            state.inFlight += 1
            return .start(Job(index: Self.takeIndex(&state), target: target))
        }
    }

    private static func takeIndex(_ state: inout State) -> Int {
        defer { state.nextIndex += 1 }
        return state.nextIndex
    }

    /// Queues a host for a retry if the retry policy allows one.
    ///
    /// - Returns: whether the host was queued. If not, it is still in flight, and the error is its result.
    func retry(_ job: Job, after error: FetchError) -> Bool {
        var job = job
        job.failures += 1
        guard retryPolicy.allowsRetry(after: error, failures: job.failures) else { return false }
        return change { [job] state in
            guard state.phase == .running else { return false }
            let pause = RetryPolicy.pause(afterFailures: job.failures, using: &state.generator)
            let retry = Retry(due: .now + pause, job: job, error: error)
            let index = state.retries.lastIndex { $0.due >= retry.due }.map { $0 + 1 } ?? 0
            state.retries.insert(retry, at: index)
            state.inFlight -= 1
            return true
        }
    }

    /// The time of a retry that the caller makes itself; nil if the retry policy allows none, or if the run is stopping.
    ///
    /// - Parameter failures: the number of failed attempts so far, at least 1.
    func retryTime(after error: FetchError, failures: Int) -> MonotonicTime? {
        state.withLock { state in
            guard state.phase == .running, retryPolicy.allowsRetry(after: error, failures: failures) else { return nil }
            return .now + RetryPolicy.pause(afterFailures: failures, using: &state.generator)
        }
    }

    /// Counts a start that the caller makes itself against the rate limit.
    ///
    /// - Returns: nil if the start is allowed now; otherwise the time of the next allowed start.
    func acquireStart(at now: MonotonicTime) -> MonotonicTime? {
        state.withLock { $0.rateLimiter?.acquire(at: now) }
    }

    /// Counts a host in flight as finished. Its result must be in the result queue already.
    func finish() {
        let isLast = state.withLock { state in
            state.inFlight -= 1
            return state.inFlight == 0
        }
        // Workers wait only for the last host in flight.
        if isLast { signalChange() }
    }

    /// Pauses or resumes the run. While it is paused, no new host starts.
    func setPaused(_ isPaused: Bool) { change { $0.isPaused = isPaused } }

    func drain() { stop(.draining) }

    func abandon() { stop(.abandoned) }

    private func stop(_ phase: Phase) {
        let handlers = change { state in
            if state.phase != .abandoned { state.phase = phase }
            let handlers = state.stopHandlers
            state.stopHandlers = [:]
            return handlers
        }
        for handler in handlers.values { handler() }
        channel.close()
    }

    /// Calls `handler` when the run is drained or abandoned, or at once if it already was.
    func addStopHandler(_ handler: @escaping @Sendable () -> Void) -> StopHandlerID? {
        let id: StopHandlerID? = state.withLock { state in
            guard state.phase == .running else { return nil }
            let id = StopHandlerID(number: state.nextStopHandler)
            state.nextStopHandler += 1
            state.stopHandlers[id] = handler
            return id
        }
        if id == nil { handler() }
        return id
    }

    func removeStopHandler(_ id: StopHandlerID) { state.withLock { $0.stopHandlers[id] = nil } }

    /// Calls `wake` when the state changes, or at once if it has changed since `version`.
    ///
    /// - Parameter worker: the number of the waiting worker.
    func park(_ worker: Int, _ version: Version, _ wake: @escaping @Sendable () -> Void) {
        let hasChanged = state.withLock { state in
            guard state.changes == version.changes else { return true }
            state.parked[worker] = wake
            return false
        }
        if hasChanged { wake() }
    }

    /// Makes waiting workers call ``next(at:)`` again.
    func signalChange() { change { _ in } }

    @discardableResult
    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        let (result, parked) = state.withLock { state in
            let result = body(&state)
            Self.countChange(&state)
            let parked = state.parked
            if !parked.isEmpty { state.parked.removeAll(keepingCapacity: true) }
            return (result, parked)
        }
        for wake in parked.values { wake() }
        return result
    }

    private static func countChange(_ state: inout State) { state.changes &+= 1 }
}
