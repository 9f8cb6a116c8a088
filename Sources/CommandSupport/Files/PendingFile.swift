internal import CSystem
internal import Encodings
internal import PlaintextProtocols

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

    package init(_ file: OutputFile) throws(CommandError) {
        self.file = file
        try file.checkIsNoInput()
        let opened: Int32? =
            switch file.original {
            case .special: unsafe pinctl_open_for_writing(file.path)
            case .stream(let stream): pinctl_duplicate(stream.rawValue)
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

    /// Gives the file its name.
    package func finish() throws(CommandError) {
        guard case .staged(let staged) = destination else { return }
        try file.checkIsNoInput()
        var locked: LockedFile?
        if case .regular = file.original, InputFile.exists(at: file.target) {
            locked = try LockedFile.waiting(for: file.target)
            try locked?.complete(staged)
        }
        do throws(SystemError) {
            switch file.original {
            case .special, .stream: return
            case .nothing:
                try staged.complete()
                try staged.create()
                return
            case .regular(let state, let contents):
                if let locked, try locked.isStill(state, contents), try locked.replace(contents, with: staged) {
                    return
                }
                if locked == nil { try staged.complete(permissions: state.mode & 0o7777) }
            }
        } catch {
            if let kept = staged.keptVersion { throw LockedFile.conflict(file.path, kept: kept) }
            guard error.code == EEXIST else { throw OutputFile.failure(file.path, error.code) }
        }
        throw conflict(staged)
    }

    /// Creating the output may have taken hours, so it is kept under another name.
    private func conflict(_ staged: StagedFile) -> CommandError {
        let name = try? staged.keep()
        return CommandError(
            "cannot write \(file.path.quoted): another process is changing it or has changed it during this run",
            hint: name.map { "use the output in \($0.quoted), or remove that file" }, status: .undecided)
    }
}
