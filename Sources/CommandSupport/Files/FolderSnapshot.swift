internal import Encodings
internal import FileConflicts
internal import StagedFiles

/// The files of a folder at the time when the command line was read, so that a change of another process during the run is not lost.
///
/// A folder can have millions of files, so only a hash value of each one is kept.
package struct FolderSnapshot {
    private let files: Set<Int>

    /// - Parameters:
    ///   - path: a folder, which may not exist yet.
    ///   - suffix: the end of the names that the command writes.
    package init(of path: String, suffix: String) {
        files = Set(
            FilePath.files(inFolder: path).lazy.filter { $0.ends(with: suffix) }.compactMap {
                (try? FileState(at: $0))?.contentsHash
            })
    }

    /// Whether a file with this state was in the folder.
    func contains(_ state: FileState) -> Bool { files.contains(state.contentsHash) }
}
