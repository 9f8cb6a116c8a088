internal import OpenSSL
internal import Synchronization

/// The workers other than the first one. Each has its own thread, event loop and OpenSSL library context.
///
/// If workers shared a library context, its locks would cost a tenth more time. Another worker starts only when the previous one is
/// busy, so a short list starts none.
final class WorkerPool: Sendable {
    private struct State: ~Copyable {
        var startedCount = 0
        var makeWorker: (@Sendable (Int) throws -> sending Worker)?
    }

    private let maximumCount: Int
    private let state = Mutex(State())

    init(maximumCount: Int) { self.maximumCount = maximumCount }

    /// - Parameter makeWorker: creates the worker with this number. The first number is 1.
    func setUp(_ makeWorker: @escaping @Sendable (Int) throws -> sending Worker) {
        state.withLock { $0.makeWorker = makeWorker }
    }

    /// Starts another worker if the limit allows it. A failure is ignored, because the first worker can do all the work.
    func start() {
        let next: (number: Int, makeWorker: @Sendable (Int) throws -> sending Worker)? = state.withLock { state in
            guard state.startedCount < maximumCount, let makeWorker = state.makeWorker else { return nil }
            state.startedCount += 1
            return (state.startedCount, makeWorker)
        }
        guard let next else { return }
        _ = BackgroundThread.start {
            guard let library = LibraryContext() else { return }
            Self.run(next.number, next.makeWorker)
            _ = consume library
        }
    }

    /// Prevents that more workers start.
    func close() { state.withLock { $0.makeWorker = nil } }

    private static func run(_ number: Int, _ makeWorker: @Sendable (Int) throws -> sending Worker) {
        guard let loop = EventLoop() else { return }
        nonisolated(unsafe) var worker: Worker?
        loop.assumeIsolated { loop in
            unsafe worker = try? makeWorker(number)
            unsafe worker?.start(on: loop)
        }
        loop.run { unsafe worker?.isDone ?? true }
    }
}
