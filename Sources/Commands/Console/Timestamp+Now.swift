internal import CSystem
internal import Pinning

extension Timestamp {
    /// The current time, in seconds.
    static var now: Timestamp { Timestamp(secondsSince1970: Int64(time(nil))) }
}
