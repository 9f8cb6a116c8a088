/// The entry of a folder that a path refers to after its symbolic links are followed. The file, and even its folder, need not exist.
///
/// An output gets this name. So two outputs are the same file if their entries are equal.
package struct FileEntry: Hashable, Sendable {
    private enum Folder: Hashable {
        case existing(FileIdentity)
        /// The path of a folder that does not exist.
        case missing(PathKey)
    }

    private let folder: Folder
    private let name: PathKey

    package init(_ path: String) {
        // A link that the system does not follow is reported when the file is opened.
        let target = (try? FilePath.target(of: path)) ?? path
        let parent = FilePath.parent(of: target)
        folder = FileIdentity(ofFolder: parent).map { .existing($0) } ?? .missing(PathKey(parent))
        name = PathKey(FilePath.name(of: target))
    }

    var hasFolder: Bool { if case .existing = folder { true } else { false } }

    /// Whether the entry is directly in one of these folders.
    package func isInFolder(of folders: Set<FileIdentity>) -> Bool {
        if case .existing(let identity) = folder { folders.contains(identity) } else { false }
    }
}
