internal import CSystem

/// Asks for a password on the terminal, where there is one.
enum PasswordPrompt {
    private static let endOfText: UInt8 = 0x03
    private static let longestPassword = 1024

    /// - Returns: what was typed, which may be nothing; nil where there is no terminal.
    static func answer(to question: String) -> [UInt8]? {
        let terminal = pinctl_open_terminal()
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        var settings = termios()
        guard unsafe tcgetattr(terminal, &settings) == 0 else { return nil }
        // Without ISIG, Ctrl-C arrives as a byte, so that the terminal settings are restored before the process ends.
        var quiet = settings
        quiet.c_lflag &= ~(tcflag_t(ECHO) | tcflag_t(ISIG) | tcflag_t(ICANON))
        guard unsafe tcsetattr(terminal, TCSAFLUSH, &quiet) == 0 else { return nil }
        write(question, to: terminal)
        let (password, isCancelled) = readLine(from: terminal)
        _ = unsafe tcsetattr(terminal, TCSAFLUSH, &settings)
        write("\n", to: terminal)
        if isCancelled { pinctl_interrupt_self() }
        return password
    }

    private static func readLine(from terminal: Int32) -> (password: [UInt8], isCancelled: Bool) {
        var password: [UInt8] = []
        var byte: UInt8 = 0
        while password.count < longestPassword {
            let count = unsafe read(terminal, &byte, 1)
            if count < 0, pinctl_errno() == EINTR { continue }
            guard count == 1 else { break }
            switch byte {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0x04: return (password, false)
            case endOfText: return ([], true)
            case 0x08, 0x7F: _ = password.popLast()
            default: password.append(byte)
            }
        }
        return (password, false)
    }

    private static func write(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        _ = unsafe CSystem.write(descriptor, bytes, bytes.count)
    }
}
