/// A moment in UTC, to the second, in the proleptic Gregorian calendar.
///
/// Days have 86,400 seconds, as in POSIX and X.509: leap seconds have no place on this scale.
public struct Timestamp: Hashable, Sendable {
    /// Seconds since 1970-01-01T00:00:00Z; negative before.
    public var secondsSince1970: Int64

    public init(secondsSince1970: Int64) {
        self.secondsSince1970 = secondsSince1970
    }

    /// A calendar date and time in UTC; nil unless the calendar has it.
    public init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        // The bound on the year keeps the arithmetic below far from overflow.
        guard (-1_000_000...1_000_000).contains(year), (1...12).contains(month),
            (1...Self.days(inMonth: month, of: year)).contains(day),
            (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second)
        else { return nil }
        let days = Self.daysSince1970(year: Int64(year), month: Int64(month), day: Int64(day))
        secondsSince1970 = days * Self.secondsInDay + Int64(hour * 3600 + minute * 60 + second)
    }

    /// What the calendar and the clock show in UTC.
    public var components: Components {
        let days = Self.floorDivide(secondsSince1970, by: Self.secondsInDay)
        // Not `seconds - days * 86_400`: in the first hours of Int64 that product does not fit.
        let remainder = secondsSince1970 % Self.secondsInDay
        let second = Int(remainder < 0 ? remainder + Self.secondsInDay : remainder)
        // Years run from March to February here, so that the leap day is the last of its year, and eras of 400 years
        // have 146,097 days each. 719,468 days lie between 0000-03-01 and 1970-01-01.
        let shifted = days + 719_468
        let era = Self.floorDivide(shifted, by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return Components(
            year: Int(yearOfEra + era * 400 + (month <= 2 ? 1 : 0)),
            month: Int(month),
            day: Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1),
            hour: second / 3600,
            minute: second / 60 % 60,
            second: second % 60
        )
    }

    /// Whole days from here to `later`, rounded down: 0 within the same 24 hours, negative when `later` is earlier.
    public func days(until later: Timestamp) -> Int64 {
        let (difference, overflows) = later.secondsSince1970.subtractingReportingOverflow(secondsSince1970)
        guard !overflows else { return later > self ? .max / Self.secondsInDay : .min / Self.secondsInDay }
        return Self.floorDivide(difference, by: Self.secondsInDay)
    }

    /// How far off `end` is, in words: "in 9 days".
    package func left(until end: Timestamp) -> String {
        let days = days(until: end)
        return days == 0 ? "in less than a day" : days == 1 ? "in 1 day" : "in \(days) days"
    }

    /// A date and a time of day, in UTC.
    public struct Components: Hashable, Sendable {
        /// Astronomical: the year before 1 is 0.
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

extension Timestamp {
    static let secondsInDay: Int64 = 86_400

    static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let era = floorDivide(marchYear, by: 400)
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func floorDivide(_ value: Int64, by divisor: Int64) -> Int64 {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
