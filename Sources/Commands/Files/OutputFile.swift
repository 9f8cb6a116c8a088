internal import Arguments
internal import CSystem
internal import Encodings
internal import Fetching

/// Files that come to be whole or not at all.
enum OutputFile {
    /// Puts `bytes` where `path` is, in the place of what was there.
    ///
    /// They are written to a new file beside it first, which then takes its name (rename(2)): whoever reads `path` at
    /// any moment finds the old contents or the new, and a failed write leaves the old.
    static func write(_ bytes: [UInt8], to path: String) throws(CommandError) {
        let file = try PendingFile(path)
        try file.append(bytes)
        try file.finish()
    }

    /// Finds out beforehand what would keep a file from being written, as far as that can be known.
    static func check(_ path: String) throws(CommandError) {
        guard !isSpecial(path) else {
            guard unsafe access(path, W_OK) == 0 else { throw failure(path, pinctl_errno()) }
            return
        }
        let folder = parent(of: resolved(path) ?? path)
        guard InputFile.isFolder(folder) else {
            throw CommandError("cannot write \(path.quoted): there is no folder \(folder.quoted)")
        }
        guard !InputFile.isFolder(path) else { throw failure(path, EISDIR) }
        guard unsafe access(folder, W_OK) == 0 else { throw failure(path, pinctl_errno()) }
    }

    /// The same for a folder that may still have to be made.
    static func checkFolder(_ path: String) throws(CommandError) {
        guard !InputFile.isFolder(path) else { return }
        var name = path[...]
        while name.count > 1, name.last == "/" { name.removeLast() }
        guard unsafe access(String(name), F_OK) != 0 else {
            throw CommandError("cannot make the folder \(path.quoted): there is a file of that name")
        }
        guard InputFile.isFolder(parent(of: String(name))) else {
            throw CommandError("cannot make the folder \(path.quoted): there is no folder to make it in")
        }
    }

    /// Whether there is something that is neither a regular file nor a folder, through symbolic links.
    static func isSpecial(_ path: String) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return false }
        return ![mode_t(S_IFREG), mode_t(S_IFDIR)].contains(status.st_mode & mode_t(S_IFMT))
    }

    /// Where a path leads, absolute and without symbolic links (realpath(3)); nil where nothing is.
    static func resolved(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Makes a folder unless it is there.
    static func makeFolder(_ path: String) throws(CommandError) {
        guard unsafe mkdir(path, 0o777) != 0, case let error = pinctl_errno(), error != EEXIST else { return }
        throw CommandError("cannot make the folder \(path.quoted): \(SystemError(code: error).text)")
    }

    static func failure(_ path: String, _ code: Int32) -> CommandError {
        CommandError("cannot write \(path.quoted): \(SystemError(code: code).text)")
    }
}
