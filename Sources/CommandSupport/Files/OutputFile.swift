internal import CSystem
internal import Encodings
internal import PlaintextProtocols

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
    }

    /// As it was given.
    package let path: String
    /// The path without a symbolic link at its end.
    package let target: String
    package let original: Original

    private static let maximumKeptSize = 16 << 20

    /// - Throws: ``CommandError`` if pinctl finds in advance that the file cannot be written.
    package init(_ path: String) throws(CommandError) {
        self.path = path
        guard !Self.isSpecial(path) else {
            guard unsafe access(path, W_OK) == 0 else { throw Self.failure(path, pinctl_errno()) }
            target = path
            original = .special
            return
        }
        target = Self.target(of: path)
        guard !path.hasSuffix("/"), !InputFile.isFolder(target) else { throw Self.failure(path, EISDIR) }
        let folder = Self.parent(of: target)
        guard InputFile.isFolder(folder) else {
            throw CommandError("cannot write \(path.quoted): there is no folder \(folder.quoted)")
        }
        let exists = InputFile.exists(at: target)
        for needed in exists ? [folder, target] : [folder] {
            guard unsafe access(needed, W_OK) == 0 else { throw Self.failure(path, pinctl_errno()) }
        }
        original = exists ? try Self.regular(target, path) : .nothing
    }

    private static func regular(_ target: String, _ path: String) throws(CommandError) -> Original {
        let state: FileState
        do throws(SystemError) { state = try FileState(at: target) } catch { throw failure(path, error.code) }
        return .regular(state, contents: state.size <= maximumKeptSize ? try InputFile.bytes(at: target) : nil)
    }

    /// Writes the whole file.
    package func write(_ bytes: [UInt8]) throws(CommandError) {
        let file = try PendingFile(self)
        try file.append(bytes)
        try file.finish()
    }

    /// Checks in advance whether files can be written into a folder. The folder may not exist yet.
    package static func checkFolder(_ path: String) throws(CommandError) {
        guard !InputFile.isFolder(path) else { return }
        var name = path[...]
        while name.count > 1, name.last == "/" { name.removeLast() }
        guard unsafe access(String(name), F_OK) != 0 else {
            throw CommandError("cannot create the folder \(path.quoted): a file has this name")
        }
        guard InputFile.isFolder(parent(of: String(name))) else {
            throw CommandError("cannot create the folder \(path.quoted): its parent folder does not exist")
        }
    }

    /// Whether the path refers to something that is neither a regular file nor a folder.
    package static func isSpecial(_ path: String) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return false }
        return ![mode_t(S_IFREG), mode_t(S_IFDIR)].contains(status.st_mode & mode_t(S_IFMT))
    }

    /// The absolute path without symbolic links (realpath(3)); nil if nothing exists there.
    package static func resolved(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// Maximum number of symbolic links that are followed, as in Linux (path_resolution(7)).
    private static let maximumLinks = 40

    /// Follows symbolic links at the end of a path. The resulting path may not exist.
    private static func target(of path: String) -> String {
        if let resolved = resolved(path) { return resolved }
        var path = path
        for _ in 0..<maximumLinks {
            guard let link = link(at: path) else { break }
            path = link.hasPrefix("/") ? link : "\(parent(of: path))/\(link)"
        }
        return path
    }

    private static func link(at path: String) -> String? {
        let capacity = Int(PATH_MAX)
        var text = [CChar](repeating: 0, count: capacity)
        let count = unsafe readlink(path, &text, capacity)
        let bytes = text.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    package static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Creates a folder unless it exists.
    package static func makeFolder(_ path: String) throws(CommandError) {
        guard unsafe mkdir(path, 0o777) != 0, case let error = pinctl_errno(), error != EEXIST else { return }
        throw CommandError("cannot create the folder \(path.quoted): \(SystemError(code: error).text)")
    }

    package static func failure(_ path: String, _ code: Int32) -> CommandError {
        CommandError("cannot write \(path.quoted): \(SystemError(code: code).text)")
    }
}
