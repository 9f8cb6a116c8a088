internal import Foundation

/// Threads for tests that block while they wait for servers, commands or bytes.
///
/// On the few threads of Swift's concurrency runtime they would delay tests that are suspended and measure time.
package final class BlockingExecutor: TaskExecutor {
    package static let shared = BlockingExecutor()

    private let queue = OperationQueue()

    private init() {
        // More threads would only compete for the processors.
        queue.maxConcurrentOperationCount = max(2, ProcessInfo.processInfo.activeProcessorCount)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.addOperation { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
