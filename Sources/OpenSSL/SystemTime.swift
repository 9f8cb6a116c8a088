internal import CSystem

/// The clock by which certificates are valid.
package enum SystemTime {
    /// The present time in seconds since 1970-01-01 in UTC (time(2)).
    package static var secondsSince1970: Int64 { Int64(time(nil)) }
}
