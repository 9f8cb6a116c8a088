internal import CSystem

/// Blocks the signals that request the end of a process, in this thread, until ``restore()`` is called.
package struct SignalMask {
    private let previous: sigset_t

    package init() {
        var ending = sigset_t()
        var previous = sigset_t()
        unsafe sigemptyset(&ending)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { unsafe sigaddset(&ending, number) }
        unsafe pthread_sigmask(SIG_BLOCK, &ending, &previous)
        self.previous = previous
    }

    package func restore() {
        var mask = previous
        unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
    }
}
