internal import Encodings
internal import FileConflicts
internal import StagedFiles

/// The files of a folder at the time when the command line was read, so that a change of another process during the run is not lost.
///
/// A folder can have millions of files, so only a hash value of each one is kept: of its name, of its state, and of the state of the
/// file to which a symbolic link refers. The time of the last attribute change shows a change of the contents also if a process restores
/// the time of modification.
package struct FolderSnapshot {
    private var files: Set<Int>

    /// - Parameters:
    ///   - path: a folder, which may not exist yet.
    ///   - suffix: the end of the names that the command writes.
    package init(of path: String, suffix: String) {
        files = Set(FilePath.files(inFolder: path).lazy.filter { $0.ends(with: suffix) }.compactMap(Self.hash))
    }

    /// Whether the folder had this file, in its present state.
    func contains(_ path: String) -> Bool { Self.hash(of: path).map(files.contains) ?? false }

    /// Adds a file that the command has written.
    mutating func add(_ path: String) {
        if let hash = Self.hash(of: path) { files.insert(hash) }
    }

    /// nil if there is no file.
    private static func hash(of path: String) -> Int? {
        guard let entry = try? FileState(at: path, followsLinks: false), let file = try? FileState(at: path) else {
            return nil
        }
        var hasher = Hasher()
        hasher.combine(path.dropFirst(FilePath.folderPrefix(of: path).count))
        hasher.combine(entry)
        hasher.combine(file)
        return hasher.finalize()
    }
}
