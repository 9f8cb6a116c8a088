internal import Arguments
internal import CSystem
internal import Fetching

/// A file that is read piece by piece, and may still be written: a pipe, a terminal, a file of any size.
final class ListFile: Sendable {
    /// How messages call it.
    let name: String
    /// Its size in bytes; nil where it has none, as a pipe.
    let size: Int?
    private let descriptor: Int32

    /// Opens it.
    ///
    /// - Parameter path: `-` is standard input.
    /// - Throws: ``CommandError`` for a file that is not there, may not be read, or is a folder.
    init(_ path: String) throws(CommandError) {
        (name, descriptor) = path == "-" ? ("standard input", 0) : (path.quoted, unsafe pinctl_open_for_reading(path))
        guard descriptor >= 0 else { throw InputFile.unreadable(name, pinctl_errno()) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw InputFile.unreadable(name, pinctl_errno()) }
        let kind = status.st_mode & mode_t(S_IFMT)
        guard kind != mode_t(S_IFDIR) else { throw InputFile.unreadable(name, EISDIR) }
        size = kind == mode_t(S_IFREG) ? Int(status.st_size) : nil
    }

    deinit { if descriptor > 0 { close(descriptor) } }

    private static let chunkSize = 1 << 16

    /// The next piece, as soon as there is one; empty at the end.
    func read() throws(SystemError) -> [UInt8] {
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
