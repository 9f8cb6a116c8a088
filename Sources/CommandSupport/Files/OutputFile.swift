internal import CSystem
internal import Encodings
internal import FileConflicts
internal import PlaintextProtocols
package import StagedFiles

/// The file of `--output`, with its state at the time when the command line was read.
///
/// It is written completely or not at all. An existing file keeps its owner and permissions, and is not replaced if another process
/// has changed it in the meantime. A symbolic link is kept, and the file that it refers to is written, even if that file does not
/// exist yet.
package struct OutputFile {
    package enum Original {
        case nothing
        /// The contents are nil if they are too large to keep them in memory.
        case regular(FileState, contents: [UInt8]?)
        /// A pipe or a device, which is written to directly.
        case special
        /// The file to which a stream goes, such as `/dev/stdout`. It is written to as the stream is, after what the command has written to
        /// the stream.
        case stream(OpenStream)
    }

    /// As it was given.
    package let path: String
    /// The path without a symbolic link at its end.
    package let target: String
    package private(set) var original: Original
    /// The files of the command, among which the output must not replace an input.
    private let uses: FileUse?

    /// Whether no file has the name yet.
    var isNew: Bool { if case .nothing = original { true } else { false } }

    private static let maximumKeptSize = 16 << 20

    /// - Parameter isInFolder: whether the command line names the folder of the file instead of the file.
    /// - Throws: ``CommandError`` if pinctl finds in advance that the file cannot be written, or that it is an input or another
    ///   output of the command.
    package init(_ path: String, isInFolder: Bool = false) throws(CommandError) {
        self.path = path
        uses = FileUse.running.get()
        do throws(FileConflict) { try uses?.writes(path, isInFolder: isInFolder) } catch { throw CommandError(error) }
        if let kind = Self.specialKind(path) {
            // Opening a FIFO waits for a reader. Only a command line that names the FIFO itself asks for this.
            guard !isInFolder else {
                throw CommandError(
                    "cannot write \(path.quoted): it is \(kind), not a regular file",
                    hint: "remove it, or use another folder")
            }
            guard unsafe access(path, W_OK) == 0 else { throw Self.failure(path, pinctl_errno()) }
            target = path
            original = OpenStream(named: path).map { .stream($0) } ?? .special
            return
        }
        if let stream = OpenStream(writingTo: FileIdentity(at: path)) {
            guard FilePath.isNameOfDescriptor(path) else {
                throw CommandError("cannot write \(path.quoted): \(stream.name) goes to it", hint: stream.hint)
            }
            target = path
            original = .stream(stream)
            return
        }
        do throws(FilePath.LinkError) {
            target = try FilePath.target(of: path)
        } catch {
            throw CommandError("cannot write \(path.quoted): \(error.message)")
        }
        guard !path.ends(with: "/"), !InputFile.isFolder(target) else { throw Self.failure(path, EISDIR) }
        let folder = FilePath.parent(of: target)
        guard InputFile.isFolder(folder) else {
            throw CommandError("cannot write \(path.quoted): there is no folder \(folder.quoted)")
        }
        let exists = InputFile.exists(at: target)
        for needed in exists ? [folder, target] : [folder] {
            guard unsafe access(needed, W_OK) == 0 else { throw Self.failure(path, pinctl_errno()) }
        }
        original = exists ? try Self.regular(target, path) : .nothing
    }

    /// This file. If the folder did not have it in its present state, it counts as created by another process, and is not replaced.
    func unlessChanged(since snapshot: FolderSnapshot) -> OutputFile {
        guard case .regular = original, !snapshot.contains(path) else { return self }
        var file = self
        file.original = .nothing
        return file
    }

    private static func regular(_ target: String, _ path: String) throws(CommandError) -> Original {
        let state: FileState
        do throws(SystemError) { state = try FileState(at: target) } catch { throw failure(path, error.code) }
        return .regular(
            state, contents: state.size <= maximumKeptSize ? try InputFile.bytes(at: target, isInput: false) : nil)
    }

    /// Fails if an output of the running command is also an input. A command calls this when it has read its inputs.
    package static func checkConflicts() throws(CommandError) {
        do throws(FileConflict) { try FileUse.check() } catch { throw CommandError(error) }
    }

    /// Fails if the file is an input, which another part of the command may have read since this value was created.
    package func checkIsNoInput() throws(CommandError) {
        do throws(FileConflict) { try uses?.checkIsNoInput(path) } catch { throw CommandError(error) }
    }

    /// Writes the whole file.
    package func write(_ bytes: [UInt8]) throws(CommandError) {
        let file = try PendingFile(self)
        try file.append(bytes)
        try file.finish()
    }

    /// Writes the whole file, together with other changes. A pipe or a device is written to when the other files get their names.
    ///
    /// - Parameter keepsOutput: whether the output is kept in another file if another process has changed this one.
    func stage(_ bytes: [UInt8], keepsOutput: Bool) -> StagedChange.Stage {
        StagedChange.Stage(target) { () throws(CommandError) in
            switch original {
            case .special, .stream:
                return StagedChange { () throws(CommandError) in
                    try write(bytes)
                    return true
                }
            case .nothing, .regular:
                let file = try PendingFile(self, keepsOutput: keepsOutput)
                try file.append(bytes)
                try file.prepare()
                return StagedChange { () throws(CommandError) in
                    try file.commit()
                    return true
                }
            }
        }
    }

    /// Checks in advance whether files can be written into a folder. The folder may not exist yet.
    package static func checkFolder(_ path: String) throws(CommandError) {
        guard !InputFile.isFolder(path) else { return }
        var name = path[...]
        while let shorter = name.without(suffix: "/"), !shorter.isEmpty { name = shorter }
        guard unsafe access(String(name), F_OK) != 0 else {
            throw CommandError("cannot create the folder \(path.quoted): a file has this name")
        }
        guard InputFile.isFolder(FilePath.parent(of: String(name))) else {
            throw CommandError("cannot create the folder \(path.quoted): its parent folder does not exist")
        }
    }

    /// Whether the path refers to something that is neither a regular file nor a folder.
    package static func isSpecial(_ path: String) -> Bool { specialKind(path) != nil }

    /// What the path refers to, with an article; nil for a regular file, a folder, or nothing.
    private static func specialKind(_ path: String) -> String? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return switch status.st_mode & mode_t(S_IFMT) {
        case mode_t(S_IFREG), mode_t(S_IFDIR): nil
        case mode_t(S_IFIFO): "a FIFO"
        case mode_t(S_IFSOCK): "a socket"
        default: "a device"
        }
    }

    /// Whether the path is a folder in which files can be created.
    static func isWritableFolder(_ path: String) -> Bool {
        let isAccessible = unsafe access(path, W_OK | X_OK) == 0
        return isAccessible && InputFile.isFolder(path)
    }

    /// Creates a folder unless it exists.
    ///
    /// - Returns: whether it did not exist.
    static func makeFolder(_ path: String) throws(CommandError) -> Bool {
        guard unsafe mkdir(path, 0o777) != 0, case let error = pinctl_errno() else { return true }
        guard error != EEXIST else { return false }
        throw CommandError(
            "cannot create the folder \(path.quoted): \(SystemError(code: error).text)", affectsAllOutputs: true)
    }

    /// Removes a folder if it is empty.
    static func removeFolder(_ path: String) { _ = unsafe rmdir(path) }

    package static func failure(_ path: String, _ code: Int32) -> CommandError {
        CommandError(
            "cannot write \(path.quoted): \(SystemError(code: code).text)", hint: hint(for: code),
            affectsAllOutputs: isFullDisk(code))
    }

    /// Whether an error means that there is no space for any file of this user.
    static func isFullDisk(_ code: Int32) -> Bool { [ENOSPC, EDQUOT].contains(code) }

    /// What to do if the system lets no new file replace an existing one.
    package static func hint(for code: Int32) -> String? {
        switch code {
        // rename(2): the file is a mount point.
        case EBUSY: "mount the folder of the file, if the file is mounted by itself, as into a container"
        // chown(2), rename(2): the owner cannot be kept, or the folder is sticky.
        case EPERM: "run pinctl as the owner of the file, and check that no flag makes it immutable"
        // Files that are written together are open at the same time.
        case EMFILE: "raise the limit of open files with ulimit -n"
        default: nil
        }
    }
}
