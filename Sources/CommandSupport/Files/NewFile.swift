internal import CSystem
internal import Encodings
internal import PlaintextProtocols
internal import StagedFiles

/// Creates files that do not exist yet. A file gets its name when it is complete, and never replaces another file.
package enum NewFile {
    /// Fails if the name exists, or if no file can have it.
    package static func check(_ path: String) throws(CommandError) {
        guard try isFree(path) else { throw exists(path) }
        _ = try OutputFile(path)
    }

    /// Whether no file has this name. A symbolic link counts as a file, even if its target does not exist.
    ///
    /// - Throws: ``CommandError`` if no file can have the name, for example because it is too long.
    package static func isFree(_ path: String) throws(CommandError) -> Bool {
        do throws(SystemError) {
            _ = try FileState(at: path, followsLinks: false)
            return false
        } catch {
            guard [ENOENT, ENOTDIR].contains(error.code) else { throw OutputFile.failure(path, error.code) }
            return true
        }
    }

    /// Creates a file with the permissions of new files.
    package static func create(_ path: String, _ bytes: [UInt8]) throws(CommandError) {
        do throws(SystemError) {
            try staged(path, bytes).create()
        } catch {
            throw failure(path, error)
        }
    }

    /// Creates a file together with other changes. Another process has changed it if it exists then.
    package static func stage(_ path: String, _ bytes: [UInt8]) -> StagedChange.Stage {
        StagedChange.Stage(path) { () throws(CommandError) in
            let file: StagedFile
            do throws(SystemError) { file = try staged(path, bytes) } catch { throw failure(path, error) }
            guard (try? isFree(path)) != false else { return nil }
            return StagedChange { () throws(CommandError) in
                do throws(SystemError) {
                    try file.create()
                } catch {
                    guard error.code == EEXIST else { throw failure(path, error) }
                    return false
                }
                return true
            }
        }
    }

    /// Creates two files: one with a secret, readable by its owner only (mode 0600), and a public one. Creates both or neither.
    ///
    /// If the process is killed between the two, only the secret file exists, and it is complete. Signals that can be
    /// deferred are delivered after both exist.
    package static func create(
        secret: (path: String, bytes: [UInt8]), _ other: (path: String, bytes: [UInt8])
    ) throws(CommandError) {
        try EndingSignals.deferred { () throws(CommandError) in try createBoth(secret, other) }
    }

    private static func createBoth(
        _ secret: (path: String, bytes: [UInt8]), _ other: (path: String, bytes: [UInt8])
    ) throws(CommandError) {
        let secretFile: SecretFile
        do throws(SystemError) {
            secretFile = try SecretFile(secret.path, secret.bytes)
        } catch {
            throw failure(secret.path, error)
        }
        let otherFile: StagedFile
        do throws(SystemError) { otherFile = try staged(other.path, other.bytes) } catch {
            throw failure(other.path, error)
        }
        do throws(SystemError) { try secretFile.create() } catch { throw failure(secret.path, error) }
        do throws(SystemError) {
            try otherFile.create()
        } catch {
            StagedFile.remove(secret.path)
            throw failure(other.path, error)
        }
        secretFile.isKept = true
    }

    private static func staged(_ path: String, _ bytes: [UInt8]) throws(SystemError) -> StagedFile {
        let file = try StagedFile(for: path, isNew: true)
        try file.write(bytes)
        try file.complete()
        return file
    }

    private static func failure(_ path: String, _ error: SystemError) -> CommandError {
        error.code == EEXIST ? exists(path) : OutputFile.failure(path, error.code)
    }

    private static func exists(_ path: String) -> CommandError {
        CommandError(
            "\(path.quoted) exists and is not overwritten",
            hint: "choose another name, or remove that file if it is not needed")
    }
}

/// A new file that contains a secret.
///
/// On Linux, the file has no name until it is complete. On systems without files without names, it is created under its final name.
/// So no copy with another name remains if the process is killed.
private final class SecretFile {
    private enum State {
        case unnamed(StagedFile)
        case named
    }

    private let path: String
    private let state: State
    /// Whether the file is kept on deinitialization.
    var isKept = false

    init(_ path: String, _ bytes: [UInt8]) throws(SystemError) {
        self.path = path
        if let file = StagedFile(unnamedFor: path) {
            try file.write(bytes)
            try file.complete(permissions: 0o600)
            state = .unnamed(file)
            return
        }
        let descriptor = unsafe pinctl_create(path, 0o600)
        guard descriptor >= 0 else { throw SystemError(code: pinctl_errno()) }
        defer { close(descriptor) }
        state = .named
        do throws(SystemError) {
            try StagedFile.write(bytes, to: descriptor)
            guard fsync(descriptor) == 0 else { throw SystemError(code: pinctl_errno()) }
        } catch {
            StagedFile.remove(path)
            throw error
        }
    }

    deinit { if case .named = state, !isKept { StagedFile.remove(path) } }

    func create() throws(SystemError) {
        switch state {
        case .unnamed(let file): try file.create()
        case .named: StagedFile.syncFolder(of: path)
        }
    }
}
