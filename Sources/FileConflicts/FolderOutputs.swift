/// The files that a command writes into one folder. Symbolic links in the folder can give two of them the same file.
///
/// Only outputs that a link of the folder refers to are stored, because there can be millions of others.
package struct FolderOutputs {
    /// The entries that the symbolic links of the folder refer to.
    private let linked: Set<FileEntry>
    /// The path of the output that has each entry of ``linked``.
    private var paths: [FileEntry: String] = [:]

    /// - Parameter folder: the path of a folder that exists.
    package init(inFolder folder: String) {
        linked = Set(FilePath.files(inFolder: folder).filter(FilePath.isLink).map { FileEntry($0) })
    }

    /// Registers an output before it is written.
    ///
    /// - Throws: ``FileConflict`` if another output with another path is the same file.
    package mutating func add(_ path: String) throws(FileConflict) {
        guard !linked.isEmpty, case let entry = FileEntry(path), linked.contains(entry) else { return }
        if let other = paths[entry], PathKey(other) != PathKey(path) { throw .outputs(other, path) }
        paths[entry] = path
    }
}
