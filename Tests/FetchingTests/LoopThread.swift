import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Fetching

/// Runs an event loop on a separate thread, so that a waiting test delays no other.
enum LoopThread {
    static func run<Result: Sendable>(
        _ loop: EventLoop,
        _ body: @escaping @Sendable (isolated EventLoop) async throws -> Result
    ) async throws -> Result {
        let isDone = Flag()
        let thread = Thread { loop.run { isDone.isSet } }
        thread.start()
        // The loop ends on its own thread: the threads of Swift's concurrency can be busy with other tests for minutes.
        let task = Task(executorPreference: loop.executor) { () -> Swift.Result<Result, any Error> in
            let outcome: Swift.Result<Result, any Error>
            do {
                outcome = .success(try await body(loop))
            } catch {
                outcome = .failure(error)
            }
            isDone.set()
            return outcome
        }
        return try await task.value.get()
    }

    /// Runs `body` on a loop and waits for its result, for tests that run inside a closure of a server.
    static func runBlocking<Result: Sendable>(
        _ loop: EventLoop,
        _ body: @escaping @Sendable (isolated EventLoop) async throws -> Result
    ) throws -> Result {
        let result = Mutex<Swift.Result<Result, any Error>?>(nil)
        Task(executorPreference: loop.executor) {
            let outcome: Swift.Result<Result, any Error>
            do {
                outcome = .success(try await body(loop))
            } catch {
                outcome = .failure(error)
            }
            result.withLock { $0 = outcome }
        }
        loop.run { result.withLock { $0 != nil } }
        return try #require(result.withLock { $0 }).get()
    }
}

final class Flag: Sendable {
    private let state = Atomic(false)

    var isSet: Bool { state.load(ordering: .acquiring) }

    func set() { state.store(true, ordering: .releasing) }
}

/// All pollers of this platform.
enum PollerKind: CaseIterable, Sendable {
    #if os(Linux)
        case epoll
    #endif
    case poll

    func loop() throws -> EventLoop {
        var loop: EventLoop?
        switch self {
        #if os(Linux)
            case .epoll: if let poller = EpollPoller() { loop = EventLoop(poller: poller) }
        #endif
        case .poll: loop = EventLoop(poller: PollPoller())
        }
        return try #require(loop)
    }
}

extension MonotonicTime {
    /// A deadline that a test reaches only if it hangs.
    static var farAway: MonotonicTime { .now + TestEnvironment.limit(.seconds(60)) }
}
