import Synchronization
import Testing

@testable import Fetching

/// Writes down what the loop asks of a poller, and answers from a script or asks a real poller.
final class RecordingPoller: Poller {
    struct Record: Sendable {
        var watched: [Int32: Interest] = [:]
        /// The time-out of each wait.
        var timeouts: [Int32] = []
        /// What `watch` answers for a descriptor, instead of watching it.
        var refusals: [Int32: Int32] = [:]
    }

    /// Lives on beside the poller, which belongs to the loop.
    final class Notes: Sendable {
        let record = Mutex(Record())

        var timeouts: [Int32] { record.withLock { $0.timeouts } }

        /// A loop whose poller writes down here what it is asked.
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

/// Reports what it is told to, turn by turn, without waiting.
final class ScriptedPoller: Poller {
    private var script: [[Int32]]
    private var wakePipe: Int32 = -1
    private let notes: RecordingPoller.Notes

    /// - Parameter script: what each turn reports, from when somebody waits for a descriptor; before and after that, the
    ///   loop's own wakePipe.
    init(_ script: [[Int32]], _ notes: RecordingPoller.Notes) {
        (self.script, self.notes) = (script.reversed(), notes)
    }

    func watch(_ descriptor: Int32, for interest: Interest) -> Int32 {
        // The loop's own wakePipe is what it watches first.
        if wakePipe < 0 { wakePipe = descriptor }
        notes.record.withLock { $0.watched[descriptor] = interest }
        return 0
    }

    func forget(_ descriptor: Int32) { notes.record.withLock { $0.watched[descriptor] = nil } }

    func wait(milliseconds: Int32) -> [Int32] {
        let hasBegun = notes.record.withLock { record in
            record.timeouts.append(milliseconds)
            return record.watched.count > 1
        }
        return hasBegun ? script.popLast() ?? [wakePipe] : [wakePipe]
    }
}
