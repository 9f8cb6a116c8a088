internal import Synchronization

/// Runs an ``EventLoop``'s jobs on the thread that runs the loop.
///
/// It is the serial executor of the loop and the task executor of the loop's tasks. A task with this executor preference (SE-0417)
/// resumes directly on the loop's thread. Without the preference it would resume on the global thread pool first.
package final class LoopExecutor: SerialExecutor, TaskExecutor {
    /// Work that tasks and other threads have queued for the loop.
    struct Inbox: ~Copyable {
        var jobs: [UnownedJob] = []
        var fired: [EventLoop.WaitID] = []
        /// Whether ``EventLoop/wake()`` was called.
        var isWakeRequested = false
        /// Whether the loop waits in its poller, so that new work must signal the wake pipe.
        var isAsleep = false

        var isEmpty: Bool { jobs.isEmpty && fired.isEmpty && !isWakeRequested }
    }

    private let inbox = Mutex(Inbox())
    private let wakePipe: WakePipe

    init(wakePipe: WakePipe) { self.wakePipe = wakePipe }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        deliver { $0.jobs.append(job) }
    }

    /// Ends a wait; can be called on any thread.
    func fire(_ wait: EventLoop.WaitID) {
        deliver { $0.fired.append(wait) }
    }

    /// Wakes the loop, or prevents its next sleep; can be called on any thread.
    func wake() {
        deliver { $0.isWakeRequested = true }
    }

    private func deliver(_ change: (inout Inbox) -> Void) {
        let mustWake = inbox.withLock { inbox in
            change(&inbox)
            defer { inbox.isAsleep = false }
            return inbox.isAsleep
        }
        if mustWake { wakePipe.signal() }
    }

    /// Runs queued jobs until the queue is empty.
    func runQueued() {
        while true {
            let jobs = inbox.withLock { inbox in
                let jobs = inbox.jobs
                inbox.jobs = []
                return jobs
            }
            guard !jobs.isEmpty else { return }
            for job in jobs {
                unsafe job.runSynchronously(
                    isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor()
                )
            }
        }
    }

    func takeFired() -> [EventLoop.WaitID] {
        inbox.withLock { inbox in
            let fired = inbox.fired
            if !fired.isEmpty { inbox.fired = [] }
            return fired
        }
    }

    /// Marks the loop as asleep; returns false if there is queued work.
    func prepareToSleep() -> Bool {
        inbox.withLock { inbox in
            inbox.isAsleep = inbox.isEmpty
            return inbox.isAsleep
        }
    }

    func endSleep() {
        inbox.withLock { inbox in
            inbox.isAsleep = false
            inbox.isWakeRequested = false
        }
    }

    /// Always succeeds: apart from jobs, only the loop's own thread calls the actor.
    package func checkIsolated() {}
}
