internal import CSystem
internal import Pinning

extension Timestamp {
    /// The present moment, to the second.
    static var now: Timestamp { Timestamp(secondsSince1970: Int64(time(nil))) }
}
