internal import CSystem
internal import Fetching

/// Standard output and standard error, and what is at the other end of them.
///
/// Output is gathered and written in large pieces; ``flush()`` writes what there is.
public final class Console {
    /// What came of writing to standard output.
    private enum State {
        case open
        /// The reader is gone, which is its right: nothing more is written, and nothing is said.
        case closed
        case failed(Int32)
    }

    private static let outputDescriptor: Int32 = 1
    private static let errorDescriptor: Int32 = 2
    private static let bufferSize = 1 << 16

    private var buffer: [UInt8] = []
    private var state = State.open
    /// A line on the terminal that stands after everything else and is no part of it.
    private var status = ""
    let isOutputTerminal: Bool
    let isErrorTerminal: Bool

    /// The console of this process. It turns off the signal that would end the process where a reader has gone.
    public init() {
        pinctl_fill_standard_descriptors()
        pinctl_ignore_broken_pipes()
        isOutputTerminal = isatty(Self.outputDescriptor) == 1
        isErrorTerminal = isatty(Self.errorDescriptor) == 1
    }

    /// Adds to standard output.
    func write(_ bytes: some Collection<UInt8>) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.bufferSize { flush() }
    }

    func write(_ text: String) { write(text.utf8) }

    /// Writes to standard error, after what standard output has been given so far.
    func writeError(_ text: String) {
        flush()
        eraseStatus()
        _ = Self.writeAll(Array(text.utf8)[...], to: Self.errorDescriptor)
    }

    /// Puts a line at the end of standard error, where it is a terminal, in the place of the one before; an empty one to take
    /// it away. Whatever is written comes above it.
    func drawStatus(_ text: String) {
        flush()
        eraseStatus()
        guard isErrorTerminal, !text.isEmpty else { return }
        status = text.cut(to: max(1, Self.columns(of: Self.errorDescriptor) - 1))
        _ = Self.writeAll(Array(status.utf8)[...], to: Self.errorDescriptor)
    }

    private func eraseStatus() {
        guard !status.isEmpty else { return }
        status = ""
        // To the first column, and everything from there to the end of the line (ECMA-48, EL).
        _ = Self.writeAll(Array("\r\u{1B}[K".utf8)[...], to: Self.errorDescriptor)
    }

    /// Hands everything given so far to the system.
    func flush() {
        defer { buffer.removeAll(keepingCapacity: true) }
        guard case .open = state, !buffer.isEmpty else { return }
        if isOutputTerminal { eraseStatus() }
        switch Self.writeAll(buffer[...], to: Self.outputDescriptor) {
        case 0: return
        case EPIPE: state = .closed
        case let error: state = .failed(error)
        }
    }

    /// Standard output takes nothing any more: work for it is work for nothing.
    var isClosed: Bool {
        if case .open = state { return false }
        return true
    }

    /// Why output was lost, once everything is flushed; nil where none was.
    var failure: CommandError? {
        guard case .failed(let code) = state else { return nil }
        return CommandError("cannot write to standard output: \(SystemError(code: code).text)", status: .unknown)
    }

    /// Columns for text meant to be read: the terminal's, or nil where standard output is no terminal.
    var width: Int? {
        guard isOutputTerminal else { return nil }
        if let columns = Environment.value(of: "COLUMNS").flatMap({ Int($0) }), columns > 0 { return columns }
        return Self.columns(of: Self.outputDescriptor)
    }

    private static func columns(of terminal: Int32) -> Int {
        var size = winsize()
        guard unsafe pinctl_window_size(terminal, &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Whether this stream gets colour where nobody asked for either (https://no-color.org).
    func prefersColor(onTerminal isTerminal: Bool) -> Bool {
        isTerminal && (Environment.value(of: "NO_COLOR") ?? "").isEmpty && Environment.value(of: "TERM") != "dumb"
    }

    /// - Returns: 0, or the `errno` that ended the writing.
    private static func writeAll(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int32 {
        var rest = bytes
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe CSystem.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
                continue
            }
            switch pinctl_errno() {
            case EINTR: continue
            case EAGAIN: pinctl_wait_writable(descriptor)
            case let error: return error
            }
        }
        return 0
    }
}
