internal import OpenSSL
internal import Pinning

/// Fetches chains on one event loop, with a dispatcher task and one task for each host in flight. All tasks run on the loop's thread.
final class Worker {
    private let shared: WorkerContext
    private let number: Int
    private let clientContexts: ClientContexts
    /// The validators, one for each trust source, in the same order.
    private let validators: [ChainValidator]
    /// The settings of TLS connections to proxies; nil if no proxy needs one.
    private let proxyTLS: ProxyTLS?
    private let issuerCache = IssuerCache()
    private let maximumJobs: Int
    private var runningJobs = 0
    private var hasRequestedAnotherWorker = false
    /// The wait that ends the dispatcher's sleep.
    private var dispatcherWait: EventLoop.WaitID?
    private var isDispatcherDone = false

    /// Whether no host is in flight and none will start.
    var isDone: Bool { isDispatcherDone && runningJobs == 0 }

    /// Minimum number of hosts in flight at which another thread saves more time than starting it costs.
    static let minimumJobs = 8

    /// - Parameters:
    ///   - number: the number of the worker, from 0. Worker 0 runs on the consumer's thread.
    ///   - maximumJobs: maximum number of hosts in flight, at least 1.
    init(_ shared: WorkerContext, number: Int, maximumJobs: Int) throws {
        self.shared = shared
        self.number = number
        self.maximumJobs = maximumJobs
        clientContexts = try ClientContexts(shared.options)
        proxyTLS = try shared.options.proxies.flatMap { try ProxyTLS($0) }
        validators = try shared.trust.sources.map {
            try ChainValidator($0, at: shared.time, findingAllPaths: shared.options.findsAllPaths)
        }
    }

    func start(on loop: isolated EventLoop) {
        spawn(on: loop) { worker, loop in await worker.dispatch(on: loop) }
    }

    private func spawn(
        on loop: isolated EventLoop, _ body: @escaping @Sendable (Worker, isolated EventLoop) async -> Void
    ) {
        // The task runs on the loop's thread. The compiler cannot derive this from the preferred executor.
        nonisolated(unsafe) let worker = self
        Task(executorPreference: loop.executor) {
            await unsafe body(worker, loop)
        }
    }

    /// Starts a task for each host that may start. When a task has finished its host, it continues with the next host itself, so
    /// the dispatcher usually sleeps.
    private func dispatch(on loop: isolated EventLoop) async {
        while true {
            guard runningJobs < maximumJobs else {
                _ = await loop.wait(until: .distantFuture) { dispatcherWait = $0 }
                continue
            }
            switch nextStep() {
            case .job(let job):
                runningJobs += 1
                spawn(on: loop) { worker, loop in await worker.runJobs(startingWith: job, loop) }
                if runningJobs >= Self.minimumJobs, !hasRequestedAnotherWorker {
                    hasRequestedAnotherWorker = true
                    shared.startAnotherWorker()
                }
            case .wait(let moment, let version):
                _ = await loop.wait(until: loop.loopTime(of: moment)) { wait in
                    dispatcherWait = wait
                    shared.schedule.park(number, version) { loop.fire(wait) }
                }
            case .finished:
                isDispatcherDone = true
                return
            }
        }
    }

    private func runJobs(startingWith first: Schedule.Job, _ loop: isolated EventLoop) async {
        var next: Schedule.Job? = first
        while let job = next {
            await fetch(job, on: loop)
            next = if case .job(let following) = nextStep() { following } else { nil }
        }
        runningJobs -= 1
        if let dispatcherWait { loop.fire(dispatcherWait) }
    }

    private enum Step {
        case job(Schedule.Job)
        case wait(until: MonotonicTime, Schedule.Version)
        case finished
    }

    /// Forwards entries that need no connection, up to the next entry that needs one.
    private func nextStep() -> Step {
        while true {
            if shared.resultQueue.isFull() {
                let version = shared.schedule.version
                if shared.resultQueue.isFull() { return .wait(until: .distantFuture, version) }
            }
            switch shared.schedule.next(at: .now) {
            case .start(let job): return .job(job)
            case .skip(let index, let target): deliver(.skipped(index: index, target))
            case .reportInvalidLine(let line): deliver(.invalidLine(line))
            case .reportFailure(let job, let error): finish(job, .failure(error))
            case .wait(let moment, let version): return .wait(until: moment, version)
            case .finish: return .finished
            }
        }
    }

    private func deliver(_ event: FetchEvent) {
        shared.resultQueue.append(event)
        shared.announceResults()
    }

    private func finish(
        _ job: Schedule.Job, _ outcome: Result<HandshakeResult, FetchError>, _ addresses: [AddressResult] = []
    ) {
        shared.resultQueue.append(
            .result(FetchResult(index: job.index, target: job.target, outcome: outcome, addresses: addresses)))
        shared.schedule.finish()
        shared.announceResults()
    }

    private func fetch(_ job: Schedule.Job, on loop: isolated EventLoop) async {
        var job = job
        if shared.options.fetchesIssuers, job.issuerRequests == nil { job.issuerRequests = IssuerRequests() }
        if shared.options.asksEveryAddress { job.chains = HostChains() }
        do throws(FetchError) {
            let connection = Connection(to: job.target, shared.sharedOptions, sharing: job.chains, on: loop)
            let endpoints = try await connection.resolve(by: shared.resolver, on: loop)
            // There are no addresses if a proxy resolves the name.
            guard shared.options.asksEveryAddress, !endpoints.isEmpty else {
                let keyTypes = shared.options.keyTypes.accepted
                let result = try await fetch(
                    job, at: Dialer.candidates(endpoints), by: connection, accepting: keyTypes, on: loop)
                return finish(job, .success(await addingOtherChains(to: result, of: job, on: loop)))
            }
            let addresses = await fetchEveryAddress(endpoints, of: job, by: connection, on: loop)
            let success = addresses.first { if case .success = $0.outcome { true } else { false } }
            guard let first = success ?? addresses.first else { throw .connect([]) }
            finish(job, first.outcome, addresses)
        } catch {
            if !shared.schedule.retry(job, after: error) { finish(job, .failure(error)) }
        }
    }

    /// Fetches the chain that a server sends to a client that accepts these types of keys.
    private func fetch(
        _ job: Schedule.Job, at endpoints: [Endpoint], by connection: Connection,
        accepting keyTypes: Set<ServerKeyType>, on loop: isolated EventLoop
    ) async throws(FetchError) -> HandshakeResult {
        do throws(FetchError) {
            let entry: ClientContexts.Entry
            do throws(OpenSSLError) {
                entry = try clientContexts.entry(accepting: keyTypes)
            } catch {
                throw .keyTypes(keyTypes, endpoints.first.map { .handshake($0, error) } ?? .connect([]))
            }
            let result = try await connection.fetch(
                at: endpoints, with: entry.context, probe: entry.probe, validator: validator(for: job.target),
                resolver: shared.resolver, proxyTLS: proxyTLS, on: loop)
            guard let requests = job.issuerRequests, !result.chain.isTrusted else { return result }
            let download = IssuerDownload(
                resolver: shared.resolver, family: shared.options.family, proxies: shared.options.proxies,
                proxyTLS: proxyTLS, deadline: connection.deadline)
            return await IssuerSearch(
                download: download, validator: validator(for: job.target), identity: connection.identity,
                cache: issuerCache, requests: requests
            ).completing(result, on: loop)
        } catch {
            guard keyTypes != KeyTypeSelection.any.accepted, error.endpoint != nil else { throw error }
            throw error.naming(keyTypes)
        }
    }

    /// Connects again for each other type of key that the server has, and adds the chains to the first result.
    private func addingOtherChains(
        to first: HandshakeResult, of job: Schedule.Job, on loop: isolated EventLoop
    ) async -> HandshakeResult {
        guard shared.options.keyTypes == .all else { return first }
        var others = OtherChains()
        guard let type = first.keyType else { return first.adding(others) }
        var candidates = KeyTypeSelection.all.accepted
        // Only a client with weak algorithms can accept DSA.
        if !shared.options.allowsWeak { candidates.remove(.dsa) }
        var search = KeyTypeSearch(of: candidates, after: type)
        var known = [first.chain.served]
        while let accepted = search.accepted {
            switch await outcome(of: job, at: first.endpoint, accepting: accepted, on: loop) {
            case .success(let result):
                if result.isUnfinished { others.includesUnfinished = true }
                guard let type = result.keyType else { return first.adding(others) }
                // A server that ignores what the client accepts sends the same certificates again.
                let isNew = !known.contains(result.chain.served)
                if accepted.contains(type) || isNew { others.results.append(result) }
                if isNew { known.append(result.chain.served) }
                search.advance(after: type)
            case .failure(let error):
                guard error.rulesOutCertificates(otherThan: known) else {
                    others.failure = error.naming(accepted)
                    return first.adding(others)
                }
                search.advanceAfterRejection(isSelectedBySuite: !first.usesTLS13)
            }
        }
        return first.adding(others)
    }

    private func validator(for target: Target) -> ChainValidator { validators[shared.trust.sourceIndex(for: target)] }

    /// Connects to the addresses of a host, up to the limits of ``AddressLimits``. If the host has more addresses, the last result
    /// is an error that counts them.
    private func fetchEveryAddress(
        _ endpoints: [Endpoint], of job: Schedule.Job, by connection: Connection, on loop: isolated EventLoop
    ) async -> [AddressResult] {
        let queue = AddressQueue(endpoints)
        guard queue.taskCount > 0 else { return [] }
        _ = await loop.wait(until: .distantFuture) { wait in
            for _ in 0..<queue.taskCount {
                spawn(on: loop) { worker, loop in
                    while let turn = queue.next() {
                        let outcome = await worker.outcome(of: job, for: turn, by: connection, on: loop)
                        if queue.finish(turn, with: outcome) { loop.fire(wait) }
                    }
                }
            }
        }
        let results = queue.results
        guard let next = endpoints.dropFirst(results.count).first else { return results }
        let error = FetchError.excessAddresses(connection.hostText, next, count: endpoints.count)
        return results + [AddressResult(endpoint: next, outcome: .failure(error))]
    }

    /// Fetches all chains from one address of a host. Its first attempt ends at the time limit of the host.
    private func outcome(
        of job: Schedule.Job, for turn: AddressQueue.Turn, by connection: Connection, on loop: isolated EventLoop
    ) async -> Result<HandshakeResult, FetchError> {
        let first = turn.isFirst ? connection : connection.withRemainingTime(on: loop)
        guard let first else { return .failure(.timeout(.waiting(turn.endpoint), after: connection.timeout)) }
        let accepted = shared.options.keyTypes.accepted
        return switch await outcome(of: job, at: turn.endpoint, accepting: accepted, startingWith: first, on: loop) {
        case .success(let result): .success(await addingOtherChains(to: result, of: job, on: loop))
        case .failure(let error): .failure(error)
        }
    }

    /// Fetches one chain from one address, with retries. The time limit of each attempt starts at its own beginning.
    ///
    /// - Parameters:
    ///   - endpoint: nil if a proxy resolves the name.
    ///   - first: the connection of the first attempt, if its time limit has already started.
    private func outcome(
        of job: Schedule.Job, at endpoint: Endpoint?, accepting keyTypes: Set<ServerKeyType>,
        startingWith first: Connection? = nil, on loop: isolated EventLoop
    ) async -> Result<HandshakeResult, FetchError> {
        var failures = 0
        var first = first
        while true {
            do throws(FetchError) {
                let connection =
                    first.take() ?? Connection(to: job.target, shared.sharedOptions, sharing: job.chains, on: loop)
                return .success(
                    try await fetch(
                        job, at: endpoint.map { [$0] } ?? [], by: connection, accepting: keyTypes, on: loop))
            } catch {
                failures += 1
                guard var moment = shared.schedule.retryTime(after: error, failures: failures) else {
                    return .failure(error)
                }
                while true {
                    guard await wait(until: moment, on: loop) else { return .failure(error) }
                    guard let later = shared.schedule.acquireStart(at: .now) else { break }
                    moment = later
                }
            }
        }
    }

    /// - Returns: true at that time; false if the run stops earlier.
    private func wait(until moment: MonotonicTime, on loop: isolated EventLoop) async -> Bool {
        var handler: Schedule.StopHandlerID?
        _ = await loop.wait(until: loop.loopTime(of: moment)) { wait in
            handler = shared.schedule.addStopHandler { loop.fire(wait) }
        }
        if let handler { shared.schedule.removeStopHandler(handler) }
        return !shared.schedule.isStopping
    }
}
