internal import CSystem
internal import Encodings

/// Paths and symbolic links.
package enum FilePath {
    /// Maximum number of symbolic links that are followed, as in Linux (path_resolution(7)).
    private static let maximumLinks = 40

    /// Maximum number of attempts to resolve a path that another process changes.
    private static let maximumAttempts = 10

    /// The reason why the symbolic links of a path are not followed.
    package enum LinkError: Error {
        /// A string would name another file.
        case notUTF8
        /// The system does not follow a link that this process can read: that of another user in a shared folder
        /// (`fs.protected_symlinks`, proc(5)).
        case refused
        /// The links form a loop, or are more than the system follows.
        case loop
        /// The path refers to other files again and again.
        case changing

        package var message: String {
            switch self {
            case .notUTF8: "it is a symbolic link to a name that is not UTF-8"
            case .refused: "the system does not follow this symbolic link, which another user may have made"
            case .loop: "its symbolic links form a loop, or are too many"
            case .changing: "another process is changing its symbolic links"
            }
        }
    }

    /// The absolute path without symbolic links (realpath(3)); nil if nothing exists there, or if the path is not UTF-8.
    package static func resolved(_ path: String) -> String? {
        resolvedBytes(path).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// The bytes of ``resolved(_:)``, which need not be UTF-8.
    package static func resolvedBytes(_ path: String) -> [UInt8]? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe Array(UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
    }

    /// Follows symbolic links at the end of a path. The resulting path may not exist.
    ///
    /// - Throws: ``LinkError``.
    package static func target(of path: String) throws(LinkError) -> String {
        for _ in 0..<maximumAttempts {
            let target = try readLinks(of: path)
            if try isTarget(target, of: path) { return target }
        }
        throw .changing
    }

    /// Whether the system, too, finds this target when it follows the path. realpath(3) and readlink(2) read links that the system
    /// does not follow.
    ///
    /// - Returns: false if the path refers to something else now.
    private static func isTarget(_ target: String, of path: String) throws(LinkError) -> Bool {
        var followed = stat()
        var found = stat()
        let error = unsafe stat(path, &followed) == 0 ? 0 : pinctl_errno()
        let targetError = unsafe lstat(target, &found) == 0 ? 0 : pinctl_errno()
        switch error {
        case 0:
            // A pipe in /proc/self/fd has no path.
            guard targetError == 0 else { return followed.st_mode & mode_t(S_IFMT) != mode_t(S_IFREG) }
            return followed.st_dev == found.st_dev && followed.st_ino == found.st_ino
        case EACCES:
            // Otherwise a folder of the path has no permission, and an access to the target fails in the same way.
            if targetError != EACCES { throw .refused }
            return true
        case ELOOP: throw .loop
        default: return targetError != 0
        }
    }

    private static func readLinks(of path: String) throws(LinkError) -> String {
        if let resolved = resolved(path) { return resolved }
        // The path of the current folder need not be UTF-8: a relative path stays relative.
        var path = path
        for _ in 0..<maximumLinks {
            guard let link = try link(at: path) else { break }
            path = link.begins(with: "/") ? link : "\(parent(of: path))/\(link)"
        }
        return path
    }

    private static func link(at path: String) throws(LinkError) -> String? {
        let capacity = Int(PATH_MAX)
        var text = [CChar](repeating: 0, count: capacity)
        let count = unsafe readlink(path, &text, capacity)
        let bytes = text.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
        guard let link = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        return link.isEmpty ? nil : link
    }

    /// Whether the path itself is a symbolic link.
    static func isLink(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & mode_t(S_IFMT) == mode_t(S_IFLNK)
    }

    package static func parent(of path: String) -> String {
        guard let slash = path.unicodeScalars.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The part of a path after the last slash.
    package static func name(of path: String) -> String {
        guard let slash = path.unicodeScalars.lastIndex(of: "/") else { return path }
        return String(path[path.unicodeScalars.index(after: slash)...])
    }

    /// The part of a path up to and including the last slash; empty without a slash.
    package static func folderPrefix(of path: String) -> String {
        guard let slash = path.unicodeScalars.lastIndex(of: "/") else { return "" }
        return String(path[..<path.unicodeScalars.index(after: slash)])
    }

    /// Whether a path is one for an open file, such as `/dev/stdout`.
    package static func isNameOfDescriptor(_ path: String) -> Bool {
        ["/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/"].contains(where: path.hasPrefix)
    }

    /// The paths of the files in a folder, in no order; empty if the folder cannot be read.
    package static func files(inFolder path: String) -> [String] {
        guard let folder = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(folder) }
        var files: [String] = []
        while let entry = unsafe readdir(folder) {
            // No path of pinctl has a name that is not UTF-8.
            guard let entryName = unsafe pinctl_entry_name(entry),
                let name = unsafe String(validatingCString: entryName)
            else { continue }
            files.append("\(path)/\(name)")
        }
        return files
    }
}
