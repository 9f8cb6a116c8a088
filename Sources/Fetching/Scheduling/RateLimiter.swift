/// Limits the number of starts per second and spreads them evenly.
struct RateLimiter {
    private let interval: Duration
    private var next: MonotonicTime

    /// Maximum delay of a start that later starts may make up for. It is the resolution of a poller's clock.
    private static let tolerance = Duration.milliseconds(10)

    init(perSecond rate: Int, from start: MonotonicTime) {
        interval = .nanoseconds(1_000_000_000 / Int64(max(1, rate)))
        next = start
    }

    /// Counts a start if one is allowed now.
    ///
    /// - Returns: nil if the start is allowed; otherwise the time of the next allowed start.
    mutating func acquire(at now: MonotonicTime) -> MonotonicTime? {
        guard next <= now else { return next }
        next = max(next, now - Self.tolerance) + interval
        return nil
    }
}
