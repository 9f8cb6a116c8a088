internal import Encodings
internal import FileConflicts

/// A folder into which a command writes several files.
package struct OutputFolder {
    /// The path with a slash at its end.
    private let base: String
    private var outputs: FolderOutputs

    /// Creates the folder unless it exists.
    package init(creating path: String) throws(CommandError) {
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
        return try OutputFile(path, isInFolder: true)
    }
}
