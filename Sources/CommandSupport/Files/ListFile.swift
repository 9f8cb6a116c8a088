internal import CSystem
internal import FileConflicts
internal import PinSetCodec
package import PlaintextProtocols
internal import Synchronization

/// A file that is read in pieces while it may still be written: a pipe, a terminal, or a file of any size.
package final class ListFile: Sendable {
    /// Name in messages.
    package let name: String
    /// Size in bytes; nil for a pipe or a device.
    package let size: Int?
    private let path: String
    private let isStandardInput: Bool
    /// Number of bytes that may still be read; nil for no limit. A limit is needed for devices such as /dev/random, which never
    /// end.
    private let allowance: Mutex<Int?>
    /// The descriptor; negative until the file is open.
    private let descriptor: Mutex<Int32>

    /// Opens the file. A named pipe is opened when it is read, because opening waits for a writer.
    ///
    /// - Parameter path: `-` is standard input.
    /// - Throws: ``CommandError`` for a file that does not exist, cannot be read, or is a folder.
    package init(_ path: String, _ console: Console) throws(CommandError) {
        self.path = path
        isStandardInput = path == "-"
        name = InputFile.name(of: path)
        var status = stat()
        let isKnown = isStandardInput ? unsafe fstat(console.input, &status) : unsafe stat(path, &status)
        guard isKnown == 0 else { throw InputFile.unreadable(name, pinctl_errno()) }
        let kind = status.st_mode & mode_t(S_IFMT)
        guard kind != mode_t(S_IFDIR) else { throw InputFile.unreadable(name, EISDIR) }
        size = kind == mode_t(S_IFREG) ? Int(status.st_size) : nil
        var opened: Int32 = isStandardInput ? console.input : -1
        if opened < 0, kind != mode_t(S_IFIFO) {
            opened = unsafe pinctl_open_for_reading(path)
            guard opened >= 0 else { throw InputFile.unreadable(name, pinctl_errno()) }
        }
        FileUse.reads(opened)
        let isDevice = kind == mode_t(S_IFCHR) && isatty(opened) == 0
        allowance = Mutex(isDevice ? InputFile.maximumSize : nil)
        descriptor = Mutex(opened)
    }

    deinit {
        let descriptor = descriptor.withLock { $0 }
        if !isStandardInput, descriptor >= 0 { close(descriptor) }
    }

    private func opened() throws(SystemError) -> Int32 {
        try descriptor.withLock { descriptor throws(SystemError) in
            if descriptor < 0 { descriptor = unsafe pinctl_open_for_reading(path) }
            guard descriptor >= 0 else { throw SystemError(code: pinctl_errno()) }
            return descriptor
        }
    }

    private static let chunkSize = 1 << 16

    /// Waits for the next piece and returns it; empty at the end.
    package func read() throws(SystemError) -> [UInt8] {
        let chunk = try InputFile.chunk(of: try opened(), Self.chunkSize, at: nil)
        let isTooLarge = allowance.withLock { allowance in
            allowance = allowance.map { $0 - chunk.count }
            return allowance.map { $0 < 0 } ?? false
        }
        guard !isTooLarge else { throw SystemError(code: EFBIG) }
        return chunk
    }
}
