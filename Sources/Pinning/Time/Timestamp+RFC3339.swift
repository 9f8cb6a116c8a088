extension Timestamp {
    /// Reads `2026-11-21T02:00:00Z`, `2026-11-21T03:00:00.5+01:00` (RFC 3339, section 5.6), or a bare `2026-11-21`, which
    /// is midnight UTC at the start of that day.
    ///
    /// Fractions of a second are dropped. A date that the calendar does not have is refused, and so is a 61st second.
    public init?(rfc3339 text: some StringProtocol) {
        self.init(rfc3339: Array(text.utf8))
    }

    package init?(rfc3339 text: [UInt8]) {
        var reader = Reader(text: text)
        guard let year = reader.number(digits: 4), reader.take("-"),
            let month = reader.number(digits: 2), reader.take("-"), let day = reader.number(digits: 2)
        else { return nil }
        if reader.isAtEnd {
            self.init(year: year, month: month, day: day)
            return
        }
        guard reader.take("T") || reader.take("t"),
            let hour = reader.number(digits: 2), reader.take(":"),
            let minute = reader.number(digits: 2), reader.take(":"), let second = reader.number(digits: 2),
            reader.skipFraction(), let offset = reader.offset(), reader.isAtEnd,
            let local = Timestamp(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        else { return nil }
        // Years of four digits and offsets below a day: nowhere near the ends of Int64.
        self.init(secondsSince1970: local.secondsSince1970 - offset)
    }

    /// The day in UTC: `2026-11-21`.
    public var date: String {
        var output: [UInt8] = []
        appendDate(to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    /// Writes `2026-11-21T02:00:00Z` at the end of `output`.
    package func append(to output: inout [UInt8]) {
        let components = appendDate(to: &output)
        output.append(UInt8(ascii: "T"))
        Self.append(components.hour, to: &output)
        output.append(UInt8(ascii: ":"))
        Self.append(components.minute, to: &output)
        output.append(UInt8(ascii: ":"))
        Self.append(components.second, to: &output)
        output.append(UInt8(ascii: "Z"))
    }

    @discardableResult
    private func appendDate(to output: inout [UInt8]) -> Components {
        let components = components
        if (0...9999).contains(components.year) {
            Self.append(components.year / 100, to: &output)
            Self.append(components.year % 100, to: &output)
        } else {
            // RFC 3339 has no such years; ISO 8601 writes them with a sign.
            let digits = String(components.year.magnitude)
            output.append(components.year < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
            output.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: max(0, 4 - digits.utf8.count)))
            output.append(contentsOf: digits.utf8)
        }
        output.append(UInt8(ascii: "-"))
        Self.append(components.month, to: &output)
        output.append(UInt8(ascii: "-"))
        Self.append(components.day, to: &output)
        return components
    }

    private static func append(_ twoDigits: Int, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: twoDigits / 10))
        output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: twoDigits % 10))
    }
}

extension Timestamp: CustomStringConvertible {
    /// RFC 3339 in UTC: `2026-11-21T02:00:00Z`.
    public var description: String {
        var output: [UInt8] = []
        append(to: &output)
        return String(decoding: output, as: UTF8.self)
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

    /// False for a point with no digit after it.
    mutating func skipFraction() -> Bool {
        guard take(".") else { return true }
        guard digit() != nil else { return false }
        while digit() != nil {}
        return true
    }

    /// Seconds east of UTC.
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
