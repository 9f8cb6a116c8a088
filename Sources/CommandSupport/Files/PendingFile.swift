internal import CSystem
internal import Encodings
internal import PlaintextProtocols
internal import StagedFiles

/// An ``OutputFile`` that is written in pieces and gets its name when it is complete.
///
/// If it is not finished, it is removed, and an existing file is not changed. A pipe or a device is written to directly.
package final class PendingFile {
    private enum Destination {
        case staged(StagedFile)
        case special(Int32)
    }

    private let file: OutputFile
    private let destination: Destination
    /// Whether the output is kept in another file if another process has changed the file.
    private let keepsOutput: Bool
    /// The file to replace, after ``prepare()``.
    private var locked: LockedFile?

    package init(_ file: OutputFile, keepsOutput: Bool = true) throws(CommandError) {
        self.file = file
        self.keepsOutput = keepsOutput
        try file.checkIsNoInput()
        let opened: Int32? =
            switch file.original {
            case .special: unsafe pinctl_open_for_writing(file.path)
            case .stream(let stream): pinctl_duplicate(stream.descriptor)
            case .nothing, .regular: nil
            }
        if let descriptor = opened {
            guard descriptor >= 0 else { throw OutputFile.failure(file.path, pinctl_errno()) }
            destination = .special(descriptor)
            return
        }
        do throws(SystemError) {
            destination = .staged(try StagedFile(for: file.target, isNew: file.isNew))
        } catch {
            throw OutputFile.failure(file.path, error.code)
        }
    }

    deinit { if case .special(let descriptor) = destination { close(descriptor) } }

    package func append(_ bytes: [UInt8]) throws(CommandError) {
        do throws(SystemError) {
            switch destination {
            case .staged(let staged): try staged.write(bytes)
            case .special(let descriptor): try StagedFile.write(bytes, to: descriptor)
            }
        } catch {
            throw OutputFile.failure(file.path, error.code)
        }
    }

    /// Completes the file and gives it its name.
    package func finish() throws(CommandError) {
        try prepare()
        try commit()
    }

    /// Writes everything to the disk, and locks the file to replace.
    func prepare() throws(CommandError) {
        guard case .staged(let staged) = destination else { return }
        try file.checkIsNoInput()
        var isBusy = false
        if case .regular = file.original, InputFile.exists(at: file.target) {
            locked = try LockedFile.waiting(for: file.target)
            isBusy = locked == nil
            if let locked { try complete(staged, like: locked) }
        }
        do throws(SystemError) {
            switch file.original {
            case .special, .stream: return
            case .nothing:
                try staged.complete()
                guard (try? NewFile.isFree(file.target)) == false else { return }
            case .regular(let state, let contents):
                if let locked, try locked.isStill(state, contents) { return }
                if locked == nil { try staged.complete(permissions: state.mode & 0o7777) }
            }
        } catch {
            throw OutputFile.failure(file.path, error.code)
        }
        throw conflict(staged, isBusy: isBusy)
    }

    /// Gives the file its name after ``prepare()``.
    func commit() throws(CommandError) {
        guard case .staged(let staged) = destination else { return }
        do throws(SystemError) {
            switch file.original {
            case .special, .stream: return
            case .nothing: return try staged.create()
            case .regular(_, let contents):
                if let locked, try locked.replace(contents, with: staged) { return }
            }
        } catch {
            if let kept = staged.keptVersion { throw LockedFile.conflict(file.path, kept: kept) }
            guard error.code == EEXIST else { throw OutputFile.failure(file.path, error.code) }
        }
        throw conflict(staged, isBusy: false)
    }

    private func conflict(_ staged: StagedFile, isBusy: Bool) -> CommandError {
        let reason = isBusy ? "another process is changing it" : "another process has changed it during this run"
        // Each other output may need the time limit of a busy file, too.
        return keeping(
            staged,
            CommandError(
                "cannot write \(file.path.quoted): \(reason)",
                hint: keepsOutput ? nil : "run the command again", status: .undecided,
                isConflict: !isBusy))
    }

    private func complete(_ staged: StagedFile, like locked: LockedFile) throws(CommandError) {
        do throws(ExtendedAttributes.Failure) {
            try locked.complete(staged)
        } catch {
            // Without the name of an attribute, the output itself may be incomplete.
            let failure = locked.failure(error)
            throw error.name == nil ? failure : keeping(staged, failure)
        }
    }

    /// The error, with the name of the file that contains the output. Creating the output may have taken hours, so it is kept.
    private func keeping(_ staged: StagedFile, _ error: CommandError) -> CommandError {
        guard keepsOutput, !EndingSignals.haveArrived, let name = try? staged.keep() else { return error }
        return CommandError(
            error.message, hint: "use the output in \(name.quoted), or remove that file", status: error.status,
            isConflict: error.isConflict)
    }
}
