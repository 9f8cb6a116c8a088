internal import CSystem
internal import Encodings
internal import FileConflicts

/// Changes existing files. Each change is made completely or not at all, and the change of another process is never lost.
///
/// The new contents are written to the disk completely before they get the file's name. If the process is killed, or a system call
/// fails, the file is either the old version or the new one. Owner, group, permissions and symbolic links are kept.
package enum FileEditor {
    /// Changes a file. If another process changes the file in the meantime, `body` is called again with the new contents of the
    /// file.
    ///
    /// - Parameter body: returns the new contents for the current ones; nil to leave the file unchanged.
    package static func change(
        _ path: String, _ body: ([UInt8]) throws(CommandError) -> [UInt8]?
    ) throws(CommandError) {
        for _ in 0..<maximumAttempts {
            guard let file = try LockedFile.waiting(for: path) else { break }
            let contents = try file.contents()
            guard let bytes = try body(contents), bytes != contents else { return }
            if try file.replace(contents, with: bytes) { return }
        }
        throw busy(path)
    }

    private static func busy(_ path: String) -> CommandError {
        CommandError(
            "cannot change \(path.quoted): another process is changing it",
            hint: "wait for the other process, then run the command again", status: .undecided)
    }

    /// Replaces a file that is expected to have certain contents, together with other changes.
    package static func stage(
        _ path: String, expecting expected: [UInt8], with bytes: [UInt8]
    ) -> StagedChange.Stage {
        StagedChange.Stage(path) { () throws(CommandError) in
            guard let file = try LockedFile.waiting(for: path) else { throw busy(path) }
            guard try file.contents() == expected else { return nil }
            guard bytes != expected else { return StagedChange { () throws(CommandError) in true } }
            let staged = try file.staged(bytes)
            return StagedChange { () throws(CommandError) in try file.commit(staged, replacing: expected) }
        }
    }

    /// Checks in advance whether a file can be changed. A later change can still fail.
    package static func check(_ path: String) throws(CommandError) {
        let target = try LockedFile.target(of: path)
        for needed in [target, FilePath.parent(of: target)] {
            guard unsafe access(needed, W_OK) == 0 else { throw LockedFile.failure(path, pinctl_errno()) }
        }
        let file = FileIdentity(at: target)
        try OpenStream.check(path, file)
        try OpenStream.checkLock(path, file)
    }

    /// Maximum number of repetitions of a change.
    private static let maximumAttempts = 100
}
