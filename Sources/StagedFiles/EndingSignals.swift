internal import CSystem
internal import Synchronization

/// The signals that request the end of the process, while it writes files.
///
/// Exit status 130 means that a command wrote nothing. So once a command begins to write, SIGINT does not end it, and its exit status is
/// that of the finished run. A second SIGINT ends the process, for example if the reader of its output does not read.
package enum EndingSignals {
    private struct State: Sendable {
        /// Number of running calls of ``deferred(_:)``.
        var sections = 0
        /// Whether the process ignores the next SIGINT.
        var isWriting = false
        /// Whether SIGINT is deferred until the files are complete.
        var isStaging = false
    }

    private static let state = Mutex(State())
    private static let others = [
        SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF, SIGXCPU,
    ]

    /// Makes the process ignore the next SIGINT. A command calls this before it changes the first file.
    package static func finishWriting() {
        state.withLock { state in
            guard !state.isWriting else { return }
            state.isWriting = true
            beginWriting()
            // Otherwise it is deferred already.
            if !state.isStaging { hold(SIGINT) }
            state.isStaging = false
        }
    }

    /// Defers the signals until `body` has returned. Each signal ends the process at once if it arrives a second time.
    package static func deferred<Result, Failure>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        finishWriting()
        return try withoutOthers(body)
    }

    private static func withoutOthers<Result, Failure>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        state.withLock { state in
            if state.sections == 0 { for number in others { hold(number) } }
            state.sections += 1
        }
        defer {
            state.withLock { state in
                state.sections -= 1
                if state.sections == 0 { for number in others { release(number) } }
            }
        }
        return try body()
    }

    /// Creates files that are not in use yet, and then gives them their names. Defers the signals until then.
    ///
    /// A signal that arrives during `stage` ends the process after `stage` and before `commit`. What `stage` returns is released before.
    package static func deferred<Staged, Failure>(
        staging stage: () throws(Failure) -> Staged, commit: (Staged) throws(Failure) -> Void
    ) throws(Failure) {
        state.withLock { state in
            guard !state.isWriting, !state.isStaging else { return }
            state.isStaging = true
            hold(SIGINT)
        }
        defer {
            state.withLock { state in
                if state.isStaging { release(SIGINT) }
                state.isStaging = false
            }
        }
        try withoutOthers { () throws(Failure) in
            let staged = try stage()
            guard !haveArrived else { return }
            finishWriting()
            try commit(staged)
        }
    }

    /// Whether a deferred signal has arrived that will end the process.
    package static var haveArrived: Bool {
        state.withLock { state in
            (others + (state.isStaging ? [SIGINT] : [])).contains(where: hasArrived)
        }
    }

    // MARK: The state in C

    // An optimized build copies inline functions of C with their static variables into the object file of each Swift file that calls them,
    // also through a specialized or inlined function of another file. Then a signal would be held with one copy of the state, and released
    // with another one. So only these functions, which stay in the object of this file, call them.

    @inline(never) private static func hold(_ number: Int32) { pinctl_hold_signal(number) }
    @inline(never) private static func release(_ number: Int32) { pinctl_release_signal(number) }
    @inline(never) private static func hasArrived(_ number: Int32) -> Bool { pinctl_has_arrived(number) != 0 }
    @inline(never) private static func beginWriting() { pinctl_begin_writing() }
}
