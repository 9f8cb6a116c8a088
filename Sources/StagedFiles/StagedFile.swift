package import CSystem
internal import FileConflicts
package import PlaintextProtocols

/// New contents of a file, stored on the same file system. They get the file's name when they are complete.
///
/// Until then they have no name, if the system supports such files (open(2), "O_TMPFILE"), so that nothing remains if the process
/// is killed. On other systems they have a temporary name next to the file, and are removed if they do not get the file's name.
package final class StagedFile {
    private let target: String
    private var descriptor: Int32
    private var temporaryName: String?
    /// Whether ``replace(ifStill:)`` took a lease, which shows whether another process opens the contents under the file's name.
    private var hasLease = false
    /// The version that the contents replaced, if ``replace(ifStill:)`` failed with `EBUSY`: two other processes were changing the
    /// file, one the old version and one the new one, so both are kept.
    package private(set) var keptVersion: String?

    /// - Parameters:
    ///   - target: the path that the contents are for. It is not opened.
    ///   - isNew: whether the contents are for a new file. It gets the permissions that the umask or the default access control list
    ///     of the folder gives (open(2), acl(5)). Otherwise only the owner can read the contents until they are complete.
    package convenience init(for target: String, isNew: Bool) throws(SystemError) {
        let mode: mode_t = isNew ? 0o666 : 0o600
        if let unnamed = Self.openUnnamed(for: target, mode, isNew: isNew) {
            self.init(target, unnamed, temporaryName: nil)
        } else {
            let (descriptor, name) = try Self.withNewName(beside: target) { path in unsafe pinctl_create(path, mode) }
            self.init(target, descriptor, temporaryName: name)
        }
    }

    /// - Returns: nil if the system does not support files without a name.
    package convenience init?(unnamedFor target: String) {
        guard let unnamed = Self.openUnnamed(for: target, 0o600, isNew: false) else { return nil }
        self.init(target, unnamed, temporaryName: nil)
    }

    private init(_ target: String, _ descriptor: Int32, temporaryName: String?) {
        self.target = target
        self.descriptor = descriptor
        self.temporaryName = temporaryName
    }

    private static func openUnnamed(for target: String, _ mode: mode_t, isNew: Bool) -> Int32? {
        let folder = FilePath.parent(of: target)
        let descriptor = unsafe pinctl_open_unnamed(folder, mode)
        guard descriptor >= 0 else { return nil }
        // linkat(2) needs this path to name the file. /proc may not be mounted.
        if unsafe access("/proc/self/fd/\(descriptor)", F_OK) == 0,
            unsafe !isNew || pinctl_apply_umask(descriptor, folder) == 0
        {
            return descriptor
        }
        close(descriptor)
        return nil
    }

    deinit {
        close(descriptor)
        if let temporaryName { Self.remove(temporaryName) }
    }

    package func write(_ bytes: [UInt8]) throws(SystemError) { try Self.write(bytes, to: descriptor) }

    /// Writes all of `bytes` to a descriptor.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe CSystem.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, case let error = pinctl_errno() {
                if error == EAGAIN { pinctl_wait_writable(descriptor) }
                guard error == EINTR || error == EAGAIN else { throw SystemError(code: error) }
            }
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// Sets owner, group, permissions and extended attributes to those of another file, and writes everything to the disk.
    ///
    /// - Returns: the extended attributes that the system does not let this user copy.
    package func complete(
        like original: FileState, _ attributes: ExtendedAttributes
    ) throws(ExtendedAttributes.Failure) -> [ExtendedAttributes.Failure] {
        do throws(SystemError) {
            let state = try FileState(of: descriptor)
            if state.owner != original.owner || state.group != original.group {
                guard fchown(descriptor, original.owner, original.group) == 0 else {
                    throw SystemError(code: pinctl_errno())
                }
            }
        } catch {
            throw ExtendedAttributes.Failure(name: nil, code: error.code)
        }
        let lost = try attributes.copy(to: descriptor)
        do throws(SystemError) {
            // This must follow chown(2), which clears the set-user-ID and set-group-ID bits.
            try complete(permissions: original.mode & 0o7777)
        } catch {
            throw ExtendedAttributes.Failure(name: nil, code: error.code)
        }
        return lost
    }

    /// Writes everything to the disk, and keeps the attributes of a new file.
    package func complete() throws(SystemError) {
        guard fsync(descriptor) == 0 else { throw SystemError(code: pinctl_errno()) }
    }

    package func complete(permissions: mode_t) throws(SystemError) {
        guard fchmod(descriptor, permissions) == 0, fsync(descriptor) == 0 else {
            throw SystemError(code: pinctl_errno())
        }
        // The system removes the set-group-ID bit without an error if the process is not in the group (chmod(2)). Other bits can be those of
        // the file system, such as FAT.
        guard try permissions & ~FileState(of: descriptor).mode & 0o7000 == 0 else { throw SystemError(code: EPERM) }
    }

    /// Names the contents. Fails with `EEXIST` if the name exists.
    package func create() throws(SystemError) {
        EndingSignals.finishWriting()
        if let temporaryName {
            try Self.rename(temporaryName, toNew: target)
            self.temporaryName = nil
        } else {
            guard unsafe pinctl_name_unnamed(descriptor, target) == 0 else { throw SystemError(code: pinctl_errno()) }
        }
        Self.syncFolder(of: target)
    }

    /// Renames a file unless the new name exists.
    private static func rename(_ name: String, toNew path: String) throws(SystemError) {
        if unsafe link(name, path) == 0 {
            Self.remove(name)
            return
        }
        let error = pinctl_errno()
        // Some file systems have no hard links, as on most USB sticks. Then the name is reserved first.
        guard [EPERM, EOPNOTSUPP, ENOSYS].contains(error) else { throw SystemError(code: error) }
        let reserved = unsafe pinctl_create(path, 0o600)
        guard reserved >= 0 else { throw SystemError(code: pinctl_errno()) }
        close(reserved)
        guard unsafe CSystem.rename(name, path) == 0 else {
            let error = pinctl_errno()
            Self.remove(path)
            throw SystemError(code: error)
        }
    }

    /// Replaces a file.
    ///
    /// If the system can exchange two names in one step, pinctl exchanges the file and the contents. If the old file turns out not
    /// to be the expected version, pinctl exchanges them back. So a version that another process writes in the meantime is not
    /// lost.
    ///
    /// - Parameter isExpected: returns whether the file, which has the given name at this time, is the version to replace.
    /// - Returns: false if the file was not the expected version; then nothing is changed.
    package func replace(ifStill isExpected: (String) throws(SystemError) -> Bool) throws(SystemError) -> Bool {
        // Between two exchanges, another file contains the version of another process.
        try EndingSignals.deferred { () throws(SystemError) in try exchange(ifStill: isExpected) }
    }

    private func exchange(ifStill isExpected: (String) throws(SystemError) -> Bool) throws(SystemError) -> Bool {
        let name = try named()
        guard try isExpected(target) else { return false }
        let written = try FileState(of: descriptor)
        try takeLease(name)
        if unsafe pinctl_exchange(name, target) != 0 {
            let error = pinctl_errno()
            guard [EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP].contains(error) else { throw SystemError(code: error) }
            guard unsafe CSystem.rename(name, target) == 0 else { throw SystemError(code: pinctl_errno()) }
        } else {
            let replacesExpected: Bool
            do throws(SystemError) {
                replacesExpected = try isExpected(name)
            } catch {
                try exchangeBack(name, written)
                throw error
            }
            guard replacesExpected else {
                try exchangeBack(name, written)
                return false
            }
            Self.remove(name)
        }
        temporaryName = nil
        Self.syncFolder(of: target)
        return true
    }

    /// Shows from now on whether another process opens the contents for writing. The system grants a lease only for a file that
    /// no process has open for writing, so the descriptor is replaced.
    private func takeLease(_ name: String) throws(SystemError) {
        let reading = unsafe pinctl_open_for_reading(name)
        guard reading >= 0 else { throw SystemError(code: pinctl_errno()) }
        close(descriptor)
        descriptor = reading
        hasLease = pinctl_take_lease(descriptor) == 0
    }

    /// Restores the version that the contents replaced. Fails with `EBUSY` and sets ``keptVersion`` if another process already uses,
    /// moved or removed the contents, or if pinctl cannot find this out.
    ///
    /// - Parameter written: the state of the contents before they had the file's name.
    private func exchangeBack(_ name: String, _ written: FileState) throws(SystemError) {
        guard unsafe pinctl_exchange(name, target) == 0 else { throw keeping(name) }
        do throws(SystemError) {
            let returned = try FileState(at: name, followsLinks: false)
            let isUsed =
                hasLease
                ? pinctl_has_lease(descriptor) == 0
                : try !FileState(of: descriptor).hasSameContents(as: written)
            guard !returned.isSameFile(as: written) || isUsed else { return }
        } catch {
            throw keeping(name)
        }
        // Another process has replaced or opened the contents since the exchange. Its version is the newest, so it stays. It may not
        // contain the change of the version that the contents replaced, so this version stays too.
        _ = unsafe pinctl_exchange(name, target)
        throw keeping(name)
    }

    /// Another process changed, moved or removed the file again, so the version with this name stays.
    private func keeping(_ name: String) -> SystemError {
        (keptVersion, temporaryName) = (name, nil)
        return SystemError(code: EBUSY)
    }

    /// Stores the contents under another name, so that the user can find them.
    ///
    /// - Returns: the path.
    package func keep() throws(SystemError) -> String {
        let name = try named()
        temporaryName = nil
        return name
    }

    private func named() throws(SystemError) -> String {
        if let temporaryName { return temporaryName }
        let (_, name) = try Self.withNewName(beside: target) { path in unsafe pinctl_name_unnamed(descriptor, path) }
        temporaryName = name
        return name
    }

    /// Maximum length of a file name in bytes, minus the length of a random suffix.
    private static let maximumNameLength = 240
    private static let maximumAttempts = 100

    /// Calls `body` with random names next to `path` until it succeeds, or fails for another reason than the name.
    private static func withNewName(
        beside path: String, _ body: (String) -> Int32
    ) throws(SystemError) -> (result: Int32, name: String) {
        let (folder, name) = (FilePath.folderPrefix(of: path), FilePath.name(of: path))
        let start = String(decoding: name.utf8.prefix(maximumNameLength), as: UTF8.self)
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
        for _ in 0..<maximumAttempts {
            let random = String((0..<6).compactMap { _ in letters.randomElement() })
            let candidate = "\(folder)\(start).\(random)"
            let result = body(candidate)
            if result >= 0 { return (result, candidate) }
            guard pinctl_errno() == EEXIST else { throw SystemError(code: pinctl_errno()) }
        }
        throw SystemError(code: EEXIST)
    }

    /// Removes a file that is not needed. If that fails, the command reports it at its end.
    package static func remove(_ path: String) {
        guard unsafe unlink(path) != 0, case let error = pinctl_errno(), error != ENOENT else { return }
        FileUse.leaves(path, error)
    }

    /// Writes a folder to the disk, because a new name is safe only then. Some file systems do not support this, which is not an
    /// error.
    package static func syncFolder(of path: String) {
        let descriptor = unsafe pinctl_open_for_reading(FilePath.parent(of: path))
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }
}
