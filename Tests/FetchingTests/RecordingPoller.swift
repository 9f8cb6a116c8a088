import Synchronization
import Testing

@testable import Fetching

/// Records the calls of a poller, and answers from a script or with a real poller.
final class RecordingPoller: Poller {
    struct Record: Sendable {
        var watched: [Int32: Interest] = [:]
        /// The timeout of each wait.
        var timeouts: [Int32] = []
        /// The result of `watch` for a descriptor that is not really watched.
        var refusals: [Int32: Int32] = [:]
    }

    /// The record, which outlives the poller.
    final class Notes: Sendable {
        let record = Mutex(Record())

        var timeouts: [Int32] { record.withLock { $0.timeouts } }

        /// A loop whose poller records its calls here.
        func loop() throws -> EventLoop {
            let loop = EventLoop(poller: RecordingPoller(self))
            return try #require(loop)
        }

        func loop(script: [[Int32]]) throws -> EventLoop {
            let loop = EventLoop(poller: ScriptedPoller(script, self))
            return try #require(loop)
        }

        func isWatched(_ descriptor: Int32) -> Bool { record.withLock { $0.watched[descriptor] != nil } }
    }

    private let poller = PollPoller()
    private let notes: Notes

    init(_ notes: Notes) { self.notes = notes }

    func watch(_ descriptor: Int32, for interest: Interest) -> Int32 {
        let refusal = notes.record.withLock { record in
            if record.refusals[descriptor] == nil { record.watched[descriptor] = interest }
            return record.refusals[descriptor]
        }
        return refusal ?? poller.watch(descriptor, for: interest)
    }

    func forget(_ descriptor: Int32) {
        notes.record.withLock { $0.watched[descriptor] = nil }
        poller.forget(descriptor)
    }

    func wait(milliseconds: Int32) -> [Int32] {
        notes.record.withLock { $0.timeouts.append(milliseconds) }
        return poller.wait(milliseconds: milliseconds)
    }
}

/// A poller that reports the descriptors of a script without waiting.
final class ScriptedPoller: Poller {
    private var script: [[Int32]]
    /// Waits for the wake pipe of the loop, which the loop watches first.
    private let wakePoller = PollPoller()
    private var hasWakePipe = false
    private let notes: RecordingPoller.Notes

    /// - Parameter script: the descriptors of each turn, from the first wait for a descriptor. Before and after the script, the poller
    ///   waits for the wake pipe of the loop.
    init(_ script: [[Int32]], _ notes: RecordingPoller.Notes) {
        (self.script, self.notes) = (script.reversed(), notes)
    }

    func watch(_ descriptor: Int32, for interest: Interest) -> Int32 {
        notes.record.withLock { $0.watched[descriptor] = interest }
        guard !hasWakePipe else { return 0 }
        hasWakePipe = true
        return wakePoller.watch(descriptor, for: interest)
    }

    func forget(_ descriptor: Int32) { notes.record.withLock { $0.watched[descriptor] = nil } }

    func wait(milliseconds: Int32) -> [Int32] {
        let hasBegun = notes.record.withLock { record in
            record.timeouts.append(milliseconds)
            return record.watched.count > 1
        }
        return (hasBegun ? script.popLast() : nil) ?? wakePoller.wait(milliseconds: milliseconds)
    }
}
