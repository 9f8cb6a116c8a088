internal import Encodings

/// A moment in UTC, to the second, in the proleptic Gregorian calendar.
///
/// Days have 86,400 seconds, as in POSIX and X.509. Leap seconds cannot be represented.
public struct Timestamp: Hashable, Sendable {
    /// Seconds since 1970-01-01T00:00:00Z; negative for earlier times.
    public var secondsSince1970: Int64

    public init(secondsSince1970: Int64) {
        self.secondsSince1970 = secondsSince1970
    }

    /// Creates a moment from a date and time in UTC; nil if the date or time does not exist.
    public init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        guard
            let time = CalendarTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        else { return nil }
        secondsSince1970 = time.secondsSince1970
    }

    /// The date and time in UTC.
    public var components: Components {
        let time = CalendarTime(secondsSince1970: secondsSince1970)
        return Components(
            year: time.year, month: time.month, day: time.day, hour: time.hour, minute: time.minute, second: time.second
        )
    }

    /// The number of whole days until `later`, rounded down: 0 within the next 24 hours, negative if `later` is earlier.
    public func days(until later: Timestamp) -> Int64 {
        let (difference, overflows) = later.secondsSince1970.subtractingReportingOverflow(secondsSince1970)
        guard !overflows else {
            return later > self ? .max / CalendarTime.secondsPerDay : .min / CalendarTime.secondsPerDay
        }
        return CalendarTime.floorDivide(difference, by: CalendarTime.secondsPerDay)
    }

    /// The time until `end` in words: "in 9 days".
    package func left(until end: Timestamp) -> String {
        let days = days(until: end)
        return days == 0 ? "in less than a day" : days == 1 ? "in 1 day" : "in \(days) days"
    }

    /// A date and a time of day, in UTC.
    public struct Components: Hashable, Sendable {
        /// The astronomical year: the year before 1 is 0.
        public var year: Int
        public var month: Int
        public var day: Int
        public var hour: Int
        public var minute: Int
        public var second: Int
    }
}

extension Timestamp: Comparable {
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.secondsSince1970 < right.secondsSince1970
    }
}
