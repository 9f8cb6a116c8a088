internal import CSystem

/// The file that an output is written to.
enum OutputTarget: Equatable, Sendable {
    case existing(FileIdentity)
    /// A path without symbolic links.
    case new(PathKey)

    /// Nil if the path refers to a folder, a pipe or a device, which an output does not replace, or if its folder does not exist.
    init?(_ path: String) {
        if let identity = FileIdentity(at: path) {
            self = .existing(identity)
            return
        }
        guard unsafe access(path, F_OK) != 0 else { return nil }
        guard let target = try? FilePath.target(of: path),
            let folder = PathKey(resolving: FilePath.parent(of: target))
        else { return nil }
        self = .new(folder.appending(FilePath.name(of: target)))
    }
}
