internal import Arguments
internal import CSystem
internal import Fetching

/// A file under a name that nothing has yet: it gets the name when it is whole, and never takes the place of another.
///
/// Until then it has no name at all where the system knows such files (open(2), "O_TMPFILE"), so that nothing is left of it
/// if the process is killed; elsewhere it has one beside its own.
struct NewFile: ~Copyable {
    private let path: String
    private let bytes: [UInt8]
    private let permissions: mode_t
    private let descriptor: Int32
    private let temporary: String?

    /// Who may use a new file.
    enum Access {
        /// Its owner alone, whatever the process gives to new files.
        case owner
        /// Whoever new files of this process are for.
        case usual
    }

    /// Refuses a name that something has already, or that no file can get.
    static func check(_ path: String) throws(CommandError) {
        var status = stat()
        // A symbolic link is something, wherever it leads.
        guard unsafe lstat(path, &status) != 0 else { throw taken(path) }
        try OutputFile.check(path)
    }

    /// Makes a file.
    static func create(_ path: String, _ bytes: [UInt8], _ access: Access) throws(CommandError) {
        try NewFile(bytes, for: path, access).appear()
    }

    /// Makes a file and a second beside it, or neither.
    ///
    /// Killed between the two, the process leaves the first alone, and that whole.
    static func create(
        _ first: (path: String, bytes: [UInt8], access: Access),
        _ second: (path: String, bytes: [UInt8], access: Access)
    ) throws(CommandError) {
        let one = try NewFile(first.bytes, for: first.path, first.access)
        let two = try NewFile(second.bytes, for: second.path, second.access)
        try one.appear()
        do throws(CommandError) {
            try two.appear()
        } catch {
            unsafe unlink(first.path)
            throw error
        }
    }

    private init(_ bytes: [UInt8], for path: String, _ access: Access) throws(CommandError) {
        self.path = path
        self.bytes = bytes
        permissions = access == .owner ? 0o600 : 0o666 & ~pinctl_umask()
        let error: Int32
        (descriptor, temporary, error) = Self.open(beside: path)
        guard error == 0 else { throw Self.failure(path, error) }
        let failure = Self.fill(descriptor, with: bytes, permissions)
        guard failure == 0 else { throw Self.failure(path, failure) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if let temporary { unsafe unlink(temporary) }
    }

    private static func open(beside path: String) -> (descriptor: Int32, temporary: String?, error: Int32) {
        let folder = OutputFile.parent(of: path)
        let unnamed = unsafe pinctl_open_unnamed(folder)
        if unnamed >= 0 {
            // It gets its name through here, where that is mounted.
            if unsafe CSystem.access("/proc/self/fd/\(unnamed)", F_OK) == 0 { return (unnamed, nil, 0) }
            close(unnamed)
        }
        do throws(SystemError) {
            let file = try TemporaryFile(beside: path)
            return (file.descriptor, file.path, 0)
        } catch {
            return (-1, nil, error.code)
        }
    }

    private borrowing func appear() throws(CommandError) {
        let result =
            if let temporary { unsafe link(temporary, path) } else { unsafe pinctl_name_unnamed(descriptor, path) }
        guard result != 0 else { return }
        switch pinctl_errno() {
        case EEXIST: throw Self.taken(path)
        // A file has one name there, as on the file systems of most memory sticks.
        case EPERM, EOPNOTSUPP, ENOSYS: try appearAtOnce()
        case let error: throw Self.failure(path, error)
        }
    }

    private borrowing func appearAtOnce() throws(CommandError) {
        let file = unsafe pinctl_create(path)
        guard file >= 0 else {
            let error = pinctl_errno()
            throw error == EEXIST ? Self.taken(path) : Self.failure(path, error)
        }
        let error = Self.fill(file, with: bytes, permissions)
        close(file)
        guard error == 0 else {
            unsafe unlink(path)
            throw Self.failure(path, error)
        }
    }

    private static func fill(_ descriptor: Int32, with bytes: [UInt8], _ permissions: mode_t) -> Int32 {
        let error = TemporaryFile.write(bytes, to: descriptor)
        guard error == 0 else { return error }
        guard fchmod(descriptor, permissions) == 0, fsync(descriptor) == 0 else { return pinctl_errno() }
        return 0
    }

    private static func taken(_ path: String) -> CommandError {
        CommandError(
            "there is \(path.quoted) already, and it is not overwritten",
            hint: "choose another name, or move that one away if nobody needs it")
    }

    private static func failure(_ path: String, _ code: Int32) -> CommandError {
        CommandError("cannot write \(path.quoted): \(SystemError(code: code).text)")
    }
}
