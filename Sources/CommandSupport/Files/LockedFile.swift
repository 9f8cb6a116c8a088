internal import CSystem
internal import Encodings
internal import FileConflicts
package import PlaintextProtocols
package import StagedFiles

/// A regular file that is open and locked, so that replacing it does not lose the change of another process.
///
/// The lock (flock(2)) excludes other runs of pinctl. A lease (fcntl(2)), if the system grants one, shows whether another process
/// opens the file for writing. The file's identity shows whether another process replaced the file.
package final class LockedFile {
    private let path: String
    /// The path without symbolic links.
    private let target: String
    private let descriptor: Int32
    /// The state when the file was locked.
    package let state: FileState
    /// Whether ``descriptor`` is open for writing too. Then the system grants no lease.
    private let isWritable: Bool
    private var hasLease = false
    /// The attributes that ``complete(_:)`` copied, and those that it could not copy.
    private var attributes = ExtendedAttributes()
    private var lost: [ExtendedAttributes.Failure] = []

    /// - Parameter descriptor: the result of open(2).
    private init(
        _ path: String, _ target: String, _ descriptor: Int32, isWritable: Bool = false
    ) throws(CommandError) {
        guard descriptor >= 0 else { throw Self.failure(path, pinctl_errno()) }
        do throws(SystemError) {
            state = try FileState(of: descriptor)
        } catch {
            close(descriptor)
            throw Self.failure(path, error.code)
        }
        self.path = path
        self.target = target
        self.descriptor = descriptor
        self.isWritable = isWritable
        // Without this check, the command would wait for its own descriptor.
        try OpenStream.check(path, FileIdentity(of: descriptor), besides: descriptor)
    }

    // The lock and the lease end with the descriptor, and so with the process.
    deinit { close(descriptor) }

    /// Maximum number of attempts. With ``pause`` between them they take 30 seconds.
    private static let maximumAttempts = 1500
    /// In microseconds.
    private static let pause: UInt32 = 20_000

    /// Opens and locks a file. Waits while another process has locked it, has it open for writing, or replaces it.
    ///
    /// - Returns: nil if the time limit of 30 seconds has passed, or a deferred signal has arrived.
    package static func waiting(for path: String) throws(CommandError) -> LockedFile? {
        for _ in 0..<maximumAttempts {
            if let file = try open(path) { return file }
            guard !EndingSignals.haveArrived else { break }
            usleep(pause)
        }
        return nil
    }

    private static func open(_ path: String) throws(CommandError) -> LockedFile? {
        let target = try target(of: path)
        // A named pipe may have replaced the file since then, and opening it must not block.
        let file = try LockedFile(path, target, unsafe pinctl_open_without_waiting(target))
        let isLocked: Bool?
        do throws(SystemError) {
            isLocked = try file.lock()
        } catch {
            guard error.code == EBADF else { throw failure(path, error.code) }
            isLocked = nil
        }
        if let isLocked {
            if !isLocked { try OpenStream.checkLock(path, FileIdentity(of: file.descriptor)) }
            return isLocked ? file : nil
        }
        // NFS locks a file only through a descriptor that is open for writing (flock(2)).
        let writable = try LockedFile(path, target, unsafe pinctl_open_for_locking(target), isWritable: true)
        do throws(SystemError) {
            return try writable.lock() ? writable : nil
        } catch {
            throw failure(path, error.code)
        }
    }

    private func lock() throws(SystemError) -> Bool {
        if pinctl_lock(descriptor) != 0 {
            let error = pinctl_errno()
            guard error == EWOULDBLOCK || error == EINTR else { throw SystemError(code: error) }
            // With "flock FILE pinctl …", the process has the lock already (flock(1)).
            guard OpenStream.lock(of: FileIdentity(of: descriptor))?.kind == .exclusive else { return false }
        }
        hasLease = !isWritable && pinctl_take_lease(descriptor) == 0
        if !isWritable, !hasLease, pinctl_errno() == EAGAIN { return false }
        // If another process replaced the file before the lock, the path refers to another file now.
        return (try? FileState(at: target))?.isSameFile(as: state) ?? false
    }

    /// Resolves symbolic links. Fails if the result is not a regular file.
    package static func target(of path: String) throws(CommandError) -> String {
        guard unsafe access(path, F_OK) == 0 else { throw failure(path, pinctl_errno()) }
        let resolved: String
        do throws(FilePath.LinkError) {
            resolved = try FilePath.target(of: path)
        } catch {
            throw CommandError("cannot change \(path.quoted): \(error.message)")
        }
        guard !OutputFile.isSpecial(resolved) else {
            throw CommandError("cannot change \(path.quoted): it is not a regular file")
        }
        return resolved
    }

    package static func failure(_ path: String, _ code: Int32) -> CommandError {
        CommandError(
            "cannot change \(path.quoted): \(SystemError(code: code).text)", hint: OutputFile.hint(for: code),
            affectsAllOutputs: OutputFile.isFullDisk(code))
    }

    /// Other processes changed, moved or removed a file at the same time as pinctl.
    ///
    /// - Parameter kept: the file that contains the version of one of them.
    package static func conflict(_ path: String, kept: String) -> CommandError {
        CommandError(
            "other processes changed or removed \(path.quoted) at the same time: \(kept.quoted) contains the version of one of them",
            hint: "compare the files, then remove \(kept.quoted)", status: .undecided, isConflict: true)
    }

    package func contents() throws(CommandError) -> [UInt8] {
        let contents = try InputFile.contents(of: descriptor, name: path.quoted, fromStart: true)
        try InputFile.search(contents, of: path)
        return contents
    }

    /// Replaces the contents, and keeps owner and permissions.
    ///
    /// - Parameter expected: the old contents, from which `bytes` were created.
    /// - Returns: false if another process has changed the file since it was opened; then nothing is written.
    package func replace(_ expected: [UInt8], with bytes: [UInt8]) throws(CommandError) -> Bool {
        EndingSignals.finishWriting()
        return try commit(staged(bytes), replacing: expected)
    }

    /// New contents of the file, complete on the disk.
    func staged(_ bytes: [UInt8]) throws(CommandError) -> StagedFile {
        let staged: StagedFile
        do throws(SystemError) {
            guard unsafe access(target, W_OK) == 0 else { throw SystemError(code: pinctl_errno()) }
            staged = try StagedFile(for: target, isNew: false)
            try staged.write(bytes)
        } catch {
            throw Self.failure(path, error.code)
        }
        do throws(ExtendedAttributes.Failure) {
            try complete(staged)
        } catch {
            throw failure(error)
        }
        return staged
    }

    /// Replaces the contents with staged ones.
    ///
    /// - Returns: false if another process has changed the file since it was opened; then nothing is written.
    func commit(_ staged: StagedFile, replacing expected: [UInt8]) throws(CommandError) -> Bool {
        do throws(SystemError) {
            return try replace(expected, with: staged)
        } catch {
            if let kept = staged.keptVersion { throw Self.conflict(path, kept: kept) }
            throw Self.failure(path, error.code)
        }
    }

    /// Gives staged contents the owner, the permissions and the extended attributes of the file, and writes them to the disk.
    package func complete(_ staged: StagedFile) throws(ExtendedAttributes.Failure) {
        attributes = try ExtendedAttributes(of: descriptor)
        lost = try staged.complete(like: state, attributes)
    }

    package func failure(_ failure: ExtendedAttributes.Failure) -> CommandError {
        guard let name = failure.name else { return Self.failure(path, failure.code) }
        return CommandError(
            "cannot change \(path.quoted): the new version would not have the extended attribute \(name.quoted):"
                + " \(failure.text)")
    }

    /// Replaces the file with staged contents, after ``complete(_:)``.
    ///
    /// - Parameter expected: the contents that the file must have; nil if only the state of the file is compared.
    package func replace(_ expected: [UInt8]?, with staged: StagedFile) throws(SystemError) -> Bool {
        let isReplaced = try staged.replace { name throws(SystemError) in
            guard try isUnchanged(at: name, expected) else { return false }
            // Exchanging two files changes the time of the last attribute change. Then the attributes themselves are compared.
            guard PathKey(name) != PathKey(target) else {
                return try FileState(at: name, followsLinks: false).hasSameAttributes(as: state, andTime: true)
            }
            return try hasSameAttributes(as: FileState(at: name, followsLinks: false), Self.attributes(of: descriptor))
        }
        guard isReplaced else { return false }
        // If the system cannot exchange files, this is the first comparison after the rename.
        if let state = try? FileState(of: descriptor), let attributes = try? ExtendedAttributes(of: descriptor),
            !hasSameAttributes(as: state, attributes)
        {
            do throws(ExtendedAttributes.Failure) {
                lost = try staged.complete(like: state, attributes)
            } catch {
                lost = [error]
            }
        }
        for failure in lost { FileUse.loses(failure.name, of: path, failure.code) }
        return true
    }

    private func hasSameAttributes(as state: FileState, _ attributes: ExtendedAttributes) -> Bool {
        state.hasSameAttributes(as: self.state, andTime: false) && attributes == self.attributes
    }

    private static func attributes(of descriptor: Int32) throws(SystemError) -> ExtendedAttributes {
        do throws(ExtendedAttributes.Failure) {
            return try ExtendedAttributes(of: descriptor)
        } catch {
            throw SystemError(code: error.code)
        }
    }

    /// Whether the file still has this state and these contents.
    package func isStill(_ state: FileState, _ contents: [UInt8]?) throws(SystemError) -> Bool {
        guard self.state.hasSameContents(as: state) else { return false }
        return try isUnchanged(at: target, contents)
    }

    private func isUnchanged(at name: String, _ expected: [UInt8]?) throws(SystemError) -> Bool {
        do throws(SystemError) {
            guard try FileState(at: name, followsLinks: false).hasSameContents(as: state) else { return false }
        } catch {
            // The file no longer exists.
            guard error.code == ENOENT else { throw error }
            return false
        }
        guard try FileState(of: descriptor).hasSameContents(as: state) else { return false }
        if let expected, try read(atMost: expected.count + 1) != expected { return false }
        return !hasLease || pinctl_has_lease(descriptor) != 0
    }

    private func read(atMost count: Int) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let chunk = try InputFile.chunk(of: descriptor, count - bytes.count, at: bytes.count)
            if chunk.isEmpty { break }
            bytes += chunk
        }
        return bytes
    }
}
