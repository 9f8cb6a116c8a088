internal import Pinning

/// The objects that all workers of a run share.
struct WorkerContext: Sendable {
    let sharedOptions: Connection.SharedOptions
    let trust: TrustPolicy
    /// The time at which certificates must be valid; nil for now.
    let time: Timestamp?
    let schedule: Schedule
    let resultQueue: ResultQueue
    let resolver: Resolver
    /// Wakes the consumer after results were added to the queue.
    var announceResults: @Sendable () -> Void
    /// Starts another worker if the limit of threads allows it.
    let startAnotherWorker: @Sendable () -> Void

    var options: ConnectionOptions { sharedOptions.options }
}
