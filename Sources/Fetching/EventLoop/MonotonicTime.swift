internal import CSystem

/// A time on the monotonic clock (clock_gettime(2), `CLOCK_MONOTONIC`).
package struct MonotonicTime: Comparable, Hashable, Sendable {
    package let nanoseconds: Int64

    package static var now: MonotonicTime {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }

    package static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

    /// The time `duration` later; at most ``distantFuture``.
    package static func + (time: Self, duration: Duration) -> Self {
        let end = MonotonicTime(nanoseconds: duration < .zero ? .min : .max)
        let (seconds, attoseconds) = duration.components
        let (product, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isTooLate) = time.nanoseconds.addingReportingOverflow(product)
        guard !isTooLong, !isTooLate else { return end }
        let (whole, overflows) = sum.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflows ? end : MonotonicTime(nanoseconds: whole)
    }

    /// The time `duration` earlier.
    static func - (time: Self, duration: Duration) -> Self { time + (.zero - duration) }

    /// The time `nanoseconds` later, limited to the range of the type.
    func later(by nanoseconds: Int64) -> MonotonicTime {
        let (sum, overflows) = self.nanoseconds.addingReportingOverflow(nanoseconds)
        return MonotonicTime(nanoseconds: overflows ? (nanoseconds < 0 ? .min : .max) : sum)
    }

    /// The latest time that the type can represent.
    static let distantFuture = MonotonicTime(nanoseconds: .max)

    /// Whole milliseconds until `later`, rounded up; 0 if it has passed.
    func milliseconds(until later: MonotonicTime) -> Int32 {
        guard later > self else { return 0 }
        let (difference, overflows) = later.nanoseconds.subtractingReportingOverflow(nanoseconds)
        guard !overflows else { return .max }
        let (rounded, isTooLong) = difference.addingReportingOverflow(999_999)
        return isTooLong ? .max : Int32(clamping: rounded / 1_000_000)
    }
}
