internal import CSystem

/// Paths and symbolic links.
package enum FilePath {
    /// Maximum number of symbolic links that are followed, as in Linux (path_resolution(7)).
    private static let maximumLinks = 40

    /// The absolute path without symbolic links (realpath(3)); nil if nothing exists there.
    package static func resolved(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// Follows symbolic links at the end of a path. The resulting path may not exist.
    package static func target(of path: String) -> String {
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

    /// The part of a path after the last slash.
    static func name(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// The paths of the files in a folder, in no order; empty if the folder cannot be read.
    static func files(inFolder path: String) -> [String] {
        guard let folder = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(folder) }
        var files: [String] = []
        while let entry = unsafe readdir(folder) {
            files.append("\(path)/\(unsafe String(cString: pinctl_entry_name(entry)))")
        }
        return files
    }
}
