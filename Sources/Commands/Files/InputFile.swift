internal import Arguments
internal import CSystem
internal import Fetching
internal import PinSetFormats

/// Whole files, read with errors that say which file and why.
enum InputFile {
    /// Far above any pin set, bundle or chain; what is larger was named by mistake.
    static let sizeLimit = 64 << 20

    /// Contents of a file, or of standard input where the path is `-`.
    ///
    /// - Throws: ``CommandError`` for a file that does not exist, cannot be read, is a folder, or is too large.
    static func bytes(at path: String, _ console: Console) throws(CommandError) -> [UInt8] {
        path == "-" ? try read(console.input, name: "standard input") : try bytes(at: path)
    }

    /// Contents of a file; `-` is a file name like any other.
    static func bytes(at path: String) throws(CommandError) -> [UInt8] {
        let descriptor = unsafe pinctl_open_for_reading(path)
        guard descriptor >= 0 else { throw unreadable(path.quoted, pinctl_errno()) }
        defer { close(descriptor) }
        return try read(descriptor, name: path.quoted)
    }

    private static func read(_ descriptor: Int32, name: String) throws(CommandError) -> [UInt8] {
        var contents: [UInt8] = []
        var capacity = 16_384
        var status = stat()
        if unsafe fstat(descriptor, &status) == 0, status.st_size > 0, status.st_size < sizeLimit {
            // One more than the size: the read that fills it also finds the end.
            capacity = Int(status.st_size) + 1
        }
        while true {
            var error: Int32 = 0
            let chunk = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
                let result = unsafe CSystem.read(descriptor, buffer.baseAddress, capacity)
                if result < 0 { error = pinctl_errno() }
                count = max(0, result)
            }
            if error == EINTR { continue }
            guard error == 0 else { throw unreadable(name, error) }
            guard !chunk.isEmpty else { return contents }
            let isWhole = contents.isEmpty && chunk.count < capacity && Int64(chunk.count) == Int64(status.st_size)
            contents = contents.isEmpty ? chunk : contents + chunk
            if isWhole { return contents }
            guard contents.count <= sizeLimit else {
                throw CommandError("\(name) is larger than \(sizeLimit >> 20) MiB, which no file of this kind is")
            }
            capacity = max(16_384, contents.count)
        }
    }

    static func unreadable(_ name: String, _ code: Int32) -> CommandError {
        if code == EISDIR { return CommandError("\(name) is a folder, and a file was expected") }
        if code == ENOENT { return CommandError("there is no file \(name)") }
        return CommandError("cannot read \(name): \(SystemError(code: code).text)")
    }

    /// How a sentence calls a file.
    static func name(of path: String) -> String { path == "-" ? "standard input" : path.quoted }

    /// The same before a line number, where editors look for a path without quotes.
    static func place(of path: String) -> String { path == "-" ? "standard input" : path }

    /// Whether there is a folder at this path.
    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & mode_t(S_IFMT) == mode_t(S_IFDIR)
    }

    /// Whether there is anything at this path, be it a link that leads nowhere.
    static func exists(at path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0
    }

    static func isReadable(at path: String) -> Bool { unsafe access(path, R_OK) == 0 }

    /// The names in a folder, sorted, so that a run gives the same as the one before.
    static func names(inFolder path: String) throws(CommandError) -> [String] {
        guard let folder = unsafe opendir(path) else { throw unreadable(path.quoted, pinctl_errno()) }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe String(cString: pinctl_entry_name(entry))
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
