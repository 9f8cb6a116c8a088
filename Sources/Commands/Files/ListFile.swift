internal import Arguments
internal import CSystem
internal import Fetching
internal import PinSetFormats
internal import Synchronization

/// A file that is read piece by piece, and may still be written: a pipe, a terminal, a file of any size.
final class ListFile: Sendable {
    /// How messages call it.
    let name: String
    /// Its size in bytes; nil where it has none, as a pipe.
    let size: Int?
    private let path: String
    private let isStandardInput: Bool
    /// Negative as long as it is not open.
    private let descriptor: Mutex<Int32>

    /// Opens it; a named pipe, of which opening waits for a writer, when it is read.
    ///
    /// - Parameter path: `-` is standard input.
    /// - Throws: ``CommandError`` for a file that is not there, may not be read, or is a folder.
    init(_ path: String, _ console: Console) throws(CommandError) {
        self.path = path
        name = path == "-" ? "standard input" : path.quoted
        var status = stat()
        let isKnown = path == "-" ? unsafe fstat(console.input, &status) : unsafe stat(path, &status)
        guard isKnown == 0 else { throw InputFile.unreadable(name, pinctl_errno()) }
        let kind = status.st_mode & mode_t(S_IFMT)
        guard kind != mode_t(S_IFDIR) else { throw InputFile.unreadable(name, EISDIR) }
        size = kind == mode_t(S_IFREG) ? Int(status.st_size) : nil
        var opened: Int32 = path == "-" ? console.input : -1
        if opened < 0, kind != mode_t(S_IFIFO) {
            opened = unsafe pinctl_open_for_reading(path)
            guard opened >= 0 else { throw InputFile.unreadable(name, pinctl_errno()) }
        }
        descriptor = Mutex(opened)
        isStandardInput = path == "-"
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

    /// The next piece, as soon as there is one; empty at the end.
    func read() throws(SystemError) -> [UInt8] {
        let descriptor = try opened()
        while true {
            var error: Int32 = 0
            let chunk = unsafe [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { buffer, count in
                let result = unsafe CSystem.read(descriptor, buffer.baseAddress, Self.chunkSize)
                if result < 0 { error = pinctl_errno() }
                count = max(0, result)
            }
            switch error {
            case 0: return chunk
            case EINTR: continue
            case EAGAIN: pinctl_wait_readable(descriptor)
            default: throw SystemError(code: error)
            }
        }
    }
}
