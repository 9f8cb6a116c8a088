internal import Synchronization

/// One thread that runs tasks and waits for their sockets.
///
/// Code that takes an `isolated EventLoop` runs on the loop's thread, one piece at a time, and suspends only in
/// ``wait(for:on:until:)`` and its like. The thread is whichever calls ``run(until:)``.
package actor EventLoop {
    /// One suspension. The generation tells a slot's present wait from its earlier ones.
    struct WaitID: Hashable, Sendable {
        let slot: Int
        let generation: UInt32
    }

    enum Outcome: Sendable {
        case ready
        case timedOut
    }

    private struct Wait {
        var generation: UInt32 = 0
        var continuation: CheckedContinuation<Int?, Never>?
        var descriptors: [Int32] = []
    }

    private static let pollingInterval = Duration.milliseconds(10)

    /// What tasks on this loop must prefer: `Task(executorPreference: loop.executor)`.
    nonisolated let executor: LoopExecutor
    private nonisolated let bell: WakePipe
    private let poller: any Poller
    private var waits: [Wait] = []
    private var freeSlots: [Int] = []
    private var waiterOf: [Int32: WaitID] = [:]
    private var deadlines = DeadlineHeap()
    /// How long nobody has run the loop, but for moments; in nanoseconds.
    private var standstill: Int64 = 0
    private var lastRun: MonotonicTime?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Nil where the system has no descriptors left for it.
    package init?() {
        #if os(Linux)
            guard let poller = EpollPoller() else { return nil }
            self.init(poller: poller)
        #else
            self.init(poller: PollPoller())
        #endif
    }

    init?(poller: sending any Poller) {
        guard let bell = WakePipe() else { return nil }
        self.bell = bell
        self.poller = poller
        executor = LoopExecutor(bell: bell)
        guard poller.watch(bell.readEnd, for: .readable) == 0 else { return nil }
    }

    deinit { bell.closeEnds() }

    /// What is shorter than this is not a standstill but the ordinary work between two runs.
    private static let leastStandstill: Int64 = 100_000_000

    /// The moment by the loop's own clock, which deadlines are given in: it stands still while nobody runs the loop.
    ///
    /// Whoever is slow to take results would otherwise find that the hosts under way had all run out of time meanwhile.
    var now: MonotonicTime { loopTime(of: .now) }

    /// When that moment of the loop's own clock is, if the loop keeps running.
    func realTime(of moment: MonotonicTime) -> MonotonicTime { moment.later(by: standstill) }

    /// That moment by the loop's own clock, if the loop keeps running.
    func loopTime(of moment: MonotonicTime) -> MonotonicTime { moment.later(by: -standstill) }

    /// Runs the loop on this thread until `isDone`, which is asked whenever nothing is left to run, or until `end`.
    package nonisolated func run(before end: MonotonicTime? = nil, until isDone: () -> Bool) {
        assumeIsolated { $0.noteStandstill() }
        defer { assumeIsolated { $0.lastRun = .now } }
        while true {
            executor.runQueued()
            if isDone() { return }
            if let end, end <= .now { return }
            assumeIsolated { $0.turn(before: end) }
        }
    }

    /// Has ``run(before:until:)`` ask whether it is done, from any thread.
    nonisolated func wake() { executor.wake() }

    private func noteStandstill() {
        guard let lastRun else { return }
        let gap = MonotonicTime.now.nanoseconds - lastRun.nanoseconds
        if gap > Self.leastStandstill { standstill += gap }
    }

    /// Suspends until `descriptor` is ready, or the deadline has passed.
    func wait(for interest: Interest, on descriptor: Int32, until deadline: MonotonicTime) async -> Outcome {
        await wait(for: interest, onAnyOf: [descriptor], until: deadline) == nil ? .timedOut : .ready
    }

    /// Suspends until one of the descriptors is ready.
    ///
    /// - Returns: its index, or nil when the deadline has passed first.
    func wait(for interest: Interest, onAnyOf descriptors: [Int32], until deadline: MonotonicTime) async -> Int? {
        for (index, descriptor) in descriptors.enumerated() where poller.watch(descriptor, for: interest) != 0 {
            // What cannot be watched is called ready now and then: the next read or write says what is wrong with it. Where
            // it is the system that has no room for one more, this is to poll.
            let next = min(deadline, now + Self.pollingInterval)
            _ = await suspend(until: next, descriptors: []) { _ in }
            return next < deadline ? index : nil
        }
        return await suspend(until: deadline, descriptors: descriptors) { _ in }
    }

    /// Suspends until `start`'s wait is ended by ``fire(_:)``, from any thread, or the deadline has passed.
    func wait(until deadline: MonotonicTime, _ start: (WaitID) -> Void) async -> Outcome {
        await suspend(until: deadline, descriptors: [], start) == nil ? .timedOut : .ready
    }

    nonisolated func fire(_ wait: WaitID) { executor.fire(wait) }

    /// To be called before a descriptor is closed.
    func forget(_ descriptor: Int32) {
        poller.forget(descriptor)
        waiterOf[descriptor] = nil
    }

    private func suspend(
        until deadline: MonotonicTime,
        descriptors: [Int32],
        _ start: (WaitID) -> Void
    ) async -> Int? {
        await withCheckedContinuation(isolation: self) { continuation in
            let slot = freeSlots.popLast() ?? waits.count
            if slot == waits.count { waits.append(Wait()) }
            waits[slot].continuation = continuation
            waits[slot].descriptors = descriptors
            let wait = WaitID(slot: slot, generation: waits[slot].generation)
            for descriptor in descriptors { waiterOf[descriptor] = wait }
            deadlines.insert(wait, at: deadline)
            start(wait)
        }
    }

    private func finish(_ wait: WaitID, with result: Int?) {
        guard isPending(wait), let continuation = waits[wait.slot].continuation else { return }
        for descriptor in waits[wait.slot].descriptors where waiterOf[descriptor] == wait { waiterOf[descriptor] = nil }
        waits[wait.slot] = Wait(generation: wait.generation &+ 1)
        freeSlots.append(wait.slot)
        continuation.resume(returning: result)
    }

    private func isPending(_ wait: WaitID) -> Bool {
        waits[wait.slot].generation == wait.generation
    }

    /// Waits once for whatever comes first, and ends the waits that it ends.
    private func turn(before end: MonotonicTime?) {
        let pending = waits.count - freeSlots.count
        deadlines.prune(whenOver: 2 * pending + 64) { isPending($0) }
        var timeout: Int32 = 0
        if executor.mayFallAsleep() {
            var next = deadlines.first.map { realTime(of: $0) }
            if let end { next = next.map { min($0, end) } ?? end }
            timeout = next.map { MonotonicTime.now.milliseconds(until: $0) } ?? -1
        }
        let ready = poller.wait(milliseconds: timeout)
        executor.wakeUp()
        for descriptor in ready {
            if descriptor == bell.readEnd {
                bell.hush()
            } else if let wait = waiterOf[descriptor] {
                finish(wait, with: waits[wait.slot].descriptors.firstIndex(of: descriptor))
            } else {
                // Nobody waits for it now; left in place it would be reported at every turn.
                poller.forget(descriptor)
            }
        }
        for wait in executor.takeFired() { finish(wait, with: 0) }
        let now = now
        while let wait = deadlines.popFirst(ifNotAfter: now) { finish(wait, with: nil) }
    }
}
