import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Fetching

/// The order and the times of starts, with a simulated clock.
@Suite struct ScheduleTests {
    private static func targets(_ count: Int) throws -> [TargetChannel.Entry] {
        try (0..<count).map { .target(try Target(parsing: "h\($0).example")) }
    }

    private static let timeout = FetchError.timeout(.resolving(name: "h.example"), after: .seconds(1))

    private static func start(_ schedule: Schedule, at now: MonotonicTime) -> Schedule.Job? {
        if case .start(let job) = schedule.next(at: now) { job } else { nil }
    }

    @Test func returnsTargetsInOrderAndEnds() throws {
        let schedule = Schedule(TargetChannel(try Self.targets(3)), LoadLimits(jobs: 2))
        let jobs = (0..<3).compactMap { _ in Self.start(schedule, at: .now) }
        #expect(jobs.map(\.index) == [0, 1, 2])
        #expect(jobs.map(\.target.description) == ["h0.example:443", "h1.example:443", "h2.example:443"])
        guard case .finish = schedule.next(at: .now) else { return #expect(Bool(false), "there is more") }
        #expect(!schedule.isFinished)
        for _ in jobs { schedule.finish() }
        #expect(schedule.isFinished)
    }

    @Test func spacesStartsEvenly() throws {
        var load = LoadLimits(jobs: 1000)
        load.rate = 50
        let schedule = Schedule(TargetChannel(try Self.targets(200)), load)
        let start = MonotonicTime.now
        var begun: [Int] = []
        // A thousand calls per second for two seconds.
        for millisecond in 0..<2000 {
            while Self.start(schedule, at: start + .milliseconds(millisecond)) != nil { begun.append(millisecond) }
        }
        #expect((99...101).contains(begun.count))
        // No two starts are at the same time, even after a long pause: one start every 20 ms.
        let gaps = zip(begun, begun.dropFirst()).map { $1 - $0 }
        #expect(gaps.allSatisfy { (10...30).contains($0) })
    }

    /// After a delay of the loop, there is no burst of starts.
    @Test func limitsTheBurstAfterADelay() throws {
        var load = LoadLimits(jobs: 1000)
        load.rate = 1000
        let schedule = Schedule(TargetChannel(try Self.targets(100)), load)
        let late = MonotonicTime.now + .seconds(5)
        var count = 0
        while Self.start(schedule, at: late) != nil { count += 1 }
        #expect((1...12).contains(count))
    }

    /// If all other results wait for this host, only its retry ends the pause.
    @Test func waitingResultsDoNotPreventRetries() throws {
        var load = LoadLimits(jobs: 8)
        load.retries = 1
        let schedule = Schedule(TargetChannel(try Self.targets(2)), load)
        let first = try #require(Self.start(schedule, at: .now))
        #expect(schedule.retry(first, after: Self.timeout))
        schedule.setPaused(true)
        // This time is after the maximum pause.
        let later = MonotonicTime.now + .seconds(20)
        #expect(Self.start(schedule, at: later)?.index == 0)
        #expect(Self.start(schedule, at: later) == nil)
        schedule.setPaused(false)
        #expect(Self.start(schedule, at: later)?.index == 1)
    }

    @Test func retriesTransientErrors() throws {
        var load = LoadLimits(jobs: 8)
        load.retries = 2
        let schedule = Schedule(TargetChannel(try Self.targets(1)), load)
        var now = MonotonicTime.now
        for failure in 0..<2 {
            let job = try #require(Self.start(schedule, at: now))
            #expect(job.failures == failure)
            #expect(schedule.retry(job, after: Self.timeout))
            #expect(!schedule.isFinished)
            now = .now + RetryPolicy.maximumPause(afterFailures: failure + 1)
        }
        let last = try #require(Self.start(schedule, at: now))
        #expect(!schedule.retry(last, after: Self.timeout))
        schedule.finish()
        guard case .finish = schedule.next(at: now) else { return #expect(Bool(false), "there is more") }
        #expect(schedule.isFinished)
    }

    /// An answer of a server is final.
    @Test func doesNotRetryAnswers() throws {
        var load = LoadLimits(jobs: 8)
        load.retries = 5
        let schedule = Schedule(TargetChannel(try Self.targets(1)), load)
        let job = try #require(Self.start(schedule, at: .now))
        let endpoint = try #require(Endpoint(address: [192, 0, 2, 1], port: 443))
        #expect(!schedule.retry(job, after: .notTLS(endpoint, firstBytes: [])))
        #expect(!schedule.retry(job, after: .noCertificate(endpoint)))
        #expect(!schedule.retry(job, after: .badCertificate(endpoint, "")))
    }

    /// Other hosts start while a host waits for its retry. After the pause, that host starts before new hosts.
    @Test func retriesDoNotDelayOtherHosts() throws {
        var load = LoadLimits(jobs: 8)
        load.retries = 1
        let schedule = Schedule(TargetChannel(try Self.targets(3)), load)
        let now = MonotonicTime.now
        let first = try #require(Self.start(schedule, at: now))
        #expect(schedule.retry(first, after: Self.timeout))
        let later = MonotonicTime.now + RetryPolicy.maximumPause(afterFailures: 1)
        #expect(Self.start(schedule, at: later)?.index == 0)
        #expect(Self.start(schedule, at: later)?.index == 1)
        #expect(Self.start(schedule, at: later)?.index == 2)
    }

    @Test func pausesGrowWithJitter() {
        #expect(RetryPolicy.maximumPause(afterFailures: 1) == .milliseconds(500))
        #expect(RetryPolicy.maximumPause(afterFailures: 2) == .seconds(1))
        #expect(RetryPolicy.maximumPause(afterFailures: 100) == .seconds(15))
        var generator = SeededGenerator(seed: 1)
        let pauses = (0..<1000).map { _ in RetryPolicy.pause(afterFailures: 3, using: &generator) }
        #expect(pauses.allSatisfy { .zero <= $0 && $0 <= .seconds(2) })
        #expect(Set(pauses).count > 500)
        #expect(pauses.contains { $0 < .milliseconds(400) })
        #expect(pauses.contains { $0 > .milliseconds(1600) })
    }

    @Test func drainingFinishesHostsInFlight() throws {
        var load = LoadLimits(jobs: 8)
        load.retries = 1
        let schedule = Schedule(TargetChannel(try Self.targets(9)), load)
        let waiting = try #require(Self.start(schedule, at: .now))
        #expect(schedule.retry(waiting, after: Self.timeout))
        let running = try #require(Self.start(schedule, at: .now))
        schedule.drain()
        // A host that waits for a retry has the result of its first attempt.
        guard case .reportFailure(let job, _) = schedule.next(at: .now) else {
            return #expect(Bool(false), "it is lost")
        }
        #expect(job.index == waiting.index)
        schedule.finish()
        guard case .finish = schedule.next(at: .now) else { return #expect(Bool(false), "there is more") }
        #expect(!schedule.isFinished)
        #expect(!schedule.retry(running, after: Self.timeout))
        schedule.finish()
        #expect(schedule.isFinished)
    }

    /// If the run stops, a host that waits for its retry ends too, whatever the time is.
    @Test func stoppingCallsTheHandlersOnce() throws {
        for stop in [Schedule.drain, Schedule.abandon] {
            var load = LoadLimits(jobs: 1)
            load.retries = 1
            let schedule = Schedule(TargetChannel([]), load)
            let calls = Mutex<[String]>([])
            let kept = schedule.addStopHandler { calls.withLock { $0.append("kept") } }
            let removed = try #require(schedule.addStopHandler { calls.withLock { $0.append("removed") } })
            schedule.removeStopHandler(removed)
            #expect(kept != nil)
            #expect(schedule.retryTime(after: Self.timeout, failures: 1) != nil)
            #expect(schedule.retryTime(after: Self.timeout, failures: 2) == nil)
            stop(schedule)()
            stop(schedule)()
            #expect(calls.withLock { $0 } == ["kept"])
            #expect(schedule.addStopHandler { calls.withLock { $0.append("late") } } == nil)
            #expect(calls.withLock { $0 } == ["kept", "late"])
            #expect(schedule.retryTime(after: Self.timeout, failures: 1) == nil)
        }
    }

    @Test func wakesAWaitingWorkerForANewTarget() throws {
        let channel = try #require(TargetChannel())
        let schedule = Schedule(channel, LoadLimits(jobs: 1))
        let wakes = Mutex(0)
        guard case .wait(_, let version) = schedule.next(at: .now) else { return #expect(Bool(false), "no wait") }
        schedule.park(0, version) { wakes.withLock { $0 += 1 } }
        #expect(channel.put(try Self.targets(1)))
        #expect(wakes.withLock { $0 } == 1)
        // A change between the check and the wait ends the wait.
        schedule.park(0, version) { wakes.withLock { $0 += 1 } }
        #expect(wakes.withLock { $0 } == 2)
    }

    /// The reader of a list waits while the queue is full.
    @Test func boundsTheQueue() async throws {
        let channel = try #require(TargetChannel())
        let entries = try Self.targets(100)
        let isDone = Flag()
        let thread = Thread {
            for _ in 0..<200 { if !channel.put(entries) { break } }
            channel.finish()
            isDone.set()
        }
        thread.start()
        var taken = 0
        var most = 0
        while true {
            switch channel.take() {
            case .entry:
                taken += 1
                most = max(most, channel.count.soFar - taken)
            case .nothing: usleep(50)
            case .end:
                #expect(taken == 20_000)
                #expect(most <= 1200)
                return
            }
        }
    }

    @Test func rejectsTargetsAfterClosing() async throws {
        let channel = try #require(TargetChannel())
        let entries = try Self.targets(2000)
        #expect(channel.put(entries))
        let refused = Flag()
        let thread = Thread { if !channel.put(entries) { refused.set() } }
        thread.start()
        channel.close()
        let deadline = MonotonicTime.farAway
        while !refused.isSet, .now < deadline { usleep(200) }
        #expect(refused.isSet)
    }
}
