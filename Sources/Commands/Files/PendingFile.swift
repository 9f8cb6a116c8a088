internal import Arguments
internal import CSystem
internal import Fetching

/// A file that is written piece by piece, and takes its name when it is whole: until then what was there stays, and where it
/// never gets that far nothing is left of it.
///
/// A symbolic link stays one: what it leads to is replaced. What is no regular file, as a pipe or `/dev/stdout`, is written to as it
/// stands: nothing can take its place.
final class PendingFile {
    private let path: String
    private let descriptor: Int32
    /// What it is called until it is whole, and afterwards; nil for what is written to as it stands.
    private let names: (temporary: String, final: String)?
    private var isDone = false

    /// Begins a file that is to have this name.
    init(_ path: String) throws(CommandError) {
        self.path = path
        guard !OutputFile.isSpecial(path) else {
            names = nil
            descriptor = unsafe pinctl_open_for_writing(path)
            guard descriptor >= 0 else { throw OutputFile.failure(path, pinctl_errno()) }
            return
        }
        let final = OutputFile.resolved(path) ?? path
        do throws(SystemError) {
            let temporary = try TemporaryFile(beside: final)
            (descriptor, names) = (temporary.descriptor, (temporary.path, final))
        } catch {
            throw OutputFile.failure(path, error.code)
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if !isDone, let names { _ = unsafe unlink(names.temporary) }
    }

    func append(_ bytes: [UInt8]) throws(CommandError) {
        let error = TemporaryFile.write(bytes, to: descriptor)
        guard error == 0 else { throw OutputFile.failure(path, error) }
    }

    /// Puts it in the place of what was there (rename(2)).
    func finish() throws(CommandError) {
        defer { isDone = true }
        guard let names else { return }
        // It is made for its owner alone (mkstemp(3)); what is written here is public.
        guard fchmod(descriptor, 0o666 & ~pinctl_umask()) == 0, unsafe rename(names.temporary, names.final) == 0
        else {
            let error = pinctl_errno()
            unsafe unlink(names.temporary)
            throw OutputFile.failure(path, error)
        }
    }
}
