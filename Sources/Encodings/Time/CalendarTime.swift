/// A date and time in UTC in the proleptic Gregorian calendar, with a precision of one second.
///
/// Days have 86,400 seconds, as in POSIX and X.509: leap seconds are not represented.
package struct CalendarTime: Hashable, Sendable {
    /// The astronomical year: the year before 1 is 0.
    package let year: Int
    package let month: Int
    package let day: Int
    package let hour: Int
    package let minute: Int
    package let second: Int

    /// Creates a date and time. Nil if it does not exist in the calendar.
    package init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        // The limit of the year prevents an overflow in the arithmetic below.
        guard (-1_000_000...1_000_000).contains(year), (1...12).contains(month),
            (1...Self.days(inMonth: month, of: year)).contains(day),
            (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// Creates the calendar time of a POSIX time.
    ///
    /// - Parameter seconds: seconds since 1970-01-01T00:00:00Z; negative before.
    package init(secondsSince1970 seconds: Int64) {
        let days = Self.floorDivide(seconds, by: Self.secondsPerDay)
        // `seconds - days * 86_400` would overflow near `Int64.min`.
        let remainder = seconds % Self.secondsPerDay
        let secondOfDay = Int(remainder < 0 ? remainder + Self.secondsPerDay : remainder)
        // In this calculation, years begin in March, so the leap day is the last day of a year. Each era of 400 years has 146,097
        // days. There are 719,468 days between 0000-03-01 and 1970-01-01.
        let shifted = days + 719_468
        let era = Self.floorDivide(shifted, by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
        year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
        day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
        hour = secondOfDay / 3600
        minute = secondOfDay / 60 % 60
        second = secondOfDay % 60
    }

    /// Seconds since 1970-01-01T00:00:00Z; negative before.
    package var secondsSince1970: Int64 {
        let year = Int64(self.year)
        let month = Int64(self.month)
        let marchYear = month <= 2 ? year - 1 : year
        let era = Self.floorDivide(marchYear, by: 400)
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + Int64(day) - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        return days * Self.secondsPerDay + Int64(hour * 3600 + minute * 60 + second)
    }

    package static let secondsPerDay: Int64 = 86_400

    package static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The quotient, rounded towards negative infinity.
    package static func floorDivide(_ value: Int64, by divisor: Int64) -> Int64 {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
