internal import CSystem

/// Destination of standard output or standard error.
package protocol ConsoleStream {
    /// The descriptor that is written to; nil for a stream in memory.
    var fileDescriptor: Int32? { get }
    var isTerminal: Bool { get }
    /// Width of the terminal.
    var columns: Int { get }

    /// Writes all bytes.
    ///
    /// - Returns: 0, or the `errno` of the failure.
    func write(_ bytes: ArraySlice<UInt8>) -> Int32
}

extension ConsoleStream {
    package var fileDescriptor: Int32? { nil }
}

/// A stream that writes to an open file descriptor.
package struct DescriptorStream: ConsoleStream {
    private static let defaultColumns = 80

    private let descriptor: Int32
    package let isTerminal: Bool

    package var fileDescriptor: Int32? { descriptor }

    package init(_ descriptor: Int32) {
        self.descriptor = descriptor
        isTerminal = isatty(descriptor) == 1
    }

    package var columns: Int {
        var size = winsize()
        guard unsafe pinctl_window_size(descriptor, &size) == 0, size.ws_col > 0 else { return Self.defaultColumns }
        return Int(size.ws_col)
    }

    package func write(_ bytes: ArraySlice<UInt8>) -> Int32 {
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
