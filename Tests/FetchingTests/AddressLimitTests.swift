import Pinning
import Testing

@testable import Fetching

/// The limits for a name with many addresses: 256 in one run, 16 at the same time.
@Suite struct AddressLimitTests {
    private static let target = Target(host: .name("many.example"))

    /// Connects to every one of these addresses.
    private static func results(
        at endpoints: [Endpoint], timeout: Duration = .seconds(60), retries: Int = 0
    ) throws -> [AddressResult] {
        var options = ConnectionOptions()
        options.asksEveryAddress = true
        options.timeout = timeout
        options.knownEndpoints = [target: endpoints]
        var load = LoadLimits(jobs: 1)
        load.retries = retries
        let fetcher = try Fetcher(
            options, trust: TrustPolicy(TrustSource()), at: nil, load: load, targets: TargetChannel([.target(target)]))
        return try #require(fetcher.nextResult()).addresses
    }

    private static func messages(_ results: [AddressResult]) -> [String] {
        results.compactMap { if case .failure(let error) = $0.outcome { error.message } else { nil } }
    }

    /// The addresses 127.0.0.1, 127.0.0.2 and so on, with the port of another address.
    private static func addresses(_ count: Int, like first: Endpoint) throws -> [Endpoint] {
        try (1...count).map {
            try #require(Endpoint(address: [127, 0, UInt8($0 >> 8), UInt8($0 & 255)], port: first.port))
        }
    }

    @Test(arguments: [16, 17, 255, 256]) func connectsToEachAddress(count: Int) throws {
        let (closed, keeper) = try Listener.closed()
        let endpoints = try Self.addresses(count, like: closed)
        let results = try Self.results(at: endpoints)
        #expect(results.map(\.endpoint) == endpoints)
        #expect(
            Self.messages(results)
                == endpoints.map { "cannot connect to \($0.description): connection refused" })
        withExtendedLifetime(keeper) {}
    }

    @Test(arguments: [257, 3900]) func connectsToAtMost256Addresses(count: Int) throws {
        let (closed, keeper) = try Listener.closed()
        let endpoints = try Self.addresses(count, like: closed)
        // An error about the number is definite, so it is not retried.
        let results = try Self.results(at: endpoints, retries: 1)
        #expect(results.map(\.endpoint) == Array(endpoints.prefix(257)))
        let messages = Self.messages(results)
        #expect(messages.dropLast().allSatisfy { $0.hasSuffix(": connection refused") })
        #expect(messages.last?.hasPrefix("\"many.example\" has \(count) addresses, and pinctl connects") == true)
        guard case .failure(let error)? = results.last?.outcome else { return #expect(Bool(false)) }
        #expect(error.code == .tooManyAddresses)
        withExtendedLifetime(keeper) {}
    }

    // Only on Linux a full backlog leaves connections without an answer.
    #if os(Linux)
        /// All addresses share the time limit of the host. Those that wait for a connection until its end are not contacted.
        @Test func connectsTo16AddressesAtTheSameTime() throws {
            let silent = try Listener(isFull: true)
            let endpoints = [Endpoint](repeating: silent.endpoint, count: 40)
            let messages = Self.messages(try Self.results(at: endpoints, timeout: .milliseconds(300)))
            let name = silent.endpoint.description
            let contacted = "\(name) did not accept the connection within 0.3 s"
            let waiting =
                "\(name) was not contacted within 0.3 s: at most 16 addresses of a name are contacted at the same time"
            #expect(messages == (0..<40).map { $0 < 16 ? contacted : waiting })
        }
    #endif
}
