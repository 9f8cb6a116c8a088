internal import CSystem
internal import Encodings
internal import Fetching
internal import FileConflicts
internal import PinSetCodec
package import PlaintextProtocols
internal import StagedFiles

/// Reads whole files. Errors contain the file and the reason.
package enum InputFile {
    /// Maximum size in bytes, far above any pin set, bundle or chain.
    package static let maximumSize = 64 << 20

    /// What belongs in a file.
    package enum Purpose {
        /// Text without secrets. If it contains a private key, no output of the process shows a piece of it (``KnownPrivateKeys``). A key
        /// that is divided or has escaped characters is an error.
        case text
        /// Certificates, which can be public parts of a key, also keys and passwords: the caller takes care of them.
        case certificatesOrSecrets
    }

    /// Returns the contents of a file that the command line names, which may be a pipe or a device; `-` is standard input.
    ///
    /// - Throws: ``CommandError`` for a file that does not exist, cannot be read, is a folder, or is larger than ``maximumSize``.
    package static func bytes(
        at path: String, for purpose: Purpose = .text, _ console: Console
    ) throws(CommandError) -> [UInt8] {
        guard path != "-" else {
            FileUse.reads(console.input)
            return try searched(try contents(of: console.input, name: "standard input"), path, purpose)
        }
        let descriptor = unsafe pinctl_open_for_reading(path)
        guard descriptor >= 0 else { throw unreadable(excerpt(of: path), pinctl_errno()) }
        defer { close(descriptor) }
        FileUse.reads(descriptor)
        return try searched(try contents(of: descriptor, name: path.quoted), path, purpose)
    }

    private static func searched(
        _ contents: [UInt8], _ path: String, _ purpose: Purpose
    ) throws(CommandError) -> [UInt8] {
        if purpose == .text { try search(contents, of: path) }
        return contents
    }

    /// Searches a text that should contain no private key.
    ///
    /// - Throws: ``CommandError`` if it contains a key that is divided or has escaped characters.
    package static func search(_ contents: [UInt8], of path: String) throws(CommandError) {
        do throws(ScatteredPrivateKey) {
            try KnownPrivateKeys.remember(from: contents)
        } catch {
            let remark = error.reason == .divided ? "of which only the start is here" : "with escaped characters"
            throw CommandError(
                "\(plainName(of: path)):\(error.line): the file contains a private key, \(remark)",
                hint: "remove all parts of the key from the file, and replace the key if it is in use")
        }
    }

    /// Returns the contents of a regular file that pinctl finds by itself or that another file names. A pipe is an error, because
    /// it may never end.
    ///
    /// - Parameter isInput: whether no output of the command may replace the file.
    package static func bytes(
        at path: String, for purpose: Purpose = .text, isInput: Bool = true
    ) throws(CommandError) -> [UInt8] {
        let descriptor = unsafe pinctl_open_without_waiting(path)
        guard descriptor >= 0 else { throw unreadable(excerpt(of: path), pinctl_errno()) }
        defer { close(descriptor) }
        guard !isFolder(path) else { throw unreadable(path.quoted, EISDIR) }
        guard (try? FileState(of: descriptor))?.isRegular == true else {
            throw CommandError("cannot read \(path.quoted): it is not a regular file")
        }
        if isInput { FileUse.reads(descriptor) }
        return try searched(try contents(of: descriptor, name: path.quoted), path, purpose)
    }

    /// The path of a file that cannot be opened, which can be a text that is no path.
    private static func excerpt(of path: String) -> String {
        let names = path.utf8.split(separator: UInt8(ascii: "/"))
        let isPath = names.allSatisfy { $0.count <= maximumName } && !path.utf8.contains { $0 == 0x0A || $0 == 0x0D }
        guard !isPath else { return path.quoted }
        // A key is recognized by characters that can be after the end of the excerpt.
        let shown = path.withoutWholePrivateKeys
        let line = shown.unicodeScalars.prefix { $0 != "\n" && $0 != "\r" }.prefix(maximumExcerpt)
        return (String(line) + (line.endIndex < shown.endIndex ? "…" : "")).quoted
    }

    private static let maximumExcerpt = 60
    /// Maximum length of the name of a file in bytes (`NAME_MAX` of Linux).
    private static let maximumName = 255

    /// Whether a regular file contains this text; false if it cannot be read.
    package static func contains(_ text: String, at path: String) -> Bool {
        guard let bytes = try? bytes(at: path, for: .certificatesOrSecrets) else { return false }
        return unsafe bytes.withUnsafeBytes { unsafe pinctl_contains($0.baseAddress, $0.count, text) != 0 }
    }

    /// - Parameter fromStart: whether to read from the start of the file instead of the current position.
    package static func contents(
        of descriptor: Int32, name: String, fromStart: Bool = false
    ) throws(CommandError) -> [UInt8] {
        var contents: [UInt8] = []
        // The buffer has one byte more than the file. So one read returns the whole file and shows that no more bytes follow.
        let size = (try? FileState(of: descriptor))?.size ?? 0
        var capacity = size > 0 && size < Int64(maximumSize) ? Int(size) + 1 : minimumRead
        while true {
            // The memory holds the old contents, a copy of them, and the next chunk.
            try checkMemory(2 * contents.count + capacity, for: name)
            let chunk: [UInt8]
            do throws(SystemError) {
                chunk = try self.chunk(of: descriptor, capacity, at: fromStart ? contents.count : nil)
            } catch {
                throw unreadable(name, error.code)
            }
            let isWhole = contents.isEmpty && chunk.count < capacity && Int64(chunk.count) == size
            contents = contents.isEmpty ? chunk : contents + chunk
            if isWhole || chunk.isEmpty {
                try checkMemoryToParse(contents, name)
                return contents
            }
            guard contents.count <= maximumSize else {
                throw CommandError("\(name) is larger than \(maximumSize >> 20) MiB, the limit for a file of this kind")
            }
            capacity = max(minimumRead, contents.count)
        }
    }

    /// Maximum number of bytes of memory for one value of a document, from reading to the report. Measured with `lint` on a list of
    /// invalid values: 700.
    private static let memoryOfValue = 1000
    /// The characters that begin, end or separate values in JSON and XML.
    private static let structure: Set<UInt8> = Set("{}[],:<".utf8)

    /// Fails if parsing could need more memory than the process may use, because a failed allocation ends the process with a trap.
    private static func checkMemoryToParse(_ bytes: [UInt8], _ name: String) throws(CommandError) {
        guard MemoryLimit.available != nil else { return }
        let values = bytes.reduce(0) { structure.contains($1) ? $0 + 1 : $0 }
        try checkMemory(4 * bytes.count + memoryOfValue * values, for: name)
    }

    private static func checkMemory(_ size: Int, for name: String) throws(CommandError) {
        guard let available = MemoryLimit.available, available < size else { return }
        throw CommandError(
            "reading \(name) needs up to \(size >> 20) MiB of memory: the limit of this process leaves \(available >> 20) MiB",
            hint: "raise the limit with ulimit -v or ulimit -d")
    }

    /// Reads a piece of a file. An empty result means the end of the file.
    ///
    /// - Parameter offset: the position in the file; nil for the current position.
    package static func chunk(of descriptor: Int32, _ size: Int, at offset: Int?) throws(SystemError) -> [UInt8] {
        while true {
            var error: Int32 = 0
            let chunk = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
                let result =
                    if let offset {
                        unsafe pread(descriptor, buffer.baseAddress, size, off_t(offset))
                    } else {
                        unsafe CSystem.read(descriptor, buffer.baseAddress, size)
                    }
                if result < 0 { error = pinctl_errno() }
                count = max(0, result)
            }
            switch error {
            case 0: return chunk
            case EINTR: continue
            case EAGAIN: pinctl_wait_readable(descriptor)
            default: throw SystemError(code: error)
            }
        }
    }

    /// In bytes.
    private static let minimumRead = 16_384

    package static func unreadable(_ name: String, _ code: Int32) -> CommandError {
        if code == EISDIR { return CommandError("\(name) is a folder: expected a file") }
        // A file can name a private key in place of its file.
        let name = name.withoutWholePrivateKeys
        // Without a file of this name, it may be a URL with a password that a command did not recognize.
        let isMissing = [ENOENT, ENOTDIR, ENAMETOOLONG].contains(code)
        let shown = isMissing ? name.withoutUserInfo : name
        if code == ENOENT { return CommandError("there is no file \(shown)") }
        return CommandError("cannot read \(shown): \(SystemError(code: code).text)")
    }

    /// Name of a file in a sentence.
    package static func name(of path: String) -> String { path == "-" ? "standard input" : path.quoted }

    /// Name of a file before a line number, without quotes, so that editors find it.
    package static func plainName(of path: String) -> String { path == "-" ? "standard input" : path }

    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & mode_t(S_IFMT) == mode_t(S_IFDIR)
    }

    /// Whether the path exists. True also if the system does not let pinctl find out, and for a symbolic link to a file that does
    /// not exist.
    package static func exists(at path: String) -> Bool {
        var status = stat()
        if unsafe lstat(path, &status) == 0 { return true }
        return ![ENOENT, ENOTDIR].contains(pinctl_errno())
    }

    package static func isReadable(at path: String) -> Bool { unsafe access(path, R_OK) == 0 }

    /// The names in a folder, sorted.
    ///
    /// - Parameter isRead: whether a name is needed. Such a name must be UTF-8.
    package static func names(
        inFolder path: String, where isRead: (String) -> Bool = { _ in true }
    ) throws(CommandError) -> [String] {
        guard let folder = unsafe opendir(path) else { throw unreadable(path.quoted, pinctl_errno()) }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            guard let entryName = unsafe pinctl_entry_name(entry) else { continue }
            let name = unsafe String(cString: entryName)
            guard name != ".", name != "..", isRead(name) else { continue }
            guard unsafe String(validatingCString: entryName) != nil else {
                let bytes = unsafe Array(UnsafeRawBufferPointer(start: entryName, count: strlen(entryName)))
                throw CommandError(
                    "cannot read \("\(path)/".quoted): the name of a file, \(String.quoted(invalidUTF8: bytes)), is not UTF-8",
                    hint: "rename the file")
            }
            names.append(name)
        }
        return names.sorted()
    }
}
