import Foundation
import Synchronization
import Testing

@testable import Fetching

@Suite struct ResolverTests {
    private static func query(_ name: String, _ family: AddressFamily = .any) -> Resolver.Query {
        Resolver.Query(name: name, port: 4433, family: family)
    }

    private static func resolve(
        _ queries: [Resolver.Query], by resolver: Resolver = Resolver(), within timeout: Duration = .seconds(60)
    ) async throws -> [Resolver.Answer?] {
        let loop = try #require(EventLoop())
        return try await LoopThread.run(loop) { _ in
            await withTaskGroup(of: (Int, Resolver.Answer?).self) { group in
                for (index, query) in queries.enumerated() {
                    group.addTask { (index, await Self.resolve(query, by: resolver, within: timeout, on: loop)) }
                }
                return await group.reduce(into: [Int: Resolver.Answer?]()) { $0[$1.0] = $1.1 }
                    .sorted { $0.key < $1.key }.map(\.value)
            }
        }
    }

    private static func resolve(
        _ query: Resolver.Query, by resolver: Resolver, within timeout: Duration, on loop: isolated EventLoop
    ) async -> Resolver.Answer? {
        await resolver.resolve(query, until: .now + timeout, on: loop)
    }

    @Test func resolvesLocalhost() async throws {
        let answers = try await Self.resolve([
            Self.query("localhost"), Self.query("localhost", .ipv4), Self.query("127.0.0.1"), Self.query("::1"),
        ])
        let endpoints = try answers.map { try #require($0).get() }
        #expect(!endpoints[0].isEmpty)
        #expect(endpoints[0].allSatisfy { ["127.0.0.1", "::1"].contains($0.host) && $0.port == 4433 })
        #expect(Set(endpoints[0]).count == endpoints[0].count)
        #expect(endpoints[1].map(\.description) == ["127.0.0.1:4433"])
        #expect(endpoints[2].map(\.description) == ["127.0.0.1:4433"])
        #expect(endpoints[3].map(\.description) == ["[::1]:4433"])
    }

    /// Without memory for another thread, one thread makes all look-ups.
    @Test func oneThreadIsAlwaysStarted() async throws {
        let running = Mutex((now: 0, maximum: 0))
        let resolver = Resolver(
            lookUp: { _ in
                running.withLock { $0 = ($0.now + 1, max($0.maximum, $0.now + 1)) }
                usleep(2000)
                running.withLock { $0.now -= 1 }
                return .success([])
            }, mayStartMore: { false })
        for round in 0..<2 {
            let answers = try await Self.resolve((0..<8).map { Self.query("\(round)-\($0).example") }, by: resolver)
            #expect(answers.allSatisfy { $0 != nil })
        }
        let maximum = running.withLock { $0.maximum }
        #expect(maximum == 1)
    }

    /// A look-up knows for how long a task waits for it.
    @Test func passesTheTimeLimit() async throws {
        let limit = Mutex<Int32?>(nil)
        let resolver = Resolver { query in
            limit.withLock { $0 = query.limit }
            return .success([])
        }
        _ = try await Self.resolve([Self.query("a.example")], by: resolver, within: .seconds(30))
        let found = limit.withLock { $0 }
        let milliseconds = try #require(found)
        #expect((1...30_000).contains(milliseconds))
    }

    /// RFC 6761, section 6.4: no name below "invalid" exists. Without a name server the error is another one.
    @Test func reportsWhyAHostHasNoAddress() async throws {
        let name = "no-such-host.invalid"
        let answers = try await Self.resolve([Self.query(name), Self.query("::1", .ipv4)])
        for (answer, name) in zip(answers, [name, "::1"]) {
            guard case .failure(let failure)? = answer else {
                Issue.record("\(name) has an address")
                continue
            }
            let error = FetchError.resolve(name: name, failure)
            #expect(error.code == .resolve)
            #expect(error.message.contains("\"\(name)\""))
            #expect(!error.message.hasSuffix(".") && !error.message.hasSuffix(": "))
        }
    }

    /// A look-up on the thread of the loop would block all other hosts.
    @Test func failsWithoutAThread() async throws {
        let resolver = Resolver { _ in
            Issue.record("a look-up without a thread")
            return .success([])
        } startThread: { _ in
            false
        }
        for answer in try await Self.resolve([Self.query("a.example"), Self.query("b.example")], by: resolver) {
            guard case .failure(let failure)? = answer else {
                Issue.record("\(String(describing: answer))")
                continue
            }
            #expect(failure.text.hasPrefix("cannot start a thread"))
        }
    }

    @Test func timesOutAtTheDeadline() async throws {
        let gate = DispatchSemaphore(value: 0)
        let resolver = Resolver { _ in
            gate.wait()
            return .success([])
        }
        let started = MonotonicTime.now
        let answers = try await Self.resolve([Self.query("slow.example")], by: resolver, within: .milliseconds(50))
        gate.signal()
        #expect(answers.count == 1)
        #expect(answers.first.map { $0 == nil } == true)
        #expect(MonotonicTime.now >= started + .milliseconds(50))
    }

    @Test func limitsParallelLookups() async throws {
        let counts = Mutex((running: 0, most: 0, all: 0))
        let resolver = Resolver(maximumThreads: 3, patience: .seconds(60)) { query in
            counts.withLock {
                $0.running += 1
                $0.all += 1
                $0.most = max($0.most, $0.running)
            }
            usleep(500)
            counts.withLock { $0.running -= 1 }
            guard let number = UInt8(query.name) else { return .success([]) }
            return .success(Endpoint(address: [192, 0, 2, number], port: query.port).map { [$0] } ?? [])
        }
        let answers = try await Self.resolve((1...200).map { Self.query("\($0)") }, by: resolver)
        #expect(try answers.map { try #require($0).get().first?.address.last } == (1...200).map { UInt8($0) })
        #expect(counts.withLock { $0.most } == 3)
        #expect(counts.withLock { $0.all } == 200)
    }

    /// The memory of the cache does not grow with the number of addresses in each answer.
    @Test func limitsTheCachedAddresses() async throws {
        let names = Mutex<[String]>([])
        let resolver = Resolver { query in
            names.withLock { $0.append(query.name) }
            let count = query.name == "small" ? 1 : 40_000
            return .success(
                (0..<count).compactMap { (number: Int) -> Endpoint? in
                    let bytes = [number >> 16, number >> 8, number].map(UInt8.init(truncatingIfNeeded:))
                    return Endpoint(address: [127] + bytes, port: query.port)
                })
        }
        for name in ["first", "small", "first", "small", "second", "second", "first", "small"] {
            let answers = try await Self.resolve([Self.query(name)], by: resolver)
            #expect(try answers.first.map { try #require($0).get().count } == (name == "small" ? 1 : 40_000))
        }
        // The second large answer and the third one each empty the cache.
        #expect(names.withLock { $0 } == ["first", "small", "second", "first", "small"])
    }

    /// A query without a waiting task must not delay the queries behind it.
    @Test func skipsCancelledLookups() async throws {
        let gate = DispatchSemaphore(value: 0)
        let names = Mutex<[String]>([])
        let resolver = Resolver(maximumThreads: 1, patience: .seconds(60)) { query in
            names.withLock { $0.append(query.name) }
            gate.wait()
            gate.signal()
            return .success([])
        }
        let late = try await Self.resolve(
            (0..<20).map { Self.query("late-\($0)") }, by: resolver, within: .milliseconds(50))
        #expect(late.count == 20)
        #expect(late.allSatisfy { $0 == nil })
        gate.signal()
        let answers = try await Self.resolve([Self.query("next")], by: resolver)
        #expect(answers.first.map { $0 != nil } == true)
        let asked = names.withLock { $0 }
        #expect(asked.count == 2)
        #expect(asked.first?.hasPrefix("late-") == true)
        #expect(asked.last == "next")
    }

    /// Name servers that never answer, for more names than there are threads, do not block the name of another host.
    @Test func unansweredNamesDoNotBlockOthers() async throws {
        let gate = DispatchSemaphore(value: 0)
        let resolver = Resolver(maximumThreads: 2, patience: .milliseconds(1)) { query in
            guard query.name == "good" else {
                gate.wait()
                gate.signal()
                return .success([])
            }
            return .success(Endpoint(address: [192, 0, 2, 1], port: query.port).map { [$0] } ?? [])
        }
        let slow = (0..<20).map { Self.query("slow-\($0)") }
        let loop = try #require(EventLoop())
        let found = try await LoopThread.run(loop) { _ in
            await withTaskGroup(of: Resolver.Answer?.self) { group in
                for query in slow + [Self.query("good")] {
                    group.addTask { await Self.resolve(query, by: resolver, within: .seconds(60), on: loop) }
                }
                // The other look-ups end only after this one.
                let first = await group.next() ?? nil
                gate.signal()
                return first
            }
        }
        #expect(try found?.get().first?.address == [192, 0, 2, 1])
    }
}
