internal import FileConflicts

/// The path of a file relative to a folder, so that a file in that folder can name it and both can be moved together.
package enum RelativePath {
    /// - Parameter folder: the folder that the path is relative to.
    /// - Returns: `path` itself if it is absolute, or if the path or the folder does not exist.
    package static func of(_ path: String, from folder: String) -> String {
        guard !path.hasPrefix("/"), folder != "." else { return path }
        // If the last component is a symbolic link, it is kept, because it may refer to another file later. Links in folder names
        // are resolved, because ".." after a link means the parent of the link's target.
        let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
        let isName = !["", ".", ".."].contains(name)
        let whole = isName ? FilePath.parent(of: path) : path
        guard let start = FilePath.resolved(folder), let end = FilePath.resolved(whole) else { return path }
        var from = components(of: start)[...]
        var to = components(of: end)[...]
        if isName { to.append(name) }
        while let first = from.first, first == to.first, to.count > 1 {
            from.removeFirst()
            to.removeFirst()
        }
        return (from.map { _ in ".." } + to).joined(separator: "/")
    }

    private static func components(of path: String) -> [Substring] { path.split(separator: "/") }
}
