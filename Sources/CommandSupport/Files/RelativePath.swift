internal import Encodings
internal import FileConflicts

/// The path of a file relative to a folder, so that a file in that folder can name it and both can be moved together.
package enum RelativePath {
    /// - Parameter folder: the folder that the path is relative to.
    /// - Returns: `path` itself if it is absolute, or if the path or the folder does not exist.
    package static func of(_ path: String, from folder: String) -> String {
        guard !path.begins(with: "/"), folder != "." else { return path }
        // If the last component is a symbolic link, it is kept, because it may refer to another file later. Links in folder names
        // are resolved, because ".." after a link means the parent of the link's target.
        let name = FilePath.name(of: path)
        let isName = !["", ".", ".."].contains(name)
        let whole = isName ? FilePath.parent(of: path) : path
        guard let start = FilePath.resolvedBytes(folder), let end = FilePath.resolvedBytes(whole) else { return path }
        var from = components(of: start)[...]
        var to = components(of: end)[...]
        if isName { to.append(Array(name.utf8)[...]) }
        while let first = from.first, let other = to.first, first == other, to.count > 1 {
            from.removeFirst()
            to.removeFirst()
        }
        // What the two folders have in common need not be UTF-8.
        let names = to.compactMap { String(validating: $0, as: UTF8.self) }
        return names.count == to.count ? (from.map { _ in ".." } + names).joined(separator: "/") : path
    }

    private static func components(of path: [UInt8]) -> [ArraySlice<UInt8>] { path.split(separator: UInt8(ascii: "/")) }
}
