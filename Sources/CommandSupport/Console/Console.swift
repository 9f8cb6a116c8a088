internal import CSystem
internal import Encodings
internal import PlaintextProtocols

/// Standard streams, terminal and environment of one run of pinctl.
///
/// Standard output is buffered and written in large pieces; ``flush()`` writes the rest. A test creates a console with streams that
/// it captures, and runs a command inside its own process.
package final class Console {
    /// Result of writing to standard output.
    private enum State {
        case open
        /// The reader closed the pipe. This is no error: pinctl stops writing.
        case closed
        case failed(Int32)
    }

    private static let bufferSize = 1 << 16

    private let output: any ConsoleStream
    private let errors: any ConsoleStream
    /// Descriptor of standard input. The command line refers to it as `-`.
    package let input: Int32
    package let environment: Environment
    /// Asks a question on the terminal and reads the answer without echo.
    private let readPassword: (String) -> PasswordPrompt.Answer
    /// Whether a command may change the state of the whole process, such as its signal handlers. False if the process also does
    /// other work, as in a test.
    package let ownsProcess: Bool
    private var buffer: [UInt8] = []
    private var state = State.open
    private var protectsSecrets = false
    /// Progress line on the terminal. It is erased before anything else is written.
    private var status = ""

    /// The console of this process. It ignores SIGPIPE and SIGXFSZ, so that a write to a closed pipe or over the limit of the file
    /// size returns an error and does not end the process.
    package convenience init() {
        pinctl_fill_standard_descriptors()
        pinctl_ignore_write_signals()
        self.init(
            input: 0, output: DescriptorStream(1), errors: DescriptorStream(2), environment: .process,
            readPassword: PasswordPrompt.answer, ownsProcess: true)
    }

    package init(
        input: Int32, output: any ConsoleStream, errors: any ConsoleStream, environment: Environment,
        readPassword: @escaping (String) -> PasswordPrompt.Answer, ownsProcess: Bool
    ) {
        self.input = input
        self.output = output
        self.errors = errors
        self.environment = environment
        self.readPassword = readPassword
        self.ownsProcess = ownsProcess
    }

    /// The descriptor of standard output; nil if it is in memory.
    package var outputDescriptor: Int32? { output.fileDescriptor }
    package var isOutputTerminal: Bool { output.isTerminal }
    package var isErrorTerminal: Bool { errors.isTerminal }

    /// Appends to standard output.
    package func write(_ bytes: [UInt8]) {
        guard bytes.count < Self.bufferSize else {
            // A copy of a long text would need as much memory again, and the buffer would keep it.
            flush()
            return put(bytes[...])
        }
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.bufferSize { flush() }
    }

    package func write(_ text: String) { write(Array(text.utf8)) }

    /// Writes to standard error. Buffered standard output is written first.
    package func writeError(_ text: String) {
        flush()
        eraseStatus()
        let shown = isErrorTerminal ? Message.wrapped(text, to: errors.columns) : text
        _ = errors.write(Array(shown.utf8)[...])
    }

    /// Replaces the progress line, which is the last line of standard error if that is a terminal. An empty text removes it.
    package func drawStatus(_ text: String) {
        flush()
        eraseStatus()
        guard isErrorTerminal, !text.isEmpty else { return }
        status = text.cut(to: max(1, errors.columns - 1))
        _ = errors.write(Array(status.utf8)[...])
    }

    private func eraseStatus() {
        guard !status.isEmpty else { return }
        status = ""
        // Carriage return, then erase to the end of the line (ECMA-48, EL).
        _ = errors.write(Array("\r\u{1B}[K".utf8)[...])
    }

    /// Writes the buffered standard output.
    package func flush() {
        put(buffer[...])
        buffer.removeAll(keepingCapacity: true)
    }

    private func put(_ bytes: ArraySlice<UInt8>) {
        guard case .open = state, !bytes.isEmpty else { return }
        if isOutputTerminal { eraseStatus() }
        switch output.write(bytes) {
        case 0: return
        case EPIPE: state = .closed
        case let error: state = .failed(error)
        }
    }

    /// Whether standard output takes no more bytes, so that further work for it is useless.
    package var isClosed: Bool { loss != nil }

    /// Why standard output takes no more bytes, as a clause; nil if it does.
    package var loss: String? {
        switch state {
        case .open: nil
        case .closed: "standard output was closed"
        case .failed: "standard output could not be written"
        }
    }

    /// The reason why output was lost; nil if nothing was lost. It is complete after the last ``flush()``.
    package var failure: CommandError? {
        guard case .failed(let code) = state else { return nil }
        return CommandError("cannot write to standard output: \(SystemError(code: code).text)", status: .undecided)
    }

    /// Width of text for people, in columns; nil if standard output is not a terminal.
    package var width: Int? {
        guard isOutputTerminal else { return nil }
        if let columns = environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 { return columns }
        return output.columns
    }

    /// Whether the locale's characters are encoded in UTF-8 (locale(7): the first of the three variables that is set).
    package var usesUTF8: Bool {
        let locale =
            ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { self.environment[$0] }.first { !$0.isEmpty } ?? ""
        let encoding = locale.lowercased().filter { $0 != "-" }
        return encoding.has("utf8")
    }

    /// Whether to colour standard output if the user did not choose (https://no-color.org).
    package var prefersColor: Bool {
        isOutputTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }

    /// Asks for a password on the terminal.
    ///
    /// - Returns: the typed password, which may be empty; nil if there is no terminal.
    package func password(asking question: String) throws(CommandError) -> Password? {
        flush()
        protectSecrets()
        switch readPassword(question) {
        case .noTerminal: return nil
        case .typed(let password): return password
        case .tooLong:
            throw CommandError("the password is longer than \(Password.maximumLength) bytes")
        }
    }

    /// Asks for the password of a file.
    ///
    /// - Returns: the typed password; nil if there is no terminal or nothing was typed.
    package func password(of path: String) throws(CommandError) -> Password? {
        try password(asking: "password for \(path.escaped): ").flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Prevents core dumps and crash reports of this process from now on, because its memory will contain a private key or a
    /// password.
    package func protectSecrets() {
        // Once for all files of a command line.
        guard ownsProcess, !protectsSecrets else { return }
        protectsSecrets = true
        pinctl_protect_secrets()
    }
}
