internal import Foundation

/// Threads for tests that wait: for servers, for commands, for bytes.
///
/// On Swift's own few threads they would hold up every test that is not blocked but suspended, and measures time.
package final class BlockingExecutor: TaskExecutor {
    package static let shared = BlockingExecutor()

    private let queue = OperationQueue()

    private init() {
        // More at once would only take the processors from one another.
        queue.maxConcurrentOperationCount = max(2, ProcessInfo.processInfo.activeProcessorCount)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.addOperation { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
