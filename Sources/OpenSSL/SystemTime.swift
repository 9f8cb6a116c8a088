internal import CSystem

/// The clock by which certificates are valid, and the processor time of a thread.
package enum SystemTime {
    /// The present time in seconds since 1970-01-01 in UTC (time(2)).
    package static var secondsSince1970: Int64 { Int64(time(nil)) }

    /// The processor time that the calling thread has used (clock_gettime(2)). Zero if the system cannot tell.
    package static var ofThread: Duration {
        var used = timespec()
        guard unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used) == 0 else { return .zero }
        return .seconds(used.tv_sec) + .nanoseconds(used.tv_nsec)
    }
}
