internal import Encodings
internal import FileConflicts

/// The path of a file relative to a folder, so that a file in that folder can name it and both can be moved together.
package enum RelativePath {
    /// - Parameter folder: the folder that the path is relative to. It need not exist.
    /// - Returns: `path` itself if it is absolute; an absolute path if there is no relative one, because a folder name is not UTF-8.
    package static func of(_ path: String, from folder: String) -> String {
        guard !path.begins(with: "/"), folder != "." else { return path }
        // If the last component is a symbolic link, it is kept, because it may refer to another file later. Links in folder names
        // are resolved, because ".." after a link means the parent of the link's target.
        let name = FilePath.name(of: path)
        let isName = !isStep(name)
        let whole = isName ? FilePath.parent(of: path) : path
        guard let start = resolved(folder), let end = resolved(whole) else { return absolute(path) }
        var from = components(of: start)[...]
        var to = components(of: end)[...]
        if isName { to.append(Array(name.utf8)[...]) }
        while let first = from.first, let other = to.first, first == other, to.count > 1 {
            from.removeFirst()
            to.removeFirst()
        }
        // What the two folders have in common need not be UTF-8.
        let names = to.compactMap { String(validating: $0, as: UTF8.self) }
        return names.count == to.count ? (from.map { _ in ".." } + names).joined(separator: "/") : absolute(path)
    }

    /// The absolute path without symbolic links. Its last folders need not exist.
    private static func resolved(_ path: String) -> [UInt8]? {
        if let resolved = FilePath.resolvedBytes(path) { return resolved }
        let trimmed = path.ends(with: "/") ? String(path.dropLast()) : path
        let name = FilePath.name(of: trimmed)
        guard !isStep(name), path.utf8.count <= maximumLength else { return nil }
        return resolved(FilePath.parent(of: trimmed)).map { $0 + Array("/".utf8) + Array(name.utf8) }
    }

    /// Maximum length of a path in bytes (`PATH_MAX` of Linux).
    private static let maximumLength = 4096

    private static func absolute(_ path: String) -> String { FilePath.resolved(".").map { "\($0)/\(path)" } ?? path }

    /// Whether a component of a path is not the name of a file.
    private static func isStep(_ name: String) -> Bool { ["", ".", ".."].contains(name) }

    private static func components(of path: [UInt8]) -> [ArraySlice<UInt8>] { path.split(separator: UInt8(ascii: "/")) }
}
