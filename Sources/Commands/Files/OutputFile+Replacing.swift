internal import Arguments
internal import CSystem
internal import Fetching

extension OutputFile {
    /// Puts `bytes` in the place of the contents of a file that is there, whole or not at all.
    ///
    /// What a symbolic link leads to is replaced, and not the link; permissions and owner stay. The new contents are on the disk
    /// before they take the name of the old, so that not even a loss of power leaves a part of them.
    static func replace(_ path: String, with bytes: [UInt8]) throws(CommandError) {
        try replace(try target(of: path), with: bytes, called: path)
    }

    /// - Parameter path: what the file is called in messages.
    private static func replace(
        _ target: String, with bytes: [UInt8], called path: String
    ) throws(CommandError) {
        var status = stat()
        guard unsafe stat(target, &status) == 0, unsafe access(target, W_OK) == 0 else {
            throw unwritable(path, pinctl_errno())
        }
        let temporary: TemporaryFile
        do throws(SystemError) { temporary = try TemporaryFile(beside: target) } catch {
            throw unwritable(path, error.code)
        }
        let descriptor = temporary.descriptor
        var error = give(descriptor, to: status)
        if error == 0 { error = TemporaryFile.write(bytes, to: descriptor) }
        // After the owner: changing that takes some permissions away (chown(2)).
        if error == 0, fchmod(descriptor, status.st_mode & 0o7777) != 0 { error = pinctl_errno() }
        if error == 0, fsync(descriptor) != 0 { error = pinctl_errno() }
        close(descriptor)
        if error == 0, unsafe rename(temporary.path, target) != 0 { error = pinctl_errno() }
        guard error == 0 else {
            unsafe unlink(temporary.path)
            throw unwritable(path, error)
        }
        syncFolder(of: target)
    }

    /// Finds out beforehand what would keep a file that is there from being changed, as far as that can be known.
    static func checkReplacing(_ path: String) throws(CommandError) {
        let target = try target(of: path)
        let folder = target.lastIndex(of: "/").map { String(target[...$0]) } ?? "."
        for needed in [target, folder] {
            guard unsafe access(needed, W_OK) == 0 else { throw unwritable(path, pinctl_errno()) }
        }
    }

    /// Changes a file by its contents. Of several who do so at once each finds what the one before has written.
    ///
    /// - Parameter body: gets the contents and gives the new ones; nil leaves the file as it is.
    static func change(
        _ path: String, _ body: ([UInt8]) throws(CommandError) -> [UInt8]?
    ) throws(CommandError) {
        for _ in 0..<mostAttempts {
            let target = try target(of: path)
            let descriptor = unsafe pinctl_open_for_reading(target)
            guard descriptor >= 0 else { throw unwritable(path, pinctl_errno()) }
            // The lock ends with the descriptor, and so with the process, whatever ends that.
            defer { close(descriptor) }
            guard try lock(descriptor, path), isCurrent(descriptor, at: target) else { continue }
            guard let bytes = try body(try InputFile.bytes(at: target)) else { return }
            return try replace(target, with: bytes, called: path)
        }
        throw CommandError(
            "cannot change \(path.quoted): another process holds it", hint: "wait for the other, and try again",
            status: .undecided)
    }

    /// Twenty milliseconds each: what is done under the lock takes less than one.
    private static let mostAttempts = 1500

    /// - Returns: whether the lock is had; after a moment's wait where somebody else has it.
    private static func lock(_ descriptor: Int32, _ path: String) throws(CommandError) -> Bool {
        guard pinctl_lock(descriptor) != 0 else { return true }
        switch pinctl_errno() {
        case EWOULDBLOCK, EINTR:
            usleep(20_000)
            return false
        case let error: throw unwritable(path, error)
        }
    }

    /// Whether the file that was locked still has the name: whoever changed it before put another file in its place.
    private static func isCurrent(_ descriptor: Int32, at path: String) -> Bool {
        var (held, named) = (stat(), stat())
        guard unsafe fstat(descriptor, &held) == 0, unsafe stat(path, &named) == 0 else { return false }
        return held.st_dev == named.st_dev && held.st_ino == named.st_ino
    }

    /// Where the file that is to be replaced is. What is no regular file has no contents that others could take the place of.
    private static func target(of path: String) throws(CommandError) -> String {
        guard let resolved = resolved(path) else { throw unwritable(path, pinctl_errno()) }
        guard !isSpecial(resolved) else {
            throw CommandError("cannot change \(path.quoted): it is no regular file")
        }
        return resolved
    }

    /// Makes the owner and group of a new file those of the old. Whoever may not do that may not change the file.
    private static func give(_ descriptor: Int32, to old: stat) -> Int32 {
        var new = stat()
        guard unsafe fstat(descriptor, &new) == 0 else { return pinctl_errno() }
        guard new.st_uid != old.st_uid || new.st_gid != old.st_gid else { return 0 }
        return fchown(descriptor, old.st_uid, old.st_gid) == 0 ? 0 : pinctl_errno()
    }

    /// A new name is on the disk once its folder is. Where folders cannot be synced there is nothing to be done about it.
    private static func syncFolder(of path: String) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = unsafe pinctl_open_for_reading(folder)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }

    private static func unwritable(_ path: String, _ code: Int32) -> CommandError {
        CommandError("cannot change \(path.quoted): \(SystemError(code: code).text)")
    }
}
