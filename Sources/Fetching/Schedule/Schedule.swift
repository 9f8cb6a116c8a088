internal import Synchronization

/// What is to be fetched next and when, for all loops of a run together.
final class Schedule: Sendable {
    /// A host that is under way, or waits to be tried again.
    struct Job: Sendable {
        /// Its place among all, from 0.
        let index: Int
        let target: Target
        var failures = 0
    }

    /// What a loop does next.
    enum Turn: Sendable {
        case start(Job)
        /// To be passed on, not to be connected to.
        case unasked(index: Int, Target)
        case refused(RefusedLine)
        /// Time is up for one that waited to be tried again.
        case giveUp(Job, FetchError)
        /// Nothing, until that moment or until something changes.
        case wait(until: MonotonicTime, Ticket)
        /// Nothing any more.
        case over
    }

    /// Which state of things a loop has seen when it decided to wait.
    struct Ticket: Sendable {
        fileprivate let changes: UInt64
    }

    private enum Course {
        case running
        /// Nothing new is begun; what is under way is finished.
        case draining
        case abandoned
    }

    private struct Retry: Sendable {
        let due: MonotonicTime
        let job: Job
        let error: FetchError
    }

    private struct State: ~Copyable {
        var course = Course.running
        var isHeld = false
        var nextIndex = 0
        var inFlight = 0
        /// The next one last.
        var retries: [Retry] = []
        var pace: Pace?
        /// Taken from the channel, and not begun with yet.
        var taken: TargetChannel.Entry?
        var reachedEnd = false
        /// Loops that wait, by their numbers.
        var parked: [Int: @Sendable () -> Void] = [:]
        var changes: UInt64 = 0
        var generator = SystemRandomNumberGenerator()
    }

    private let state: Mutex<State>
    private let channel: TargetChannel
    private let retries: Int
    /// While so many hosts wait to be tried again, no new one is taken.
    private let retryBound: Int

    init(_ channel: TargetChannel, _ load: Fetcher.Load) {
        self.channel = channel
        retries = load.retries
        retryBound = max(1024, 2 * load.jobs)
        state = Mutex(State(pace: load.rate.map { Pace(perSecond: $0, from: .now) }))
        channel.whenMoreComes { [weak self] in self?.change { _ in } }
    }

    /// Whether everything that will be done is done.
    var isOver: Bool {
        state.withLock { state in
            if state.course == .abandoned { return true }
            return state.inFlight == 0 && state.retries.isEmpty && (state.reachedEnd || state.course == .draining)
        }
    }

    /// Whether nothing new is begun any more, because somebody said so.
    var isEnding: Bool { state.withLock { $0.course != .running } }

    /// The present state of things.
    var ticket: Ticket { state.withLock { Ticket(changes: $0.changes) } }

    /// Decides what the loop that asks does next; what it is given to start counts as under way.
    func next(at now: MonotonicTime) -> Turn {
        state.withLock { state in
            switch state.course {
            case .abandoned: return .over
            case .draining:
                guard let retry = state.retries.popLast() else { return .over }
                state.inFlight += 1
                return .giveUp(retry.job, retry.error)
            case .running: return runningTurn(&state, at: now)
            }
        }
    }

    private func runningTurn(_ state: inout State, at now: MonotonicTime) -> Turn {
        let ticket = Ticket(changes: state.changes)
        let due = state.retries.last?.due ?? .never
        if due <= now {
            if let later = state.pace?.begin(at: now) { return .wait(until: later, ticket) }
            guard let retry = state.retries.popLast() else { return .wait(until: .never, ticket) }
            state.inFlight += 1
            return .start(retry.job)
        }
        // A host that was begun with is gone on with all the same: it may be the one whose result the others wait for.
        guard !state.isHeld, state.retries.count < retryBound else { return .wait(until: due, ticket) }
        let entry: TargetChannel.Entry
        switch state.taken.take().map({ .entry($0) }) ?? channel.take() {
        case .entry(let taken): entry = taken
        case .nothing: return .wait(until: due, ticket)
        case .end:
            if !state.reachedEnd { Self.noteChange(&state) }
            state.reachedEnd = true
            // What is under way may have to be tried again.
            let mayReturn = !state.retries.isEmpty || retries > 0 && state.inFlight > 0
            return mayReturn ? .wait(until: due, Ticket(changes: state.changes)) : .over
        }
        switch entry {
        case .refused(let line): return .refused(line)
        case .unasked(let target): return .unasked(index: Self.number(&state), target)
        case .target(let target):
            if let later = state.pace?.begin(at: now) {
                state.taken = entry
                return .wait(until: min(due, later), ticket)
            }
            state.inFlight += 1
            return .start(Job(index: Self.number(&state), target: target))
        }
    }

    private static func number(_ state: inout State) -> Int {
        defer { state.nextIndex += 1 }
        return state.nextIndex
    }

    /// When another try may begin that this schedule does not keep; nil where it is counted as begun now.
    func beginsTry(at now: MonotonicTime) -> MonotonicTime? { state.withLock { $0.pace?.begin(at: now) } }

    /// Puts a host aside to be tried again, where that is worth while.
    ///
    /// - Returns: whether it was; if not, the error is the host's result, and the host is still under way.
    func retry(_ job: Job, after error: FetchError) -> Bool {
        guard job.failures < retries, error.mayPass else { return false }
        return change { state in
            guard state.course == .running else { return false }
            var job = job
            job.failures += 1
            let pause = Backoff.pause(afterFailures: job.failures, using: &state.generator)
            let retry = Retry(due: .now + pause, job: job, error: error)
            let place = state.retries.lastIndex { $0.due >= retry.due }.map { $0 + 1 } ?? 0
            state.retries.insert(retry, at: place)
            state.inFlight -= 1
            return true
        }
    }

    /// The result of a host that was under way has been put where results go.
    func finish() {
        let mustTell = state.withLock { state in
            state.inFlight -= 1
            return state.inFlight == 0
        }
        // Whoever waits for the last one waits for nothing else.
        if mustTell { change { _ in } }
    }

    /// Begins with nothing new for as long as this holds.
    func hold(_ isHeld: Bool) { change { $0.isHeld = isHeld } }

    func drain() {
        change { if $0.course == .running { $0.course = .draining } }
        channel.close()
    }

    func abandon() {
        change { $0.course = .abandoned }
        channel.close()
    }

    /// Calls `wake` at the next change; at once where something has changed since the ticket was given.
    ///
    /// - Parameter loop: the number of the loop that waits.
    func park(_ loop: Int, _ ticket: Ticket, _ wake: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            guard state.changes == ticket.changes else { return true }
            state.parked[loop] = wake
            return false
        }
        if isLate { wake() }
    }

    /// Tells a loop that waits to look again.
    func noteChange() { change { _ in } }

    @discardableResult
    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        let (result, parked) = state.withLock { state in
            let result = body(&state)
            Self.noteChange(&state)
            let parked = state.parked
            if !parked.isEmpty { state.parked.removeAll(keepingCapacity: true) }
            return (result, parked)
        }
        for wake in parked.values { wake() }
        return result
    }

    private static func noteChange(_ state: inout State) { state.changes &+= 1 }
}
