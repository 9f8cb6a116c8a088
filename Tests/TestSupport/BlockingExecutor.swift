internal import Foundation

/// Threads for tests that block while they wait for servers, commands or bytes.
///
/// Swift's concurrency runtime has few threads. If such tests blocked them, they would delay suspended tests that measure time.
package final class BlockingExecutor: TaskExecutor {
    /// One thread more than processors, because some tests only wait. More threads would only compete for the processors.
    package static let shared = BlockingExecutor(threads: max(2, ProcessInfo.processInfo.activeProcessorCount) + 1)

    private let queue = OperationQueue()

    package init(threads: Int) { queue.maxConcurrentOperationCount = threads }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.addOperation { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
