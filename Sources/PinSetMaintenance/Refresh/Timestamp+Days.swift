internal import Encodings
package import Pinning

extension Timestamp {
    /// Midnight UTC at the start of the day.
    package var startOfDay: Timestamp { Timestamp(rfc3339: date) ?? self }

    func adding(days: Int) -> Timestamp {
        let (seconds, overflows) = secondsSince1970.addingReportingOverflow(Int64(days) &* CalendarTime.secondsPerDay)
        return overflows ? self : Timestamp(secondsSince1970: seconds)
    }
}
