import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Fetching

@Suite struct EventLoopTests {
    @Test(arguments: PollerKind.allCases)
    func waitsUntilADescriptorIsReadable(kind: PollerKind) async throws {
        let pipe = try TestPipe()
        let outcome = try await LoopThread.run(try kind.loop()) { loop in
            // A thread, because tests can occupy all threads of Swift's concurrency runtime for minutes.
            Thread { pipe.send() }.start()
            let outcome = await loop.wait(for: .readable, on: pipe.readEnd, until: .farAway)
            loop.forget(pipe.readEnd)
            return outcome
        }
        #expect(outcome == .ready)
        #expect(pipe.receive())
    }

    @Test(arguments: PollerKind.allCases)
    func waitsUntilADescriptorIsWritable(kind: PollerKind) async throws {
        let pipe = try TestPipe()
        let (empty, full, drained) = try await LoopThread.run(try kind.loop()) { loop in
            let empty = await loop.wait(for: .writable, on: pipe.writeEnd, until: .farAway)
            pipe.fill()
            let full = await loop.wait(for: .writable, on: pipe.writeEnd, until: .now + .milliseconds(20))
            pipe.drain()
            return (empty, full, await loop.wait(for: .writable, on: pipe.writeEnd, until: .farAway))
        }
        #expect(empty == .ready)
        #expect(full == .timedOut)
        #expect(drained == .ready)
    }

    /// One descriptor, alternately for reading and for writing.
    @Test(arguments: PollerKind.allCases)
    func changesTheEventOfADescriptor(kind: PollerKind) async throws {
        let (near, far) = try Self.socketPair()
        defer { for descriptor in [near, far] { close(descriptor) } }
        let outcomes = try await LoopThread.run(try kind.loop()) { loop in
            var outcomes: [EventLoop.Outcome] = []
            for _ in 0..<3 {
                outcomes.append(await loop.wait(for: .writable, on: near, until: .farAway))
                outcomes.append(await loop.wait(for: .readable, on: near, until: .now + .milliseconds(5)))
            }
            Self.send(from: far)
            outcomes.append(await loop.wait(for: .readable, on: near, until: .farAway))
            return outcomes
        }
        #expect(outcomes == [.ready, .timedOut, .ready, .timedOut, .ready, .timedOut, .ready])
    }

    @Test(arguments: PollerKind.allCases)
    func endsAWaitWhenThePeerCloses(kind: PollerKind) async throws {
        let (near, far) = try Self.socketPair()
        defer { close(near) }
        let outcome = try await LoopThread.run(try kind.loop()) { loop in
            defer { loop.forget(near) }
            Thread { close(far) }.start()
            return await loop.wait(for: .readable, on: near, until: .farAway)
        }
        #expect(outcome == .ready)
    }

    /// The system gives the number of a closed descriptor to the next one.
    @Test(arguments: PollerKind.allCases)
    func waitsForANewDescriptorWithTheNumberOfAClosedOne(kind: PollerKind) async throws {
        let outcomes = try await LoopThread.run(try kind.loop()) { loop in
            var outcomes: [EventLoop.Outcome] = []
            var used = Set<Int32>()
            // The peers stay open: until a process that another test starts has executed its program, it has copies of the closed
            // descriptors, so that they would be ready.
            var peers: [Int32] = []
            defer { for peer in peers { close(peer) } }
            for _ in 0..<3 {
                let (near, far) = try Self.socketPair()
                // Other tests open descriptors at the same time, so the descriptor gets a number that they do not use.
                let fixed = fcntl(near, F_DUPFD_CLOEXEC, kind == PollerKind.allCases[0] ? 900 : 950)
                close(near)
                used.insert(fixed)
                let deadline = MonotonicTime.now + .milliseconds(5)
                outcomes.append(await loop.wait(for: .readable, on: fixed, until: deadline))
                Self.send(from: far)
                outcomes.append(await loop.wait(for: .readable, on: fixed, until: .farAway))
                var byte: UInt8 = 0
                #expect(unsafe read(fixed, &byte, 1) == 1)
                loop.willClose(fixed)
                close(fixed)
                peers.append(far)
            }
            #expect(used.count == 1)
            return outcomes
        }
        #expect(outcomes == [.timedOut, .ready, .timedOut, .ready, .timedOut, .ready])
    }

    @Test(arguments: PollerKind.allCases)
    func timesOutAtTheDeadlineAndNotBefore(kind: PollerKind) async throws {
        let pipe = try TestPipe()
        try await LoopThread.run(try kind.loop()) { loop in
            for milliseconds in [0, 1, 5, 30] {
                let deadline = MonotonicTime.now + .milliseconds(milliseconds)
                #expect(await loop.wait(for: .readable, on: pipe.readEnd, until: deadline) == .timedOut)
                #expect(MonotonicTime.now >= deadline)
            }
            #expect(await loop.wait(for: .readable, on: pipe.readEnd, until: .now + .seconds(-1)) == .timedOut)
        }
    }

    @Test(arguments: PollerKind.allCases)
    func reportsWhichDescriptorIsReady(kind: PollerKind) async throws {
        let pipes = try (0..<5).map { _ in try TestPipe() }
        let indices = try await LoopThread.run(try kind.loop()) { loop in
            var indices: [Int?] = []
            for index in [3, 0, 4, 4, 1] {
                pipes[index].send()
                indices.append(await loop.wait(for: .readable, onAnyOf: pipes.map(\.readEnd), until: .farAway))
                pipes[index].receive()
            }
            indices.append(
                await loop.wait(for: .readable, onAnyOf: pipes.map(\.readEnd), until: .now + .milliseconds(5)))
            return indices
        }
        #expect(indices == [3, 0, 4, 4, 1, nil])
    }

    /// Each round is a race between sleeping and waking. A lost wake-up delays the test by a minute.
    @Test(arguments: PollerKind.allCases)
    func isWokenFromAnotherThread(kind: PollerKind) async throws {
        let queue = DispatchQueue(label: "fires")
        try await LoopThread.run(try kind.loop()) { loop in
            for round in 0..<5000 {
                let outcome = await loop.wait(until: .farAway) { wait in
                    queue.async {
                        // The signal comes either at once or while the loop sleeps.
                        if round.isMultiple(of: 3) { usleep(UInt32(round % 50)) }
                        loop.fire(wait)
                    }
                }
                #expect(outcome == .ready)
            }
        }
    }

    @Test(arguments: PollerKind.allCases)
    func runsTasksFromOtherThreads(kind: PollerKind) async throws {
        let loop = try kind.loop()
        let total = try await LoopThread.run(loop) { _ in
            await withTaskGroup(of: Int.self) { group in
                for number in 0..<2000 {
                    // The task leaves the loop and returns to it.
                    group.addTask { await Self.double(number, on: loop) }
                }
                return await group.reduce(0, +)
            }
        }
        #expect(total == 2000 * 1999)
    }

    private static func double(_ number: Int, on loop: isolated EventLoop) async -> Int { 2 * number }

    /// The end of a finished wait must not end a later wait on the same descriptor.
    @Test(arguments: PollerKind.allCases)
    func firesEachWaitOnlyOnce(kind: PollerKind) async throws {
        let outcomes = try await LoopThread.run(try kind.loop()) { loop in
            var old: EventLoop.WaitID?
            let first = await loop.wait(until: .farAway) { wait in
                old = wait
                loop.fire(wait)
                loop.fire(wait)
            }
            let second = await loop.wait(until: .now + .milliseconds(20)) { wait in
                if let old {
                    #expect(old.slot == wait.slot)
                    loop.fire(old)
                }
            }
            return [first, second]
        }
        #expect(outcomes == [.ready, .timedOut])
    }

    /// A descriptor that is ready is reported at every poll until the loop stops watching it.
    @Test func doesNotSpinWithoutWaits() async throws {
        let notes = RecordingPoller.Notes()
        let loop = try notes.loop()
        let pipe = try TestPipe()
        try await LoopThread.run(loop) { loop in
            #expect(await loop.wait(for: .readable, on: pipe.readEnd, until: .now) == .timedOut)
            pipe.send()
            let before = notes.timeouts.count
            #expect(await loop.wait(until: .now + .milliseconds(50)) { _ in } == .timedOut)
            #expect(notes.timeouts.count - before <= 4)
            #expect(!notes.isWatched(pipe.readEnd))
            // A new wait watches it again.
            #expect(await loop.wait(for: .readable, on: pipe.readEnd, until: .farAway) == .ready)
        }
    }

    /// The system reuses the numbers of closed descriptors.
    @Test(arguments: PollerKind.allCases)
    func removesDescriptorsBeforeTheyAreClosed(kind: PollerKind) async throws {
        try await LoopThread.run(try kind.loop()) { loop in
            for _ in 0..<50 {
                let pipe = try TestPipe()
                #expect(await loop.wait(for: .readable, on: pipe.readEnd, until: .now) == .timedOut)
                pipe.send()
                #expect(await loop.wait(for: .readable, on: pipe.readEnd, until: .farAway) == .ready)
                loop.forget(pipe.readEnd)
            }
        }
    }

    @Test func sleepsUntilTheNearestDeadline() async throws {
        let notes = RecordingPoller.Notes()
        let loop = try notes.loop()
        try await LoopThread.run(loop) { loop in
            await withTaskGroup(of: Void.self) { group in
                // The first one is pending until the others have started, also on a slow machine.
                for milliseconds in [400, 10, 25] {
                    group.addTask { await Self.sleep(milliseconds, on: loop) }
                }
            }
        }
        // -1 means no time limit, which is correct only before the first task and after the last one.
        let timeouts = notes.timeouts.drop { $0 == -1 }.reversed().drop { $0 == -1 }
        #expect(timeouts.allSatisfy { (0...400).contains($0) })
        #expect(timeouts.contains { $0 > 0 })
        // The loop polls without a pause only if there is work.
        #expect(timeouts.count < 30)
    }

    private static func sleep(_ milliseconds: Int, on loop: isolated EventLoop) async {
        let deadline = MonotonicTime.now + .milliseconds(milliseconds)
        #expect(await loop.wait(until: deadline) { _ in } == .timedOut)
    }

    /// This simulates that the kernel's limit of watched descriptors is reached.
    @Test func reportsDescriptorsThatCannotBeWatched() async throws {
        let notes = RecordingPoller.Notes()
        let loop = try notes.loop()
        let pipe = try TestPipe()
        notes.record.withLock { $0.refusals[pipe.readEnd] = ENOSPC }
        try await LoopThread.run(loop) { loop in
            let started = MonotonicTime.now
            #expect(await loop.wait(for: .readable, on: pipe.readEnd, until: .farAway) == .ready)
            #expect(MonotonicTime.now > started)
            // A reader that retries each time, as a handshake does.
            async let other: Void = Self.sleep(5, on: loop)
            var tries = 0
            let deadline = MonotonicTime.now + .milliseconds(60)
            while await loop.wait(for: .readable, on: pipe.readEnd, until: deadline) == .ready { tries += 1 }
            await other
            #expect((1...6).contains(tries))
            #expect(MonotonicTime.now >= deadline)
        }
    }

    @Test func trustsTheReportsOfThePoller() async throws {
        let notes = RecordingPoller.Notes()
        // The script reports first no descriptor, as after a signal; then an unknown one; then the second of three.
        let loop = try notes.loop(script: [[], [], [9000], [], [7002]])
        let index = try await LoopThread.run(loop) { loop in
            await loop.wait(for: .readable, onAnyOf: [7001, 7002, 7003], until: .farAway)
        }
        #expect(index == 1)
        #expect(notes.isWatched(7001))
        #expect(!notes.isWatched(9000))
    }

    /// While nothing is ready, the loop looks again after a millisecond if it has many waits. With few waits it sleeps at once.
    @Test(arguments: [(waits: 4, looks: 0...4), (waits: 40, looks: 8...14)])
    func looksTwiceBeforeItSleepsWithManyWaits(waits: Int, looks: ClosedRange<Int>) async throws {
        let notes = RecordingPoller.Notes()
        let descriptors = (0..<waits).map { Int32(7000 + $0) }
        let loop = try notes.loop(script: Array(repeating: [], count: 20) + [descriptors])
        let ready = try await Self.countReady(descriptors, on: loop)
        #expect(ready == waits)
        #expect(looks.contains(notes.timeouts.count { $0 == 0 }), "\(notes.timeouts)")
    }

    /// Answers that are ready at once are handled without the additional millisecond.
    @Test func doesNotSleepWhileAnswersAreReady() async throws {
        let notes = RecordingPoller.Notes()
        let descriptors = (0..<100).map { Int32(7000 + $0) }
        let loop = try notes.loop(script: descriptors.map { [$0] })
        let ready = try await Self.countReady(descriptors, on: loop)
        #expect(ready == 100)
        // The last 31 waits are few, so the loop may sleep for them.
        #expect(notes.timeouts.count { $0 == 0 } >= 69, "\(notes.timeouts)")
    }

    /// Many sequential and parallel waits on few descriptors.
    @Test(arguments: PollerKind.allCases)
    func handlesThousandsOfWaits(kind: PollerKind) async throws {
        let pipes = try (0..<50).map { _ in try TestPipe() }
        let loop = try kind.loop()
        let (ready, timedOut) = try await LoopThread.run(loop) { _ in
            await withTaskGroup(of: (Int, Int).self) { group in
                for (index, pipe) in pipes.enumerated() {
                    group.addTask { await Self.playPingPong(on: pipe, rounds: 200, seed: UInt64(index), loop) }
                }
                return await group.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
            }
        }
        #expect(ready + timedOut == 50 * 200)
        #expect(ready > 1000)
        #expect(timedOut > 100)
    }

    private static func playPingPong(
        on pipe: TestPipe, rounds: Int, seed: UInt64, _ loop: isolated EventLoop
    ) async -> (ready: Int, timedOut: Int) {
        var generator = SeededGenerator(seed: seed)
        var counts = (ready: 0, timedOut: 0)
        for _ in 0..<rounds {
            let isSent = Int.random(in: 0..<4, using: &generator) > 0
            if isSent { pipe.send() }
            let deadline = isSent ? MonotonicTime.farAway : .now + .microseconds(300)
            let outcome = await loop.wait(for: .readable, on: pipe.readEnd, until: deadline)
            #expect(outcome == (isSent ? .ready : .timedOut))
            if outcome == .ready {
                pipe.receive()
                counts.ready += 1
            } else {
                counts.timedOut += 1
            }
        }
        loop.forget(pipe.readEnd)
        return counts
    }

    /// Waits for all descriptors at the same time.
    private static func countReady(_ descriptors: [Int32], on loop: EventLoop) async throws -> Int {
        try await LoopThread.run(loop) { _ in
            await withTaskGroup(of: EventLoop.Outcome.self) { group in
                for descriptor in descriptors { group.addTask { await Self.wait(for: descriptor, on: loop) } }
                return await group.reduce(0) { $0 + ($1 == .ready ? 1 : 0) }
            }
        }
    }

    private static func wait(for descriptor: Int32, on loop: isolated EventLoop) async -> EventLoop.Outcome {
        await loop.wait(for: .readable, on: descriptor, until: .farAway)
    }

    /// A server of another test must not inherit an end, because closing it has no effect then.
    private static func socketPair() throws -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        #if canImport(Glibc)
            let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        #else
            let type = SOCK_STREAM
        #endif
        try #require(unsafe socketpair(AF_UNIX, type, 0, &ends) == 0)
        #if canImport(Darwin)
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        #endif
        return (ends[0], ends[1])
    }

    private static func send(from descriptor: Int32) {
        var byte: UInt8 = 7
        _ = unsafe write(descriptor, &byte, 1)
    }
}
