internal import Synchronization

/// Runs tasks on one thread and waits for their sockets and deadlines.
///
/// Code with an `isolated EventLoop` parameter runs on the loop's thread and suspends only in the `wait` methods. The thread is
/// the one that calls ``run(before:until:)``.
package actor EventLoop {
    /// Identifies one suspension. Successive waits in the same slot have different generations.
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
    /// Minimum number of waits with which the loop collects ready descriptors.
    private static let minimumWaitsToCollect = 32
    /// Time for which the loop collects ready descriptors, in milliseconds.
    private static let collectingTime: Int32 = 1

    /// The executor that tasks of this loop must prefer: `Task(executorPreference: loop.executor)`.
    package nonisolated let executor: LoopExecutor
    private nonisolated let wakePipe: WakePipe
    private let poller: any Poller
    private var waits: [Wait] = []
    private var freeSlots: [Int] = []
    private var waiters = DescriptorTable<WaitID>()
    private var deadlines = DeadlineHeap()
    private let clock: @Sendable () -> MonotonicTime
    /// The time of the last poll.
    private var lastPoll: MonotonicTime
    /// Total time before ``lastPoll`` that does not count on the loop's own clock, in nanoseconds.
    private var uncountedTime: Int64 = 0

    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Nil if the process has no file descriptors left.
    package init?() {
        #if os(Linux)
            guard let poller = EpollPoller() else { return nil }
            self.init(poller: poller)
        #else
            self.init(poller: PollPoller())
        #endif
    }

    /// - Parameter clock: the monotonic clock; tests replace it.
    init?(poller: sending any Poller, clock: @escaping @Sendable () -> MonotonicTime = { .now }) {
        guard let wakePipe = WakePipe() else { return nil }
        self.wakePipe = wakePipe
        self.poller = poller
        self.clock = clock
        lastPoll = clock()
        executor = LoopExecutor(wakePipe: wakePipe)
        guard poller.watch(wakePipe.readEnd, for: .readable) == 0 else { return nil }
    }

    deinit { wakePipe.closeEnds() }

    /// Maximum time after a poll that counts on the loop's own clock, in nanoseconds.
    private static let maximumCountedTime: Int64 = 100_000_000

    /// The current time on the loop's own clock. Deadlines use this clock.
    ///
    /// The loop's clock stops if there is no poll for 100 ms, and continues at the next poll. Between polls the loop does not know
    /// which hosts have answered. So a host does not time out while the consumer handles a result, or while the loop processes the
    /// chains of many other hosts.
    package var now: MonotonicTime { loopTime(of: clock()) }

    /// Converts a time on the loop's clock to the monotonic clock, assuming that the loop polls often from now on.
    func realTime(of moment: MonotonicTime) -> MonotonicTime { moment.later(by: uncountedTime(at: clock())) }

    /// Converts a time on the monotonic clock to the loop's clock, assuming that the loop polls often from now on.
    func loopTime(of moment: MonotonicTime) -> MonotonicTime { moment.later(by: -uncountedTime(at: clock())) }

    private func uncountedTime(at present: MonotonicTime) -> Int64 {
        uncountedTime + max(0, present.nanoseconds - lastPoll.nanoseconds - Self.maximumCountedTime)
    }

    /// Runs the loop on this thread until `end` or until `isDone` returns true; `isDone` is called when no job is queued.
    package nonisolated func run(before end: MonotonicTime? = nil, until isDone: () -> Bool) {
        while true {
            executor.runQueued()
            if isDone() { return }
            if let end, end <= clock() { return }
            assumeIsolated { $0.runOnce(before: end) }
        }
    }

    /// Makes ``run(before:until:)`` evaluate `isDone` again; can be called on any thread.
    nonisolated func wake() { executor.wake() }

    /// Suspends until `descriptor` is ready or the deadline has passed.
    func wait(for interest: Interest, on descriptor: Int32, until deadline: MonotonicTime) async -> Outcome {
        await wait(for: interest, onAnyOf: [descriptor], until: deadline) == nil ? .timedOut : .ready
    }

    /// Suspends until one of the descriptors is ready.
    ///
    /// - Returns: the index of the ready descriptor; nil if the deadline passed first.
    func wait(for interest: Interest, onAnyOf descriptors: [Int32], until deadline: MonotonicTime) async -> Int? {
        for (index, descriptor) in descriptors.enumerated() where poller.watch(descriptor, for: interest) != 0 {
            // If a descriptor cannot be watched, it is reported as ready at intervals, and the next read or write reports its
            // error. If the system's limit of watches is reached, this works as polling.
            let next = min(deadline, now + Self.pollingInterval)
            _ = await suspend(until: next, descriptors: []) { _ in }
            return next < deadline ? index : nil
        }
        return await suspend(until: deadline, descriptors: descriptors) { _ in }
    }

    /// Suspends until ``fire(_:)`` is called with the wait that `start` receives, or the deadline has passed.
    func wait(until deadline: MonotonicTime, _ start: (WaitID) -> Void) async -> Outcome {
        await suspend(until: deadline, descriptors: [], start) == nil ? .timedOut : .ready
    }

    /// Ends a wait; can be called on any thread.
    nonisolated func fire(_ wait: WaitID) { executor.fire(wait) }

    /// Must be called before a descriptor is closed.
    package func forget(_ descriptor: Int32) {
        poller.forget(descriptor)
        waiters[descriptor] = nil
    }

    /// Does the same as ``forget(_:)`` for a descriptor that the caller closes before it suspends. On Linux it needs no system call.
    func willClose(_ descriptor: Int32) {
        poller.willClose(descriptor)
        waiters[descriptor] = nil
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
            for descriptor in descriptors { waiters[descriptor] = wait }
            deadlines.insert(wait, at: deadline)
            start(wait)
        }
    }

    private func finish(_ wait: WaitID, with result: Int?) {
        guard isPending(wait), let continuation = waits[wait.slot].continuation else { return }
        for descriptor in waits[wait.slot].descriptors where waiters[descriptor] == wait { waiters[descriptor] = nil }
        waits[wait.slot] = Wait(generation: wait.generation &+ 1)
        freeSlots.append(wait.slot)
        continuation.resume(returning: result)
    }

    private func isPending(_ wait: WaitID) -> Bool {
        waits[wait.slot].generation == wait.generation
    }

    /// Waits in the poller once and ends the waits whose descriptor is ready or whose deadline has passed.
    private func runOnce(before end: MonotonicTime?) {
        let pending = waits.count - freeSlots.count
        deadlines.prune(whenOver: 2 * pending + 64) { isPending($0) }
        let present = clock()
        uncountedTime = uncountedTime(at: present)
        lastPoll = present
        var timeout: Int32 = 0
        if executor.prepareToSleep() {
            var next = deadlines.first.map { realTime(of: $0) }
            if let end { next = next.map { min($0, end) } ?? end }
            timeout = next.map { clock().milliseconds(until: $0) } ?? -1
        }
        let ready = poll(waits: pending, milliseconds: timeout)
        lastPoll = clock()
        executor.endSleep()
        for descriptor in ready {
            if descriptor == wakePipe.readEnd {
                wakePipe.drain()
            } else if let wait = waiters[descriptor] {
                finish(wait, with: waits[wait.slot].descriptors.firstIndex(of: descriptor))
            } else {
                // No task waits for it. If the poller still watched it, every poll would report it again.
                poller.forget(descriptor)
            }
        }
        for wait in executor.takeFired() { finish(wait, with: 0) }
        let now = now
        while let wait = deadlines.popFirst(ifNotAfter: now) { finish(wait, with: nil) }
    }

    /// Waits in the poller.
    ///
    /// If many hosts are in flight and none has answered yet, the loop waits one millisecond before it looks again. Otherwise the
    /// first answer would wake the thread for one host. Each additional sleep costs processor time, and one millisecond is short
    /// compared with the time in which a host answers.
    private func poll(waits: Int, milliseconds: Int32) -> [Int32] {
        guard waits >= Self.minimumWaitsToCollect, milliseconds < 0 || milliseconds > Self.collectingTime else {
            return poller.wait(milliseconds: milliseconds)
        }
        let ready = poller.wait(milliseconds: 0)
        guard ready.isEmpty else { return ready }
        if wakePipe.wait(milliseconds: Self.collectingTime) { return poller.wait(milliseconds: 0) }
        return poller.wait(milliseconds: milliseconds < 0 ? milliseconds : milliseconds - Self.collectingTime)
    }
}
