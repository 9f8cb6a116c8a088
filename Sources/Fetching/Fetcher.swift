internal import OpenSSL
package import Pinning
internal import Synchronization

/// Takes chains from many hosts, so many at a time.
///
/// The first loop runs on the thread that asks for the results, inside ``next(until:)``; further ones have threads of their own.
/// Whoever is slow to take results slows the fetching down, and nothing piles up: no loop begins with a host while results wait.
package final class Fetcher {
    /// How much is done at once, and how often.
    package struct Load: Sendable {
        /// How many hosts at once, at least 1.
        package var jobs: Int
        /// How many loops at the most, each on a thread of its own, at least 1; each has a few jobs at least.
        package var threads = 1
        /// How many hosts may be begun with in a second.
        package var rate: Int?
        /// How often a host is tried again where that may help.
        package var retries = 0

        package init(jobs: Int) { self.jobs = jobs }
    }

    /// One host's chain, or why there is none.
    package struct Result: Sendable {
        /// The target's place among all, from 0.
        package let index: Int
        package let target: Target
        package let outcome: Swift.Result<Presentation, FetchError>
        /// What each address answered, where every address was asked: ``outcome`` is then the first chain among them.
        /// Empty where they could not be looked up, and where one was enough.
        package let addresses: [Address]
        /// Which of the target's addresses it is about, where there is one such result for each.
        package private(set) var part: Part?

        init(index: Int, target: Target, outcome: Swift.Result<Presentation, FetchError>, addresses: [Address] = []) {
            (self.index, self.target, self.outcome, self.addresses) = (index, target, outcome, addresses)
        }

        /// One result for each address that was asked; this alone where one address was enough.
        package var perAddress: [Result] {
            guard !addresses.isEmpty else { return [self] }
            return addresses.enumerated().map { offset, address in
                var result = Result(index: index, target: target, outcome: address.outcome)
                result.part = Part(number: offset + 1, count: addresses.count, endpoint: address.endpoint)
                return result
            }
        }
    }

    /// One address of a host, and its chain, or why there is none.
    package struct Address: Sendable {
        package let endpoint: Endpoint
        package let outcome: Swift.Result<Presentation, FetchError>
    }

    /// One of several results of the same target.
    package struct Part: Sendable {
        /// From 1.
        package let number: Int
        package let count: Int
        /// The address that was connected to.
        package let endpoint: Endpoint

        package var isLast: Bool { number == count }
    }

    package enum Event: Sendable {
        case result(Result)
        /// A target that was not to be connected to.
        case unasked(index: Int, Target)
        case refused(RefusedLine)
        /// It is time to look at something else: the moment that was given, or somebody called.
        case pause
    }

    package enum SetUpError: Error, Sendable {
        /// The system has no descriptors left for the loop itself.
        case noDescriptors
        /// OpenSSL refused the settings, in its own words.
        case openSSL(String)
    }

    private let loop: EventLoop
    private let mailbox = Mailbox()
    private let schedule: Schedule
    private let further: FurtherLoops

    /// - Parameters:
    ///   - trust: whom to trust; hosts of the same source share what was decoded for one of them.
    ///   - time: the moment to validate at; nil for now.
    package init(
        _ options: ConnectionOptions,
        trust: TrustPolicy,
        at time: Timestamp?,
        load: Load,
        targets: TargetChannel
    ) throws(SetUpError) {
        guard let loop = EventLoop() else { throw .noDescriptors }
        self.loop = loop
        schedule = Schedule(targets, load)
        let threads = max(1, min(load.threads, load.jobs / Crew.worthLoop))
        further = FurtherLoops(bound: threads - 1)
        // What each loop has of the jobs.
        let share = { @Sendable number in max(1, load.jobs / threads + (number < load.jobs % threads ? 1 : 0)) }
        let common = Crew.Brief(
            options: options, trust: trust, time: time, load: load, schedule: schedule, mailbox: mailbox,
            resolver: Resolver(), announce: { loop.wake() }, callForHelp: { [further] in further.start() }
        )
        further.setUp { number in try Crew(common, number: number, size: share(number)) }
        var own = common
        own.announce = {}
        let error: SetUpError? = loop.assumeIsolated { loop in
            do {
                let crew = try Crew(own, number: 0, size: share(0))
                crew.start(on: loop)
                return nil
            } catch let error as OpenSSLError {
                return .openSSL(error.text)
            } catch {
                return .openSSL("\(error)")
            }
        }
        if let error { throw error }
    }

    deinit {
        schedule.abandon()
        further.close()
    }

    /// The next event, in the order in which hosts finish; nil once all have.
    ///
    /// - Parameter moment: when to come back with ``Event/pause`` where there is nothing else.
    package func next(until moment: MonotonicTime? = nil) -> Event? {
        loop.run(before: moment) { [mailbox, schedule] in mailbox.hasNews || schedule.isOver }
        // Asked before the mailbox: what comes into that while it is asked is not lost.
        let isOver = schedule.isOver
        let (event, makesRoom) = mailbox.take()
        if makesRoom { schedule.noteChange() }
        return event ?? (isOver ? nil : .pause)
    }

    /// The next result, for runs whose every target is known and connected to; nil once all have one.
    package func nextResult() -> Result? {
        while let event = next() {
            if case .result(let result) = event { return result }
        }
        return nil
    }

    /// Whether the next event is there already.
    package var hasNext: Bool { mailbox.hasNews }

    /// Begins with no host for as long as this holds; those under way are finished.
    package func hold(_ isHeld: Bool) { schedule.hold(isHeld) }

    /// Begins with no host any more, and finishes those under way.
    package func drain() { schedule.drain() }

    /// Leaves everything as it is.
    package func abandon() { schedule.abandon() }

    /// What makes ``next(until:)`` come back with ``Event/pause``, called from any thread.
    package var caller: @Sendable () -> Void {
        { [loop, mailbox] in
            mailbox.call()
            loop.wake()
        }
    }
}
