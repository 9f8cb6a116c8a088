internal import CSystem
internal import Fetching
internal import Synchronization

/// The signals that a run over many hosts handles: SIGINT and SIGTERM end it, SIGUSR1 (and SIGINFO, where it exists) asks for
/// progress.
///
/// A separate thread waits for them, so that no work is done in a signal handler (signal-safety(7)).
package final class RunSignals: Sendable {
    private struct State: Sendable {
        var interruptions = 0
        var asksForProgress = false
    }

    private let state = Mutex(State())

    /// Number of seconds that pinctl waits for a slow reader of its last line, after a second interruption.
    private static let gracePeriod: UInt32 = 1

    /// Blocks the signals, so that they do not end the process. Must be called before another thread starts.
    package init() { pinctl_hold_run_signals() }

    /// Starts the thread that handles the signals.
    ///
    /// - Parameter call: called on that thread after each signal.
    package func watch(calling call: @escaping @Sendable () -> Void) {
        _ = BackgroundThread.start { [self] in
            while case let number = pinctl_wait_signal(), number != 0 {
                let isUrgent = state.withLock { state in
                    if pinctl_asks_for_progress(number) != 0 {
                        state.asksForProgress = true
                    } else {
                        state.interruptions += 1
                    }
                    return state.interruptions > 1
                }
                call()
                guard isUrgent else { continue }
                sleep(Self.gracePeriod)
                _exit(ExitStatus.interrupted.rawValue)
            }
        }
    }

    /// Number of requests to end the run.
    package var interruptions: Int { state.withLock { $0.interruptions } }

    /// Whether progress was requested since the last call.
    package func takesProgressRequest() -> Bool {
        state.withLock { state in
            defer { state.asksForProgress = false }
            return state.asksForProgress
        }
    }
}
