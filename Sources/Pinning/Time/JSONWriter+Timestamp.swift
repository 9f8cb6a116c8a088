package import Encodings

extension JSONWriter {
    /// Writes a moment as RFC 3339 in UTC.
    package mutating func value(_ value: Timestamp?) { self.value(secondsSince1970: value?.secondsSince1970) }

    /// Writes a field with a moment as RFC 3339 in UTC.
    package mutating func field(_ key: String, _ value: Timestamp?) {
        self.key(key)
        self.value(value)
    }
}
