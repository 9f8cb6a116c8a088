internal import CSystem

/// A time limit for the look-ups over TCP of one thread, which have none in glibc. Without it, a name server that truncates its answers and
/// is silent over TCP would hold each thread that looks up one of its names until the end of the run.
///
/// It is a limit of the thread, and not of a look-up: the signal of a timer ends the connection to the name server.
enum StreamLimit {
    /// Makes look-ups. After the time, each connection to a name server ends at once, so that the look-up fails.
    static func within<Result>(milliseconds: Int32, _ lookUp: () -> Result) -> Result {
        let timer = pinctl_start_stream_limit(Int(milliseconds))
        defer { pinctl_end_stream_limit(timer) }
        return lookUp()
    }
}
