internal import CSystem
internal import Synchronization

/// The signals that request the end of the process, while it writes files.
///
/// Exit status 130 means that a command wrote nothing. So once a command begins to write, SIGINT does not end it, and its exit status is
/// that of the finished run. A second SIGINT ends the process, for example if the reader of its output does not read.
package enum EndingSignals {
    /// Number of running calls of ``deferred(_:)``.
    private static let sections = Mutex(0)
    private static let interruption: Void = pinctl_hold_signal(SIGINT)
    private static let others = [
        SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF, SIGXCPU,
    ]

    /// Makes the process ignore the next SIGINT. A command calls this before it changes the first file.
    package static func finishWriting() { interruption }

    /// Defers the signals until `body` has returned. Each signal ends the process at once if it arrives a second time.
    package static func deferred<Result, Failure>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        finishWriting()
        sections.withLock { count in
            if count == 0 { for number in others { pinctl_hold_signal(number) } }
            count += 1
        }
        defer {
            sections.withLock { count in
                count -= 1
                if count == 0 { for number in others { pinctl_release_signal(number) } }
            }
        }
        return try body()
    }
}
