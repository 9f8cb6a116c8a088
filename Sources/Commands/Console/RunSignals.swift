internal import CSystem
internal import Fetching
internal import Synchronization

/// The signals that a run over many hosts answers: Ctrl-C and SIGTERM, and SIGUSR1 (with Ctrl-T where there is one), which asks
/// how far it is.
///
/// They are waited for on a thread of their own, so that nothing has to be done inside a signal handler (signal-safety(7)).
final class RunSignals: Sendable {
    private struct State: Sendable {
        var interruptions = 0
        var asksForProgress = false
    }

    private let state = Mutex(State())

    /// How long a second Ctrl-C leaves for the last line to be written whole, where its reader is slow.
    private static let grace: UInt32 = 1

    /// Keeps the signals from ending the process. To be called before any thread is started.
    init() { pinctl_hold_run_signals() }

    /// Answers them from now on.
    ///
    /// - Parameter call: called after each, on a thread of its own.
    func watch(calling call: @escaping @Sendable () -> Void) {
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
                sleep(Self.grace)
                _exit(ExitStatus.interrupted.rawValue)
            }
        }
    }

    /// How often the run was asked to end.
    var interruptions: Int { state.withLock { $0.interruptions } }

    /// Whether somebody has asked how far the run is, since this was last asked.
    func takesProgressRequest() -> Bool {
        state.withLock { state in
            defer { state.asksForProgress = false }
            return state.asksForProgress
        }
    }
}
