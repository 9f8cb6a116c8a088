internal import Encodings

extension Timestamp {
    /// Reads `2026-11-21T02:00:00Z`, `2026-11-21T03:00:00.5+01:00` (RFC 3339, section 5.6), or a date such as `2026-11-21`, which
    /// is midnight UTC at the start of that day.
    ///
    /// Fractions of a second are ignored. The result is nil for a date that does not exist, and for leap seconds.
    public init?(rfc3339 text: some StringProtocol) {
        self.init(rfc3339: Array(text.utf8))
    }

    package init?(rfc3339 text: [UInt8]) {
        guard let seconds = RFC3339.seconds(text) else { return nil }
        self.init(secondsSince1970: seconds)
    }

    /// The day in UTC: `2026-11-21`.
    public var date: String { RFC3339.date(secondsSince1970) }
}

extension Timestamp: CustomStringConvertible {
    /// RFC 3339 in UTC: `2026-11-21T02:00:00Z`.
    public var description: String { RFC3339.text(secondsSince1970) }
}
