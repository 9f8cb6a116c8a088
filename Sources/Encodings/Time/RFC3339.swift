/// Reads and writes dates and times as text (RFC 3339, section 5.6). Times are seconds since 1970-01-01T00:00:00Z.
package enum RFC3339 {
    /// Reads `2026-11-21T02:00:00Z`, `2026-11-21T03:00:00.5+01:00`, or a date such as `2026-11-21`, which means midnight UTC at the
    /// start of that day.
    ///
    /// Ignores fractions of a second.
    ///
    /// - Returns: the time in seconds; nil for other texts, for dates that do not exist, and for leap seconds.
    package static func seconds(_ text: [UInt8]) -> Int64? {
        var reader = Reader(text: text)
        guard let year = reader.number(digits: 4), reader.take("-"),
            let month = reader.number(digits: 2), reader.take("-"), let day = reader.number(digits: 2)
        else { return nil }
        if reader.isAtEnd { return CalendarTime(year: year, month: month, day: day)?.secondsSince1970 }
        guard reader.take("T") || reader.take("t"),
            let hour = reader.number(digits: 2), reader.take(":"),
            let minute = reader.number(digits: 2), reader.take(":"), let second = reader.number(digits: 2),
            reader.skipFraction(), let offset = reader.offset(), reader.isAtEnd,
            let local = CalendarTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        else { return nil }
        // Years have four digits and offsets are less than a day, so the sum cannot overflow Int64.
        return local.secondsSince1970 - offset
    }

    /// Appends a time such as `2026-11-21T02:00:00Z` to `output`.
    package static func append(_ seconds: Int64, to output: inout [UInt8]) {
        let time = CalendarTime(secondsSince1970: seconds)
        appendDate(time, to: &output)
        output.append(UInt8(ascii: "T"))
        append(twoDigits: time.hour, to: &output)
        output.append(UInt8(ascii: ":"))
        append(twoDigits: time.minute, to: &output)
        output.append(UInt8(ascii: ":"))
        append(twoDigits: time.second, to: &output)
        output.append(UInt8(ascii: "Z"))
    }

    /// A time such as `2026-11-21T02:00:00Z`.
    package static func text(_ seconds: Int64) -> String {
        var output: [UInt8] = []
        append(seconds, to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    /// The date in UTC, such as `2026-11-21`.
    package static func date(_ seconds: Int64) -> String {
        var output: [UInt8] = []
        appendDate(CalendarTime(secondsSince1970: seconds), to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    private static func appendDate(_ time: CalendarTime, to output: inout [UInt8]) {
        if (0...9999).contains(time.year) {
            append(twoDigits: time.year / 100, to: &output)
            append(twoDigits: time.year % 100, to: &output)
        } else {
            // RFC 3339 does not allow years outside 0 to 9999. ISO 8601 writes them with a sign.
            let digits = String(time.year.magnitude)
            output.append(time.year < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
            output.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: max(0, 4 - digits.utf8.count)))
            output.append(contentsOf: digits.utf8)
        }
        output.append(UInt8(ascii: "-"))
        append(twoDigits: time.month, to: &output)
        output.append(UInt8(ascii: "-"))
        append(twoDigits: time.day, to: &output)
    }

    private static func append(twoDigits number: Int, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10))
        output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }
}

private struct Reader {
    let text: [UInt8]
    var position = 0

    var isAtEnd: Bool { position == text.count }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard position < text.count, text[position] == UInt8(ascii: scalar) else { return false }
        position += 1
        return true
    }

    mutating func digit() -> Int? {
        guard position < text.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[position]) else {
            return nil
        }
        defer { position += 1 }
        return Int(text[position] - UInt8(ascii: "0"))
    }

    mutating func number(digits: Int) -> Int? {
        var number = 0
        for _ in 0..<digits {
            guard let digit = digit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    /// Skips a fraction of a second. Returns false if the point is not followed by a digit.
    mutating func skipFraction() -> Bool {
        guard take(".") else { return true }
        guard digit() != nil else { return false }
        while digit() != nil {}
        return true
    }

    /// Reads the offset from UTC in seconds; positive values are east.
    mutating func offset() -> Int64? {
        if take("Z") || take("z") { return 0 }
        let isWest = take("-")
        guard isWest || take("+"), let hours = number(digits: 2), hours < 24, take(":"),
            let minutes = number(digits: 2), minutes < 60
        else { return nil }
        let seconds = Int64(hours * 3600 + minutes * 60)
        return isWest ? -seconds : seconds
    }
}
