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
        while true {
            guard let password = Password() else { return .noTerminal }
            var settings = termios()
            let signals = PromptSignals()
            guard unsafe tcgetattr(terminal, &settings) == 0 else { return .noTerminal }
            // Without ICANON the system does not cut a long line.
            var quiet = settings
            quiet.c_lflag &= ~(tcflag_t(ECHO) | tcflag_t(ICANON))
            guard unsafe tcsetattr(terminal, TCSAFLUSH, &quiet) == 0 else { return .noTerminal }
            write(question, to: terminal)
            let line = readLine(from: terminal, into: password, signals)
            _ = unsafe tcsetattr(terminal, TCSAFLUSH, &settings)
            write("\n", to: terminal)
            signals.restore()
            switch line {
            case .typed: return .typed(password)
            case .tooLong: return .tooLong
            // Most signals end the process. If the signal only stops it, the question is asked again after it continues.
            case .signal(let number): raise(number)
            }
        }
    }

    private static let endOfTransmission: UInt8 = 0x04
    private static let backspace: UInt8 = 0x08
    private static let eraseLine: UInt8 = 0x15
    private static let delete: UInt8 = 0x7F

    private static func readLine(from terminal: Int32, into password: Password, _ signals: PromptSignals) -> Line {
        var byte: UInt8 = 0
        var isTooLong = false
        while true {
            let ready = signals.wait(for: terminal)
            if let number = PromptSignals.received { return .signal(number) }
            if ready < 0, pinctl_errno() == EINTR { continue }
            let count = ready < 0 ? ready : Int32(unsafe read(terminal, &byte, 1))
            if count < 0, pinctl_errno() == EINTR { continue }
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

/// Receives the signals that end or stop the process while a password is typed.
private struct PromptSignals {
    private static let number = Atomic<Int32>(0)

    /// The signal that was received.
    static var received: Int32? {
        let number = number.load(ordering: .relaxed)
        return number == 0 ? nil : number
    }

    private let previousMask: sigset_t
    private let previousActions: [(number: Int32, action: sigaction)]

    /// Blocks the signals except during ``wait(for:)``. The last signal is kept.
    init() {
        Self.number.store(0, ordering: .relaxed)
        var blocked = sigset_t()
        var previous = sigset_t()
        let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGALRM, SIGUSR1, SIGUSR2]
        unsafe sigemptyset(&blocked)
        for number in numbers { unsafe sigaddset(&blocked, number) }
        unsafe pthread_sigmask(SIG_BLOCK, &blocked, &previous)
        previousMask = previous
        var actions: [(Int32, sigaction)] = []
        for number in numbers {
            var action = sigaction()
            let handler: @convention(c) (Int32) -> Void = { PromptSignals.number.store($0, ordering: .relaxed) }
            if unsafe pinctl_handle_signal(number, handler, &action) != 0 { actions.append((number, action)) }
        }
        previousActions = actions
    }

    /// Waits until a descriptor is readable or a signal arrives.
    func wait(for descriptor: Int32) -> Int32 {
        var mask = previousMask
        return unsafe pinctl_wait_input(descriptor, &mask)
    }

    func restore() {
        for case (let number, var action) in previousActions { unsafe pinctl_restore_signal(number, &action) }
        var mask = previousMask
        unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
    }
}
