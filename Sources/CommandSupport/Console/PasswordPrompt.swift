internal import CSystem
internal import Synchronization

/// Asks for a password on the terminal, without echo.
///
/// The terminal's settings are restored before the process ends or stops, even if a signal ends or stops it.
package enum PasswordPrompt {
    package enum Answer {
        case noTerminal
        case typed(Password)
        /// The typed password is longer than ``Password/maximumLength`` bytes.
        case tooLong
    }

    private enum Line {
        case typed
        case tooLong
        case signal(Int32)
    }

    package static func answer(to question: String) -> Answer {
        let terminal = pinctl_open_terminal()
        guard terminal >= 0 else { return .noTerminal }
        defer { close(terminal) }
        var previous: termios?
        while true {
            guard let password = Password() else { return .noTerminal }
            var settings = termios()
            guard unsafe tcgetattr(terminal, &settings) == 0 else { return .noTerminal }
            // A process that was stopped in the background has not restored the settings.
            if let previous, settings.c_lflag == quieted(previous).c_lflag { settings = previous }
            previous = settings
            let signals = PromptSignals(terminal, settings)
            defer { signals.restore() }
            var quiet = quieted(settings)
            let isQuiet = unsafe tcsetattr(terminal, TCSAFLUSH, &quiet) == 0
            signals.blockStops()
            let line: Line
            if isQuiet {
                write(question, to: terminal)
                line = readLine(from: terminal, into: password, signals)
            } else if let number = PromptSignals.received {
                line = .signal(number)
            } else {
                return .noTerminal
            }
            signals.restore()
            write("\n", to: terminal)
            switch line {
            case .typed: return .typed(password)
            case .tooLong: return .tooLong
            // Most signals end the process. If the signal only stops it, the question is asked again after it continues.
            case .signal(let number): raise(number)
            }
        }
    }

    /// The settings without echo, and without ICANON, with which the system would cut a long line.
    private static func quieted(_ settings: termios) -> termios {
        var quiet = settings
        quiet.c_lflag &= ~(tcflag_t(ECHO) | tcflag_t(ICANON))
        return quiet
    }

    private static let endOfTransmission: UInt8 = 0x04
    private static let backspace: UInt8 = 0x08
    private static let eraseLine: UInt8 = 0x15
    private static let delete: UInt8 = 0x7F

    private static func readLine(from terminal: Int32, into password: Password, _ signals: PromptSignals) -> Line {
        var byte: UInt8 = 0
        var isTooLong = false
        while true {
            if let number = PromptSignals.received { return .signal(number) }
            let ready = signals.wait(for: terminal)
            if let number = PromptSignals.received { return .signal(number) }
            if ready < 0, pinctl_errno() == EINTR { continue }
            let count = ready < 0 ? ready : Int32(unsafe read(terminal, &byte, 1))
            if count < 0, case let error = pinctl_errno() {
                if error == EINTR { continue }
                // A read from the background fails, because SIGTTIN is blocked (termios(3)). By default it stops the process.
                if error == EIO, tcgetpgrp(terminal) != getpgrp() { return .signal(SIGTTIN) }
            }
            guard count == 1 else { break }
            switch byte {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"), endOfTransmission: return isTooLong ? .tooLong : .typed
            case backspace, delete: password.removeLastCharacter()
            case eraseLine:
                password.removeAll()
                isTooLong = false
            default: isTooLong = !password.append(byte) || isTooLong
            }
        }
        return isTooLong ? .tooLong : .typed
    }

    private static func write(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        _ = unsafe CSystem.write(descriptor, bytes, bytes.count)
    }
}

/// Restores the terminal before a signal ends or stops the process while a password is typed.
private final class PromptSignals {
    private static let number = Atomic<Int32>(0)
    /// Signals that wait until the prompt is closed. The others that end the process take effect at once, because the system may
    /// send them for a fault in the process. SIGCONT follows SIGSTOP, after which a shell sets the terminal.
    private static let deferred = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT]
    private static let stops = [SIGTTIN, SIGTTOU]

    /// The deferred signal that was received last.
    static var received: Int32? {
        let number = number.load(ordering: .relaxed)
        return number == 0 ? nil : number
    }

    private let previousMask: sigset_t
    private let previousActions: [(number: Int32, action: sigaction)]
    private var isRestored = false

    /// Blocks the deferred signals except during ``wait(for:)``.
    ///
    /// - Parameter settings: the settings of the terminal to restore.
    init(_ terminal: Int32, _ settings: termios) {
        Self.number.store(0, ordering: .relaxed)
        var blocked = Self.set(of: Self.deferred)
        var previous = sigset_t()
        unsafe pthread_sigmask(SIG_BLOCK, &blocked, &previous)
        previousMask = previous
        var actions: [(Int32, sigaction)] = []
        for number in Self.deferred + Self.stops {
            var action = sigaction()
            let handler: @convention(c) (Int32) -> Void = { PromptSignals.number.store($0, ordering: .relaxed) }
            if unsafe pinctl_handle_signal(number, handler, &action) != 0 { actions.append((number, action)) }
        }
        previousActions = actions
        var settings = settings
        unsafe pinctl_guard_terminal(terminal, &settings, &blocked)
    }

    /// Defers SIGTTIN and SIGTTOU, too. Before, SIGTTOU must interrupt a process in the background that changes the terminal.
    func blockStops() {
        var blocked = Self.set(of: Self.stops)
        unsafe pthread_sigmask(SIG_BLOCK, &blocked, nil)
    }

    /// Waits until a descriptor is readable or a signal arrives.
    func wait(for descriptor: Int32) -> Int32 {
        var mask = previousMask
        return unsafe pinctl_wait_input(descriptor, &mask)
    }

    /// Restores the terminal and the signals.
    func restore() {
        guard !isRestored else { return }
        isRestored = true
        var deferred = Self.set(of: Self.deferred)
        unsafe pinctl_forget_terminal(&deferred)
        for case (let number, var action) in previousActions { unsafe pinctl_restore_signal(number, &action) }
        var mask = previousMask
        unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
    }

    private static func set(of numbers: [Int32]) -> sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in numbers { unsafe sigaddset(&set, number) }
        return set
    }
}
