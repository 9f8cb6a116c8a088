internal import Synchronization

/// Runs an ``EventLoop``'s jobs on the one thread that runs the loop.
///
/// It is the loop's serial executor, and the task executor of the tasks on it as well: a continuation resumes wherever
/// its task prefers to run (SE-0417), which without a preference is a thread of the global pool, only to come back from
/// there to the loop.
final class LoopExecutor: SerialExecutor, TaskExecutor {
    /// What other threads, and the loop's own tasks, left for the loop to do.
    struct Inbox: ~Copyable {
        var jobs: [UnownedJob] = []
        var fired: [EventLoop.WaitID] = []
        /// There is something new that is none of the loop's own business.
        var isCalled = false
        /// The loop waits in its poller and must be woken.
        var isAsleep = false

        var isEmpty: Bool { jobs.isEmpty && fired.isEmpty && !isCalled }
    }

    private let inbox = Mutex(Inbox())
    private let bell: WakePipe

    init(bell: WakePipe) { self.bell = bell }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        deliver { $0.jobs.append(job) }
    }

    /// Ends a wait from any thread.
    func fire(_ wait: EventLoop.WaitID) {
        deliver { $0.fired.append(wait) }
    }

    /// Keeps the loop from sleeping, once, from any thread.
    func wake() {
        deliver { $0.isCalled = true }
    }

    private func deliver(_ change: (inout Inbox) -> Void) {
        let mustWake = inbox.withLock { inbox in
            change(&inbox)
            defer { inbox.isAsleep = false }
            return inbox.isAsleep
        }
        if mustWake { bell.ring() }
    }

    /// Runs what is queued, and what that queues, until nothing is.
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

    /// Says that the loop goes to sleep; false where there is something to do first.
    func mayFallAsleep() -> Bool {
        inbox.withLock { inbox in
            inbox.isAsleep = inbox.isEmpty
            return inbox.isAsleep
        }
    }

    func wakeUp() {
        inbox.withLock { inbox in
            inbox.isAsleep = false
            inbox.isCalled = false
        }
    }

    /// The loop's own thread is the only one that calls into the actor outside a job, between jobs.
    func checkIsolated() {}
}
