internal import CSystem
internal import Pinning

/// The clock of the system.
enum SystemClock {
    static var now: Timestamp { Timestamp(secondsSince1970: Int64(time(nil))) }
}
