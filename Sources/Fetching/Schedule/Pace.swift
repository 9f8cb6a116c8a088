/// How fast hosts may be begun with: so many a second, spread evenly.
struct Pace {
    private let interval: Duration
    private var next: MonotonicTime

    /// What was not begun with in time may be made up for, as far as the clock of a poller is coarse and no further.
    private static let slack = Duration.milliseconds(10)

    init(perSecond rate: Int, from start: MonotonicTime) {
        interval = .nanoseconds(1_000_000_000 / Int64(max(1, rate)))
        next = start
    }

    /// Begins with a host, if one may be begun with now.
    ///
    /// - Returns: nil where it was; else when the next may be.
    mutating func begin(at now: MonotonicTime) -> MonotonicTime? {
        guard next <= now else { return next }
        next = max(next, now - Self.slack) + interval
        return nil
    }
}
