internal import Arguments
internal import CSystem
internal import Fetching

extension OutputFile {
    /// Puts `bytes` in the place of the contents of a file that is there, whole or not at all.
    ///
    /// What a symbolic link leads to is replaced, and not the link; permissions stay, and so does the owner where the
    /// system allows it.
    static func replace(_ path: String, with bytes: [UInt8]) throws(CommandError) {
        guard let resolved = unsafe realpath(path, nil) else { throw unwritable(path, pinctl_errno()) }
        let target = unsafe String(cString: resolved)
        unsafe free(resolved)
        var status = stat()
        guard unsafe stat(target, &status) == 0 else { throw unwritable(path, pinctl_errno()) }
        var template = Array((target + ".XXXXXX").utf8CString)
        let descriptor = unsafe mkstemp(&template)
        guard descriptor >= 0 else { throw unwritable(path, pinctl_errno()) }
        let temporary = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        _ = fchown(descriptor, status.st_uid, status.st_gid)
        var error = writeAll(bytes, to: descriptor)
        // After the owner: changing that takes some permissions away (chown(2)).
        if error == 0, fchmod(descriptor, status.st_mode & 0o7777) != 0 { error = pinctl_errno() }
        close(descriptor)
        if error == 0, unsafe rename(temporary, target) != 0 { error = pinctl_errno() }
        guard error == 0 else {
            unsafe unlink(temporary)
            throw unwritable(path, error)
        }
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe CSystem.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, case let error = pinctl_errno(), error != EINTR { return error }
            rest = rest.dropFirst(max(0, count))
        }
        return 0
    }

    private static func unwritable(_ path: String, _ code: Int32) -> CommandError {
        CommandError("cannot change \(path.quoted): \(SystemError(code: code).text)")
    }
}
