internal import OpenSSL
package import Pinning
internal import Synchronization

/// Fetches the certificate chains of many hosts, a limited number at the same time.
///
/// The first event loop runs on the thread that calls ``next(until:)``; each other loop has its own thread. Workers start no new
/// host while the result queue is full. So if the consumer is slow, the run is slow too, and memory does not grow.
package final class Fetcher {
    private let loop: EventLoop
    private let resultQueue = ResultQueue()
    private let schedule: Schedule
    private let pool: WorkerPool

    /// - Parameters:
    ///   - trust: the trust source of each host; hosts with the same source share decoded certificates.
    ///   - time: the time at which certificates must be valid; nil for now.
    package init(
        _ options: ConnectionOptions,
        trust: TrustPolicy,
        at time: Timestamp?,
        load: LoadLimits,
        targets: TargetChannel
    ) throws(FetcherSetUpError) {
        guard let loop = EventLoop() else { throw .noDescriptors }
        self.loop = loop
        schedule = Schedule(targets, load)
        let threads = max(1, min(load.threads, load.jobs / Worker.minimumJobs))
        pool = WorkerPool(maximumCount: threads - 1)
        let jobShare = { @Sendable number in max(1, load.jobs / threads + (number < load.jobs % threads ? 1 : 0)) }
        let shared = WorkerContext(
            sharedOptions: Connection.SharedOptions(options), trust: trust, time: time, schedule: schedule,
            resultQueue: resultQueue,
            resolver: Resolver(), announceResults: { loop.wake() }, startAnotherWorker: { [pool] in pool.start() }
        )
        pool.setUp { number in try Worker(shared, number: number, maximumJobs: jobShare(number)) }
        var own = shared
        own.announceResults = {}
        let error: FetcherSetUpError? = loop.assumeIsolated { loop in
            do {
                let worker = try Worker(own, number: 0, maximumJobs: jobShare(0))
                worker.start(on: loop)
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
        pool.close()
    }

    /// Returns the next event, in the order in which hosts finish; nil after the last one.
    ///
    /// - Parameter moment: the time at which ``FetchEvent/wakeUp`` is returned if no other event occurs before.
    package func next(until moment: MonotonicTime? = nil) -> FetchEvent? {
        loop.run(before: moment) { [resultQueue, schedule] in resultQueue.hasEvents || schedule.isFinished }
        // This must be read before the queue. Otherwise a result that arrives in between would be lost.
        let isFinished = schedule.isFinished
        let (event, makesRoom) = resultQueue.popFirst()
        if makesRoom { schedule.signalChange() }
        return event ?? (isFinished ? nil : .wakeUp)
    }

    /// Returns the next result; nil after the last one. It is for runs without skipped targets and invalid lines.
    package func nextResult() -> FetchResult? {
        while let event = next() {
            if case .result(let result) = event { return result }
        }
        return nil
    }

    /// Whether ``next(until:)`` would return an event without waiting.
    package var hasNext: Bool { resultQueue.hasEvents }

    /// Stops starting new hosts while `isPaused` is true. Hosts in flight and their retries continue.
    package func setPaused(_ isPaused: Bool) { schedule.setPaused(isPaused) }

    /// Starts no more hosts, and finishes those in flight.
    package func drain() { schedule.drain() }

    /// Ends the run without waiting for the hosts in flight.
    package func abandon() { schedule.abandon() }

    /// Makes ``next(until:)`` return ``FetchEvent/wakeUp``; can be called on any thread.
    package var waker: @Sendable () -> Void {
        { [loop, resultQueue] in
            resultQueue.requestWakeUp()
            loop.wake()
        }
    }
}
