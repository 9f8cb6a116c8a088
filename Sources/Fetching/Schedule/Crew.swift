internal import OpenSSL
internal import Pinning
internal import Synchronization

/// The tasks that do the fetching on one loop. All of it happens on the loop's thread.
final class Crew {
    /// What the crews of a run have in common.
    struct Brief: Sendable {
        let options: ConnectionOptions
        let trust: TrustPolicy
        let time: Timestamp?
        let load: Fetcher.Load
        let schedule: Schedule
        let mailbox: Mailbox
        let resolver: Resolver
        /// Tells whoever takes results that there are some.
        var announce: @Sendable () -> Void
        /// Gets another loop to help, if there may be one more.
        let callForHelp: @Sendable () -> Void
    }

    private let brief: Brief
    private let number: Int
    private let context: ClientContext
    /// One for each source of trust.
    private let judges: [ChainJudge]
    private let size: Int
    private var running = 0
    private var hasCalledForHelp = false
    /// What the dispatcher waits in.
    private var dispatcherWait: EventLoop.WaitID?
    private var hasDispatched = false
    /// Nothing is left to do, and nobody is at it.
    var isDone: Bool { hasDispatched && running == 0 }

    /// With fewer hosts at once a loop costs more to set up than it saves.
    static let worthLoop = 8

    /// - Parameters:
    ///   - number: from 0; the first runs on the thread of whoever takes the results.
    ///   - size: how many hosts at once, at least 1.
    init(_ brief: Brief, number: Int, size: Int) throws {
        (self.brief, self.number, self.size) = (brief, number, size)
        context = try ClientContext(brief.options.settings)
        judges = try brief.trust.sources.map { try ChainJudge($0, at: brief.time) }
    }

    /// Begins with the work.
    func start(on loop: isolated EventLoop) {
        spawn(on: loop) { crew, loop in await crew.dispatch(on: loop) }
    }

    private func spawn(
        on loop: isolated EventLoop, _ body: @escaping @Sendable (Crew, isolated EventLoop) async -> Void
    ) {
        // A task with a preferred executor takes nothing over from its surroundings, but this one runs on the loop too.
        nonisolated(unsafe) let crew = self
        Task(executorPreference: loop.executor) {
            await unsafe body(crew, loop)
        }
    }

    /// Starts a worker for each host that may be begun with. A worker takes its next host by itself, so in a steady run this
    /// sleeps.
    private func dispatch(on loop: isolated EventLoop) async {
        while true {
            guard running < size else {
                _ = await loop.wait(until: .never) { dispatcherWait = $0 }
                continue
            }
            switch nextStep() {
            case .job(let job):
                running += 1
                spawn(on: loop) { crew, loop in await crew.work(on: job, loop) }
                if running >= Self.worthLoop, !hasCalledForHelp {
                    hasCalledForHelp = true
                    brief.callForHelp()
                }
            case .wait(let moment, let ticket):
                _ = await loop.wait(until: loop.loopTime(of: moment)) { wait in
                    dispatcherWait = wait
                    brief.schedule.park(number, ticket) { loop.fire(wait) }
                }
            case .over:
                hasDispatched = true
                return
            }
        }
    }

    private func work(on first: Schedule.Job, _ loop: isolated EventLoop) async {
        var next: Schedule.Job? = first
        while let job = next {
            await serve(job, on: loop)
            next = if case .job(let following) = nextStep() { following } else { nil }
        }
        running -= 1
        if let dispatcherWait { loop.fire(dispatcherWait) }
    }

    private enum Step {
        case job(Schedule.Job)
        case wait(until: MonotonicTime, Schedule.Ticket)
        case over
    }

    /// Passes on what is no host to connect to, up to the next one that is.
    private func nextStep() -> Step {
        while true {
            if brief.mailbox.isFull {
                let ticket = brief.schedule.ticket
                if brief.mailbox.isFull { return .wait(until: .never, ticket) }
            }
            switch brief.schedule.next(at: .now) {
            case .start(let job): return .job(job)
            case .unasked(let index, let target): put([.unasked(index: index, target)])
            case .refused(let line): put([.refused(line)])
            case .giveUp(let job, let error):
                put([
                    .result(
                        Fetcher.Result(index: job.index, target: job.target, outcome: .failure(error), addresses: []))
                ])
                brief.schedule.finish()
            case .wait(let moment, let ticket): return .wait(until: moment, ticket)
            case .over: return .over
            }
        }
    }

    private func put(_ events: [Fetcher.Event]) {
        brief.mailbox.put(contentsOf: events)
        brief.announce()
    }

    private func serve(_ job: Schedule.Job, on loop: isolated EventLoop) async {
        var addresses: [Fetcher.Address] = []
        let outcome: Result<Presentation, FetchError>
        do throws(FetchError) {
            let connection = Connection(to: job.target, brief.options, on: loop)
            if brief.options.asksEveryAddress {
                addresses = await ask(try await connection.resolve(by: brief.resolver, on: loop), for: job, on: loop)
            }
            let first = addresses.first { if case .success = $0.outcome { true } else { false } } ?? addresses.first
            if let first {
                outcome = first.outcome
            } else {
                let judge = judges[brief.trust.place(of: job.target)]
                outcome = .success(
                    try await connection.fetch(with: context, judge: judge, resolver: brief.resolver, on: loop))
            }
        } catch {
            if brief.schedule.retry(job, after: error) { return }
            outcome = .failure(error)
        }
        brief.mailbox.put(
            .result(Fetcher.Result(index: job.index, target: job.target, outcome: outcome, addresses: addresses)))
        brief.schedule.finish()
        brief.announce()
    }

    /// Asks every address, all at the same time.
    private func ask(
        _ endpoints: [Endpoint], for job: Schedule.Job, on loop: isolated EventLoop
    ) async -> [Fetcher.Address] {
        let answers = Mutex<[Int: Fetcher.Address]>([:])
        _ = await loop.wait(until: .never) { wait in
            for (index, endpoint) in endpoints.enumerated() {
                spawn(on: loop) { crew, loop in
                    let outcome = await crew.outcome(of: job, at: endpoint, on: loop)
                    let isLast = answers.withLock { answers in
                        answers[index] = Fetcher.Address(endpoint: endpoint, outcome: outcome)
                        return answers.count == endpoints.count
                    }
                    if isLast { loop.fire(wait) }
                }
            }
        }
        return answers.withLock { answers in endpoints.indices.compactMap { answers[$0] } }
    }

    /// What comes of one address, however often it has to be tried; its time begins now.
    private func outcome(
        of job: Schedule.Job, at endpoint: Endpoint, on loop: isolated EventLoop
    ) async -> Result<Presentation, FetchError> {
        var failures = 0
        while true {
            do throws(FetchError) {
                let connection = Connection(to: job.target, brief.options, on: loop)
                let judge = judges[brief.trust.place(of: job.target)]
                return .success(try await connection.fetch(at: [endpoint], with: context, judge: judge, on: loop))
            } catch {
                guard failures < brief.load.retries, error.mayPass, !brief.schedule.isEnding else {
                    return .failure(error)
                }
                failures += 1
                var generator = SystemRandomNumberGenerator()
                let pause = Backoff.pause(afterFailures: failures, using: &generator)
                guard await waits(until: .now + pause, on: loop) else { return .failure(error) }
                while let later = brief.schedule.beginsTry(at: .now) {
                    guard await waits(until: later, on: loop) else { return .failure(error) }
                }
            }
        }
    }

    /// How long the end of the run may go unnoticed.
    private static let step = Duration.milliseconds(100)

    /// - Returns: whether the moment has come; false where the run ends before.
    private func waits(until moment: MonotonicTime, on loop: isolated EventLoop) async -> Bool {
        while .now < moment {
            guard !brief.schedule.isEnding else { return false }
            _ = await loop.wait(until: loop.loopTime(of: min(moment, .now + Self.step))) { _ in }
        }
        return !brief.schedule.isEnding
    }
}
