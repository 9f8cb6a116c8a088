internal import OpenSSL
internal import Synchronization

/// The loops beside the first, each on a thread of its own with an OpenSSL library context of its own: threads that share one
/// spend a tenth more on its locks.
///
/// They are started one by one as those before them have their hands full, so that a short list pays for none.
final class FurtherLoops: Sendable {
    private struct State: ~Copyable {
        var started = 0
        var makeCrew: (@Sendable (Int) throws -> sending Crew)?
    }

    private let bound: Int
    private let state = Mutex(State())

    /// - Parameter bound: how many at the most.
    init(bound: Int) { self.bound = bound }

    /// - Parameter makeCrew: makes the crew of a number, from 1.
    func setUp(_ makeCrew: @escaping @Sendable (Int) throws -> sending Crew) {
        state.withLock { $0.makeCrew = makeCrew }
    }

    /// Starts another, where there may be one more. What cannot be started is done without: there is the first.
    func start() {
        let next: (number: Int, makeCrew: @Sendable (Int) throws -> sending Crew)? = state.withLock { state in
            guard state.started < bound, let makeCrew = state.makeCrew else { return nil }
            state.started += 1
            return (state.started, makeCrew)
        }
        guard let next else { return }
        _ = BackgroundThread.start {
            guard let library = LibraryContext() else { return }
            Self.run(next.number, next.makeCrew)
            _ = consume library
        }
    }

    /// Starts none any more.
    func close() { state.withLock { $0.makeCrew = nil } }

    private static func run(_ number: Int, _ makeCrew: @Sendable (Int) throws -> sending Crew) {
        guard let loop = EventLoop() else { return }
        nonisolated(unsafe) var crew: Crew?
        loop.assumeIsolated { loop in
            unsafe crew = try? makeCrew(number)
            unsafe crew?.start(on: loop)
        }
        loop.run { unsafe crew?.isDone ?? true }
    }
}
