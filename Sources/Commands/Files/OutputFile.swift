internal import Arguments
internal import CSystem
internal import Fetching

/// Files that come to be whole or not at all.
enum OutputFile {
    /// Puts `bytes` where `path` is, in the place of what was there.
    ///
    /// They are written to a new file beside it first, which then takes its name (rename(2)): whoever reads `path` at
    /// any moment finds the old contents or the new, and a failed write leaves the old.
    static func write(_ bytes: [UInt8], to path: String) throws(CommandError) {
        var template = Array((path + ".XXXXXX").utf8CString)
        let descriptor = unsafe mkstemp(&template)
        guard descriptor >= 0 else { throw failure(path, pinctl_errno()) }
        let temporary = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let error = fill(descriptor, with: bytes)
        close(descriptor)
        guard error == 0 else {
            unsafe unlink(temporary)
            throw failure(path, error)
        }
        guard unsafe rename(temporary, path) == 0 else {
            let error = pinctl_errno()
            unsafe unlink(temporary)
            throw failure(path, error)
        }
    }

    /// Makes a folder unless it is there.
    static func makeFolder(_ path: String) throws(CommandError) {
        guard unsafe mkdir(path, 0o777) != 0, case let error = pinctl_errno(), error != EEXIST else { return }
        throw CommandError("cannot make the folder \(path.quoted): \(SystemError(code: error).text)")
    }

    private static func fill(_ descriptor: Int32, with bytes: [UInt8]) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe CSystem.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, case let error = pinctl_errno(), error != EINTR { return error }
            rest = rest.dropFirst(max(0, count))
        }
        // mkstemp(3) makes files for their owner alone; what is written here is public.
        return fchmod(descriptor, 0o666 & ~pinctl_umask()) == 0 ? 0 : pinctl_errno()
    }

    private static func failure(_ path: String, _ code: Int32) -> CommandError {
        CommandError("cannot write \(path.quoted): \(SystemError(code: code).text)")
    }
}
