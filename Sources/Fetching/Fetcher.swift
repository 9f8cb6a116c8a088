internal import OpenSSL
package import Pinning
internal import Synchronization

/// Takes chains from many hosts, so many at a time, on the thread that asks for the results.
///
/// Nothing moves but inside ``next()``: whoever is slow to take results slows the fetching down, and nothing piles up.
package final class Fetcher {
    /// One host's chain, or why there is none.
    package struct Result: Sendable {
        /// The target's place among all, from 0.
        package let index: Int
        package let target: Target
        package let outcome: Swift.Result<Presentation, FetchError>
        /// What each address answered, where every address was asked: ``outcome`` is then the first chain among them.
        /// Empty where they could not be looked up, and where one was enough.
        package let addresses: [Address]
    }

    /// One address of a host, and its chain, or why there is none.
    package struct Address: Sendable {
        package let endpoint: Endpoint
        package let outcome: Swift.Result<Presentation, FetchError>
    }

    package enum SetUpError: Error, Sendable {
        /// The system has no descriptors left for the loop itself.
        case noDescriptors
        /// OpenSSL refused the settings, in its own words.
        case openSSL(String)
    }

    private let loop: EventLoop
    private let mailbox = Mailbox()

    /// - Parameters:
    ///   - trust: whom to trust; hosts of the same source share what was decoded for one of them.
    ///   - time: the moment to validate at; nil for now.
    ///   - jobs: how many hosts at once, at least 1.
    ///   - nextTarget: gives one target after another, then nil; asked only when a job is free.
    package init(
        _ options: ConnectionOptions,
        trust: TrustPolicy,
        at time: Timestamp?,
        jobs: Int,
        nextTarget: @escaping @Sendable () -> Target?
    ) throws(SetUpError) {
        guard let loop = EventLoop() else { throw .noDescriptors }
        self.loop = loop
        let mailbox = mailbox
        let error: SetUpError? = loop.assumeIsolated { loop in
            do {
                let crew = Crew(
                    context: try ClientContext(options.settings),
                    trust: trust,
                    judges: try trust.sources.map { try ChainJudge($0, at: time) },
                    options: options,
                    size: max(1, jobs),
                    nextTarget: nextTarget,
                    mailbox: mailbox
                )
                crew.hire(on: loop)
                return nil
            } catch let error as OpenSSLError {
                return .openSSL(error.text)
            } catch {
                return .openSSL("\(error)")
            }
        }
        if let error { throw error }
    }

    /// One that trusts the same for every host.
    package convenience init(
        _ options: ConnectionOptions,
        trust: TrustSource,
        at time: Timestamp?,
        jobs: Int,
        nextTarget: @escaping @Sendable () -> Target?
    ) throws(SetUpError) {
        try self.init(options, trust: TrustPolicy(trust), at: time, jobs: jobs, nextTarget: nextTarget)
    }

    /// The next result, in the order in which hosts finish; nil once all have.
    package func next() -> Result? {
        loop.run { [mailbox] in mailbox.hasNews }
        return mailbox.take()
    }
}

/// The tasks that do the fetching. All of it happens on the loop's thread.
private final class Crew {
    private let context: ClientContext
    private let trust: TrustPolicy
    /// One for each source of trust.
    private let judges: [ChainJudge]
    private let resolver = Resolver()
    private let options: ConnectionOptions
    private let size: Int
    private let nextTarget: @Sendable () -> Target?
    private let mailbox: Mailbox
    private var hired = 0
    private var started = 0

    init(
        context: consuming ClientContext,
        trust: TrustPolicy,
        judges: [ChainJudge],
        options: ConnectionOptions,
        size: Int,
        nextTarget: @escaping @Sendable () -> Target?,
        mailbox: Mailbox
    ) {
        self.context = context
        (self.trust, self.judges, self.options, self.size) = (trust, judges, options, size)
        (self.nextTarget, self.mailbox) = (nextTarget, mailbox)
    }

    /// Adds a task, which in turn adds the next one while there are targets for it.
    func hire(on loop: isolated EventLoop) {
        guard hired < size else { return }
        hired += 1
        mailbox.workerStarted()
        // A task with a preferred executor takes nothing over from its surroundings, but this one runs on the loop too.
        nonisolated(unsafe) let crew = self
        Task(executorPreference: loop.executor) {
            await unsafe crew.work(on: loop)
        }
    }

    private func work(on loop: isolated EventLoop) async {
        while let target = nextTarget() {
            let index = started
            started += 1
            hire(on: loop)
            let connection = Connection(to: target, options)
            let judge = judges[trust.place(of: target)]
            var addresses: [Fetcher.Address] = []
            let outcome: Swift.Result<Presentation, FetchError>
            do throws(FetchError) {
                if options.asksEveryAddress {
                    for endpoint in try await connection.resolve(by: resolver, on: loop) {
                        addresses.append(await ask(endpoint, of: target, judge: judge, on: loop))
                    }
                }
                let first = addresses.first { if case .success = $0.outcome { true } else { false } } ?? addresses.first
                if let first {
                    outcome = first.outcome
                } else {
                    outcome = .success(
                        try await connection.fetch(with: context, judge: judge, resolver: resolver, on: loop))
                }
            } catch {
                outcome = .failure(error)
            }
            mailbox.put(Fetcher.Result(index: index, target: target, outcome: outcome, addresses: addresses))
        }
        mailbox.workerFinished()
    }

    /// Asks one address; its time begins now.
    private func ask(
        _ endpoint: Endpoint, of target: Target, judge: ChainJudge, on loop: isolated EventLoop
    ) async -> Fetcher.Address {
        do throws(FetchError) {
            let presentation = try await Connection(to: target, options).fetch(
                from: [endpoint], with: context, judge: judge, resolver: resolver, on: loop)
            return Fetcher.Address(endpoint: endpoint, outcome: .success(presentation))
        } catch {
            return Fetcher.Address(endpoint: endpoint, outcome: .failure(error))
        }
    }
}

/// Results on their way from the loop to whoever asked for them.
private final class Mailbox: Sendable {
    private struct State: Sendable {
        /// Taken from the end of `outgoing`, which is filled from `incoming` when it is empty.
        var incoming: [Fetcher.Result] = []
        var outgoing: [Fetcher.Result] = []
        var workers = 0
    }

    private let state = Mutex(State())

    /// Whether there is a result, or none will come any more.
    var hasNews: Bool {
        state.withLock { !$0.incoming.isEmpty || !$0.outgoing.isEmpty || $0.workers == 0 }
    }

    func put(_ result: Fetcher.Result) { state.withLock { $0.incoming.append(result) } }

    func take() -> Fetcher.Result? {
        state.withLock { state in
            if state.outgoing.isEmpty {
                state.outgoing = state.incoming.reversed()
                state.incoming = []
            }
            return state.outgoing.popLast()
        }
    }

    func workerStarted() { state.withLock { $0.workers += 1 } }

    func workerFinished() { state.withLock { $0.workers -= 1 } }
}
