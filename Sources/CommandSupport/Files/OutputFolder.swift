internal import Encodings
internal import FileConflicts

/// A folder into which a command writes several files.
package struct OutputFolder {
    /// The path with a slash at its end.
    private let base: String
    private var outputs: FolderOutputs
    private let snapshot: FolderSnapshot?
    /// The names of the files that the command has opened.
    private var opened: Set<String> = []

    /// Creates the folder unless it exists.
    ///
    /// - Parameter snapshot: the files to compare with; nil if no time has passed since the command line was read.
    package init(creating path: String, since snapshot: FolderSnapshot? = nil) throws(CommandError) {
        self.snapshot = snapshot
        try OutputFile.makeFolder(path)
        base = path.ends(with: "/") ? path : path + "/"
        outputs = FolderOutputs(inFolder: path)
    }

    /// A file to write.
    ///
    /// - Throws: ``CommandError`` as ``OutputFile``, also if a symbolic link makes it the same file as another one of this value.
    package mutating func file(named name: String) throws(CommandError) -> OutputFile {
        let path = base + name
        do throws(FileConflict) { try outputs.add(path) } catch { throw CommandError(error) }
        let file = try OutputFile(path, isInFolder: true)
        guard let snapshot, opened.insert(name).inserted else { return file }
        return file.unlessChanged(since: snapshot)
    }
}
