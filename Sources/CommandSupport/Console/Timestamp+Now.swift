internal import CSystem
package import Pinning

extension Timestamp {
    /// The current time, in seconds.
    package static var now: Timestamp { Timestamp(secondsSince1970: Int64(time(nil))) }
}
