internal import CSystem
internal import Encodings
package import Fetching

/// A regular file that is open and locked, so that it can be replaced without losing the change of another process.
///
/// The lock (flock(2)) excludes other runs of pinctl. Where the system grants it, a lease (fcntl(2)) shows that a process opens the
/// file to write into it. A process that replaces the file shows by the file's identity.
package final class LockedFile {
    private let path: String
    /// The path without symbolic links.
    private let target: String
    private let descriptor: Int32
    private let state: FileState
    private var hasLease = false

    private init(_ path: String, _ target: String, _ descriptor: Int32, _ state: FileState) {
        self.path = path
        self.target = target
        self.descriptor = descriptor
        self.state = state
    }

    // The lock and the lease end with the descriptor, and so with the process.
    deinit { close(descriptor) }

    /// With ``pause``, 30 seconds.
    private static let maximumAttempts = 1500
    /// In microseconds.
    private static let pause: UInt32 = 20_000

    /// Opens and locks a file, and waits for other processes that have it locked, have it open for writing, or are replacing it.
    ///
    /// - Returns: nil if the time limit of 30 seconds has passed.
    package static func waiting(for path: String) throws(CommandError) -> LockedFile? {
        for _ in 0..<maximumAttempts {
            if let file = try open(path) { return file }
            usleep(pause)
        }
        return nil
    }

    private static func open(_ path: String) throws(CommandError) -> LockedFile? {
        let target = try target(of: path)
        // A named pipe may have taken the file's name since then: opening it must not block.
        let descriptor = unsafe pinctl_open_without_waiting(target)
        guard descriptor >= 0 else { throw failure(path, pinctl_errno()) }
        do throws(SystemError) {
            let file = LockedFile(path, target, descriptor, try FileState(of: descriptor))
            return try file.lock() ? file : nil
        } catch {
            throw failure(path, error.code)
        }
    }

    private func lock() throws(SystemError) -> Bool {
        guard pinctl_lock(descriptor) == 0 else {
            let error = pinctl_errno()
            guard error == EWOULDBLOCK || error == EINTR else { throw SystemError(code: error) }
            return false
        }
        hasLease = pinctl_take_lease(descriptor) == 0
        if !hasLease, pinctl_errno() == EAGAIN { return false }
        // If another process replaced the file before the lock, the path refers to another file now.
        return (try? FileState(at: target))?.isSameFile(as: state) ?? false
    }

    /// Resolves symbolic links, and refuses what is not a regular file.
    package static func target(of path: String) throws(CommandError) -> String {
        guard let resolved = OutputFile.resolved(path) else { throw failure(path, pinctl_errno()) }
        guard !OutputFile.isSpecial(resolved) else {
            throw CommandError("cannot change \(path.quoted): it is not a regular file")
        }
        return resolved
    }

    package static func failure(_ path: String, _ code: Int32) -> CommandError {
        CommandError("cannot change \(path.quoted): \(SystemError(code: code).text)")
    }

    package func contents() throws(CommandError) -> [UInt8] {
        try InputFile.contents(of: descriptor, name: path.quoted, fromStart: true)
    }

    /// Replaces the contents, and keeps owner and permissions.
    ///
    /// - Parameter expected: the contents that `bytes` were made from.
    /// - Returns: false if another process has changed the file since it was opened, and nothing is written.
    package func replace(_ expected: [UInt8], with bytes: [UInt8]) throws(CommandError) -> Bool {
        do throws(SystemError) {
            guard unsafe access(target, W_OK) == 0 else { throw SystemError(code: pinctl_errno()) }
            let staged = try StagedFile(for: target)
            try staged.write(bytes)
            try staged.complete(replacing: state)
            return try replace(expected, with: staged)
        } catch {
            throw Self.failure(path, error.code)
        }
    }

    /// Replaces the file with complete contents.
    ///
    /// - Parameter expected: the contents to compare; nil to compare only the state of the file.
    package func replace(_ expected: [UInt8]?, with staged: StagedFile) throws(SystemError) -> Bool {
        try staged.replace { name throws(SystemError) in try isUnchanged(at: name, expected) }
    }

    /// Whether the file has this state and these contents.
    package func isStill(_ state: FileState, _ contents: [UInt8]?) throws(SystemError) -> Bool {
        guard self.state.hasSameContents(as: state) else { return false }
        return try isUnchanged(at: target, contents)
    }

    private func isUnchanged(at name: String, _ expected: [UInt8]?) throws(SystemError) -> Bool {
        do throws(SystemError) {
            guard try FileState(at: name, followsLinks: false).hasSameContents(as: state) else { return false }
        } catch {
            // The file was removed.
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
