import Foundation
import Synchronization
import Testing

@testable import Fetching

/// Tests of the loop's clock, which stops while the loop does not run.
@Suite struct LoopClockTests {
    /// Starts a wait on the loop, and returns its result.
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

    /// A consumer that pauses does not use up the time limit of a host.
    @Test(arguments: PollerKind.allCases) func stopsWhileTheLoopDoesNotRun(kind: PollerKind) throws {
        let loop = try kind.loop()
        let pipe = try TestPipe()
        let outcome = Self.wait(.milliseconds(600), on: loop, for: pipe.readEnd)
        loop.run(before: .now + .milliseconds(10)) { false }
        usleep(1_500_000)
        // The real timeout has passed, but the loop's clock has not reached it.
        loop.run(before: .now + .milliseconds(100)) { false }
        #expect(outcome() == nil)
        let resumed = MonotonicTime.now
        loop.run(before: .farAway) { outcome() != nil }
        #expect(outcome() == .timedOut)
        #expect(MonotonicTime.now < resumed + .seconds(20))
    }

    /// Short pauses between two runs of the loop count towards the time limit.
    @Test func shortPausesCount() throws {
        let loop = try #require(EventLoop())
        let pipe = try TestPipe()
        let started = MonotonicTime.now
        let outcome = Self.wait(.milliseconds(200), on: loop, for: pipe.readEnd)
        while outcome() == nil, .now < started + .seconds(20) {
            loop.run(before: .now + .milliseconds(5)) { outcome() != nil }
            usleep(5000)
        }
        #expect(outcome() == .timedOut)
        // The loop did not run for half of the time.
        #expect(MonotonicTime.now < started + .seconds(2))
    }

    @Test func returnsInTime() throws {
        let notes = RecordingPoller.Notes()
        let loop = try notes.loop()
        let start = MonotonicTime.now
        loop.run(before: start + .milliseconds(30)) { false }
        #expect(MonotonicTime.now >= start + .milliseconds(30))
        // The loop waited in the poller and did not poll repeatedly.
        #expect((1...4).contains(notes.timeouts.count))
        #expect(notes.timeouts.allSatisfy { (0...30).contains($0) })
    }

    /// Another thread can make the loop check at any time whether it is done.
    @Test(arguments: PollerKind.allCases) func canBeWokenFromAnotherThread(kind: PollerKind) throws {
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

    /// A job that takes a minute between two polls, such as the chains of many other hosts. It repeats `work` in each round.
    private static func keepBusy(
        _ clock: ManualClock, rounds: Int, on loop: isolated EventLoop, _ work: @Sendable () -> Void
    ) async {
        for _ in 0..<rounds {
            clock.advance(by: .seconds(60))
            work()
            _ = await loop.wait(until: loop.now) { _ in }
        }
    }

    /// Waits until the pipe is readable, and reads, several times with one deadline.
    ///
    /// - Returns: whether each wait ended before the deadline with data.
    private static func readRepeatedly(
        _ count: Int, from pipe: TestPipe, within timeout: Duration, on loop: isolated EventLoop,
        _ results: Results<Bool>
    ) async {
        let deadline = loop.now + timeout
        for _ in 0..<count {
            let isReady = await loop.wait(for: .readable, on: pipe.readEnd, until: deadline) == .ready
            results.append(isReady && loop.now < deadline && pipe.receive())
        }
        loop.forget(pipe.readEnd)
    }

    private final class Results<Element: Sendable>: Sendable {
        private let state = Mutex<[Element]>([])

        var all: [Element] { state.withLock { $0 } }

        func append(_ element: Element) { state.withLock { $0.append(element) } }
    }

    @Test func anAnswerDuringALongRoundIsInTime() throws {
        let clock = ManualClock()
        let loop = try clock.loop()
        let pipe = try TestPipe()
        let results = Results<Bool>()
        Task(executorPreference: loop.executor) {
            await Self.readRepeatedly(10, from: pipe, within: .seconds(5), on: loop, results)
        }
        Task(executorPreference: loop.executor) {
            await Self.keepBusy(clock, rounds: 10, on: loop) { pipe.send() }
        }
        loop.run { results.all.count == 10 }
        #expect(results.all == [Bool](repeating: true, count: 10))
    }

    /// Each round counts as 100 ms, so the time limit of 5 seconds ends after 50 rounds.
    @Test func longRoundsDelayATimeoutByTheirNumberOnly() throws {
        let clock = ManualClock()
        let loop = try clock.loop()
        let pipe = try TestPipe()
        let results = Results<Bool>()
        let rounds = Results<Void>()
        Task(executorPreference: loop.executor) {
            await Self.readRepeatedly(1, from: pipe, within: .seconds(5), on: loop, results)
        }
        Task(executorPreference: loop.executor) {
            await Self.keepBusy(clock, rounds: 60, on: loop) { if results.all.isEmpty { rounds.append(()) } }
        }
        loop.run { results.all.count == 1 }
        #expect(results.all == [false])
        #expect((49...51).contains(rounds.all.count))
    }

    @Test func aSilentHostTimesOutAtItsDeadline() throws {
        let clock = ManualClock()
        let loop = try clock.loop()
        let pipe = try TestPipe()
        let results = Results<Bool>()
        let start = clock.now
        Task(executorPreference: loop.executor) {
            await Self.readRepeatedly(1, from: pipe, within: .seconds(5), on: loop, results)
        }
        loop.run { results.all.count == 1 }
        #expect(results.all == [false])
        #expect(clock.now == start + .seconds(5))
    }
}

/// A clock that only the test and the poller of its loop advance.
private final class ManualClock: Sendable {
    private let state = Mutex(MonotonicTime(nanoseconds: 1_000_000_000))

    var now: MonotonicTime { state.withLock { $0 } }

    func advance(by duration: Duration) { state.withLock { $0 = $0 + duration } }

    func loop() throws -> EventLoop {
        let loop = EventLoop(poller: ManualPoller(self)) { self.now }
        return try #require(loop)
    }
}

/// Advances its clock instead of waiting.
private final class ManualPoller: Poller {
    private let poller = PollPoller()
    private let clock: ManualClock

    init(_ clock: ManualClock) { self.clock = clock }

    func watch(_ descriptor: Int32, for interest: Interest) -> Int32 { poller.watch(descriptor, for: interest) }

    func forget(_ descriptor: Int32) { poller.forget(descriptor) }

    func wait(milliseconds: Int32) -> [Int32] {
        let ready = poller.wait(milliseconds: 0)
        if ready.isEmpty, milliseconds > 0 { clock.advance(by: .milliseconds(Int64(milliseconds))) }
        return ready
    }
}
