import CSystem
import Synchronization
import TestSupport
import Testing

@testable import Fetching

@Suite struct DialerTests {
    /// The result of connecting, and its duration.
    private func dial(
        _ endpoints: [Endpoint], timeout: Duration = .seconds(30), on loop: EventLoop? = nil
    ) async throws -> (endpoint: Endpoint?, error: FetchError?, time: Duration) {
        let clock = ContinuousClock()
        let started = clock.now
        var other: EventLoop?
        if loop == nil { other = try PollerKind.allCases.first?.loop() }
        let running = try #require(loop ?? other)
        let outcome: Result<Endpoint, FetchError> = try await LoopThread.run(running) { loop in
            do throws(FetchError) {
                // The clock of a loop stops while the loop does not run.
                let dialer = Dialer(deadline: loop.now + timeout, timeout: timeout)
                let socket = try await dialer.connect(to: endpoints, on: loop)
                loop.forget(socket.descriptor)
                return .success(socket.endpoint)
            } catch {
                return .failure(error)
            }
        }
        let time = clock.now - started
        switch outcome {
        case .success(let endpoint): return (endpoint, nil, time)
        case .failure(let error): return (nil, error, time)
        }
    }

    @Test func connects() async throws {
        let listener = try Listener()
        let (endpoint, error, _) = try await dial([listener.endpoint])
        #expect(error == nil)
        #expect(endpoint == listener.endpoint)
    }

    @Test func reportsARefusedConnection() async throws {
        let (closed, keeper) = try Listener.closed()
        let (_, error, _) = try await dial([closed])
        #expect(error?.code == .refused)
        #expect(error?.message == "cannot connect to \(closed): connection refused")
        #expect(error?.endpoint == nil)
        withExtendedLifetime(keeper) {}
    }

    @Test func reportsRefusalByEveryAddress() async throws {
        let (first, keeper) = try Listener.closed()
        let (second, otherKeeper) = try Listener.closed([127, 0, 0, 2])
        let (_, error, _) = try await dial([first, second])
        #expect(error?.code == .refused)
        #expect(error?.message == "cannot connect to \(first) or \(second): connection refused")
        withExtendedLifetime((keeper, otherKeeper)) {}
    }

    /// A TCP connection to the broadcast address fails.
    @Test func reportsAnUnreachableAddress() async throws {
        let broadcast = try #require(Endpoint(address: [255, 255, 255, 255], port: 9))
        let (_, error, _) = try await dial([broadcast])
        #expect(error?.code == .unreachable)
        #expect(error?.message.hasPrefix("cannot connect to 255.255.255.255:9: ") == true)
        let (closed, keeper) = try Listener.closed()
        let (_, both, _) = try await dial([broadcast, closed])
        #expect(both?.code == .refused)
        #expect(both?.message.hasPrefix("cannot connect: 255.255.255.255:9: ") == true)
        #expect(both?.message.hasSuffix("; \(closed): connection refused") == true)
        withExtendedLifetime(keeper) {}
    }

    @Test func triesTheNextAddressAtOnceAfterARefusal() async throws {
        let (closed, keeper) = try Listener.closed()
        let listener = try Listener([127, 0, 0, 3])
        let (endpoint, error, _) = try await dial([closed, listener.endpoint])
        #expect(error == nil)
        #expect(endpoint == listener.endpoint)
        withExtendedLifetime(keeper) {}
    }

    @Test func reportsMissingAddresses() async throws {
        let (_, error, _) = try await dial([])
        #expect(error?.code == .unreachable)
        #expect(error?.message == "there is no address to connect to")
    }

    // Only on Linux a full backlog leaves connections without an answer.
    #if os(Linux)
        @Test func timesOutAtTheDeadline() async throws {
            let silent = try Listener(isFull: true)
            let (_, error, time) = try await dial([silent.endpoint], timeout: .milliseconds(300))
            #expect(error?.code == .timeout)
            #expect(error?.message == "\(silent.endpoint) did not accept the connection within 0.3 s")
            #expect(error?.nextStep == .waitLonger)
            #expect(time >= .milliseconds(300))
        }

        /// RFC 8305, section 5: the second attempt starts 250 ms later.
        @Test func silentAddressDelaysTheNextByTheAttemptDelayOnly() async throws {
            let silent = try Listener(isFull: true)
            let listener = try Listener()
            let (endpoint, error, time) = try await dial([silent.endpoint, listener.endpoint])
            #expect(error == nil)
            #expect(endpoint == listener.endpoint)
            #expect(time >= .milliseconds(250))
        }

        /// Sixteen attempts are in flight at most. The next one replaces the oldest.
        @Test func triesAnAddressBehindManySilentOnes() async throws {
            let silent = try Listener(isFull: true)
            let listener = try Listener([127, 0, 0, 2])
            let endpoints = [Endpoint](repeating: silent.endpoint, count: 17) + [listener.endpoint]
            let notes = RecordingPoller.Notes()
            let (endpoint, error, _) = try await dial(endpoints, timeout: .seconds(900), on: notes.loop())
            #expect(error == nil)
            #expect(endpoint == listener.endpoint)
        }

        @Test func reportsSilentAddresses() async throws {
            let silent = try Listener(isFull: true)
            let other = try Listener([127, 0, 0, 2], isFull: true)
            let (closed, keeper) = try Listener.closed()
            // The second address is tried after 250 ms, or later on a busy machine.
            let timeout = TestEnvironment.limit(.seconds(3))
            let (_, error, time) = try await dial([silent.endpoint, closed, other.endpoint], timeout: timeout)
            #expect(error?.code == .timeout)
            #expect(
                error?.message
                    == "\(silent.endpoint) or \(other.endpoint) did not accept the connection within \(timeout.inSeconds)"
            )
            #expect(time >= timeout)
            withExtendedLifetime((keeper, silent, other)) {}
        }

        @Test func closesTheSocketsOfOtherAttempts() async throws {
            let notes = RecordingPoller.Notes()
            let silent = try Listener(isFull: true)
            let listener = try Listener()
            let (closed, keeper) = try Listener.closed()
            let loop = try notes.loop()
            let wakePipe = notes.record.withLock { $0.watched.count }
            let (endpoint, _, _) = try await dial([silent.endpoint, closed, listener.endpoint], on: loop)
            #expect(endpoint == listener.endpoint)
            #expect(notes.record.withLock { $0.watched.count } == wakePipe)
            let (_, error, _) = try await dial([silent.endpoint, closed], timeout: .milliseconds(300), on: loop)
            #expect(error?.code == .timeout)
            #expect(notes.record.withLock { $0.watched.count } == wakePipe)
            withExtendedLifetime((keeper, silent, listener)) {}
        }
    #endif

    @Test func limitsTheAddressesOfAName() throws {
        let four = try #require(Endpoint(address: [127, 0, 0, 1], port: 1))
        let six = try #require(Endpoint(address: [UInt8](repeating: 0, count: 15) + [1], port: 1))
        let many = [Endpoint](repeating: four, count: 3900) + [Endpoint](repeating: six, count: 3900)
        let candidates = Dialer.candidates(many)
        #expect(candidates == (0..<256).map { $0.isMultiple(of: 2) ? four : six })
        #expect(Dialer.candidates([four, six]) == [four, six])
    }

    @Test func alternatesAddressFamilies() throws {
        func endpoints(_ text: String) throws -> [Endpoint] {
            try text.split(separator: " ").map { name in
                let number = try #require(UInt8(name.dropFirst()))
                let address = [number] + [UInt8](repeating: 0, count: name.first == "6" ? 15 : 3)
                return try #require(Endpoint(address: address, port: 1))
            }
        }
        for (given, order) in [
            ("", ""), ("41 42", "41 42"), ("61 62 41 42", "61 41 62 42"), ("41 42 43 61", "41 61 42 43"),
            ("61 41 42 43", "61 41 42 43"), ("41 61 62 63", "41 61 62 63"), ("41 61 42 62", "41 61 42 62"),
        ] {
            #expect(try Dialer.interleaved(endpoints(given)) == endpoints(order))
        }
    }
}
