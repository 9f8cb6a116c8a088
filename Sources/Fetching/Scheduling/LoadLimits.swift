/// Limits on parallelism, rate and retries.
package struct LoadLimits: Sendable {
    /// Maximum number of hosts in flight, at least 1.
    package var jobs: Int
    /// Maximum number of event loops, each with its own thread, at least 1. Each loop has at least a few jobs.
    package var threads = 1
    /// Maximum number of hosts started per second; nil for no limit.
    package var rate: Int?
    /// Maximum number of retries of a host after transient errors.
    package var retries = 0

    package init(jobs: Int) { self.jobs = jobs }
}
