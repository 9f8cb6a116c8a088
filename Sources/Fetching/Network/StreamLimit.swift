internal import CSystem
internal import Synchronization

/// A time limit for the look-ups over TCP of one thread, which have none in glibc. Without it, a name server that truncates its answers and
/// is silent over TCP would hold each thread that looks up one of its names until the end of the run.
///
/// It is a limit of the thread, and not of a look-up: the signal of a timer ends the connection to the name server.
package enum StreamLimit {
    private static let replacesIgnoredSignal = Mutex(false)

    /// Makes the limit work also if the signal is ignored. A program inherits this from the process that started it (execve(2)), and a
    /// library cannot tell it from a choice of its program. So a program calls this once at its start, before other threads can look up
    /// names, if it does not use the signal itself.
    package static func replaceIgnoredSignal() { replacesIgnoredSignal.withLock { $0 = true } }

    /// Makes look-ups. After the time, each connection to a name server ends at once, so that the look-up fails.
    static func within<Result>(milliseconds: Int32, _ lookUp: () -> Result) -> Result {
        let timer = pinctl_start_stream_limit(Int(milliseconds), replacesIgnoredSignal.withLock { $0 } ? 1 : 0)
        defer { pinctl_end_stream_limit(timer) }
        return lookUp()
    }
}
