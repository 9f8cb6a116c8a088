internal import Encodings
internal import FileConflicts

/// A folder into which a command writes several files.
package struct OutputFolder {
    /// The path with a slash at its end.
    private let base: String
    private var outputs: FolderOutputs
    private var snapshot: FolderSnapshot?

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
        return snapshot.map(file.unlessChanged) ?? file
    }

    /// Writes a file. The command can write it again, if no other process changes it in between.
    package mutating func write(_ bytes: [UInt8], to name: String) throws(CommandError) {
        try file(named: name).write(bytes)
        snapshot?.add(base + name)
    }
}
