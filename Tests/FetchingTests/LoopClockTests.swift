import Foundation
import Synchronization
import Testing

@testable import Fetching

/// The loop's own clock, and who may run it for how long.
@Suite struct LoopClockTests {
    /// Starts a wait on the loop, and gives what came of it once something has.
    private static func wait(
        _ timeout: Duration, on loop: EventLoop, for descriptor: Int32
    ) -> @Sendable () -> EventLoop.Outcome? {
        let outcome = Outcome()
        Task(executorPreference: loop.executor) {
            await Self.wait(timeout, on: loop, for: descriptor, outcome)
        }
        return { outcome.value }
    }

    private static func wait(
        _ timeout: Duration, on loop: isolated EventLoop, for descriptor: Int32, _ outcome: Outcome
    ) async {
        outcome.set(await loop.wait(for: .readable, on: descriptor, until: loop.now + timeout))
        loop.forget(descriptor)
    }

    private final class Outcome: Sendable {
        private let state = Mutex<EventLoop.Outcome?>(nil)

        var value: EventLoop.Outcome? { state.withLock { $0 } }

        func set(_ outcome: EventLoop.Outcome) { state.withLock { $0 = outcome } }
    }

    /// A consumer that does something else for a while costs no host its time.
    @Test(arguments: PollerKind.allCases) func standsStillWhileNobodyRunsIt(kind: PollerKind) throws {
        let loop = try kind.loop()
        let pipe = try TestPipe()
        let outcome = Self.wait(.milliseconds(600), on: loop, for: pipe.readEnd)
        loop.run(before: .now + .milliseconds(10)) { false }
        usleep(1_500_000)
        // Long after the time-out, but for the clock of the loop.
        loop.run(before: .now + .milliseconds(100)) { false }
        #expect(outcome() == nil)
        let resumed = MonotonicTime.now
        loop.run(before: .farAway) { outcome() != nil }
        #expect(outcome() == .timedOut)
        #expect(MonotonicTime.now < resumed + .seconds(20))
    }

    /// Moments between two runs are ordinary: they are part of the time that a host has.
    @Test func momentsCount() throws {
        let loop = try #require(EventLoop())
        let pipe = try TestPipe()
        let started = MonotonicTime.now
        let outcome = Self.wait(.milliseconds(200), on: loop, for: pipe.readEnd)
        while outcome() == nil, .now < started + .seconds(20) {
            loop.run(before: .now + .milliseconds(5)) { outcome() != nil }
            usleep(5000)
        }
        #expect(outcome() == .timedOut)
        // Half of the time it was not run.
        #expect(MonotonicTime.now < started + .seconds(2))
    }

    @Test func comesBackInTime() throws {
        let notes = RecordingPoller.Notes()
        let loop = try notes.loop()
        let start = MonotonicTime.now
        loop.run(before: start + .milliseconds(30)) { false }
        #expect(MonotonicTime.now >= start + .milliseconds(30))
        // It waited in the poller, and not by asking again and again.
        #expect((1...4).contains(notes.timeouts.count))
        #expect(notes.timeouts.allSatisfy { (0...30).contains($0) })
    }

    /// Something that is none of the loop's business has it ask whether it is done, whenever that comes.
    @Test(arguments: PollerKind.allCases) func isCalledFromAnotherThread(kind: PollerKind) throws {
        let loop = try kind.loop()
        for round in 0..<500 {
            let isCalled = Flag()
            let thread = Thread {
                if round.isMultiple(of: 3) { usleep(UInt32(round % 70)) }
                isCalled.set()
                loop.wake()
            }
            thread.start()
            loop.run(before: .farAway) { isCalled.isSet }
            #expect(isCalled.isSet)
        }
    }
}
