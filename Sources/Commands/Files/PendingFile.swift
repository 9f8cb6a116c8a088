internal import Arguments
internal import CSystem
internal import Fetching

/// A file that is written piece by piece, and takes its name when it is whole: until then what was there stays, and where it
/// never gets that far nothing is left of it.
final class PendingFile {
    private let path: String
    private let temporary: TemporaryFile
    private var isDone = false

    /// Begins a file beside the one whose name it is to have.
    init(_ path: String) throws(CommandError) {
        self.path = path
        do throws(SystemError) {
            temporary = try TemporaryFile(beside: path)
        } catch {
            throw OutputFile.failure(path, error.code)
        }
    }

    deinit {
        close(temporary.descriptor)
        if !isDone { _ = unsafe unlink(temporary.path) }
    }

    func append(_ bytes: [UInt8]) throws(CommandError) {
        let error = TemporaryFile.write(bytes, to: temporary.descriptor)
        guard error == 0 else { throw OutputFile.failure(path, error) }
    }

    /// Puts it in the place of what was there (rename(2)).
    func finish() throws(CommandError) {
        // It is made for its owner alone (mkstemp(3)); what is written here is public.
        guard fchmod(temporary.descriptor, 0o666 & ~pinctl_umask()) == 0, unsafe rename(temporary.path, path) == 0
        else {
            throw OutputFile.failure(path, pinctl_errno())
        }
        isDone = true
    }
}
