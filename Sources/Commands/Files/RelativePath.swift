internal import Encodings

/// The name of a file as another file may give it, so that both can be moved together.
enum RelativePath {
    /// - Parameter folder: where it is to be named from.
    /// - Returns: `path` itself where it is absolute, as somebody wanted it then, or where one of both is not there.
    static func of(_ path: String, from folder: String) -> String {
        guard !path.hasPrefix("/"), folder != "." else { return path }
        // A symbolic link at its end is kept: it may lead elsewhere tomorrow. One on the way would mislead "..".
        let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
        let isName = !["", ".", ".."].contains(name)
        let whole = isName ? OutputFile.parent(of: path) : path
        guard let start = OutputFile.resolved(folder), let end = OutputFile.resolved(whole) else { return path }
        var (from, to) = (parts(of: start)[...], parts(of: end)[...])
        if isName { to.append(name) }
        while let first = from.first, first == to.first, to.count > 1 {
            from.removeFirst()
            to.removeFirst()
        }
        return (from.map { _ in ".." } + to).joined(separator: "/")
    }

    private static func parts(of path: String) -> [Substring] { path.split(separator: "/") }
}
