internal import Encodings
internal import FileConflicts

/// A folder into which a command writes several files.
package struct OutputFolder {
    private let path: String
    /// The path with a slash at its end.
    private let base: String
    /// Nil until the folder exists.
    private var outputs: FolderOutputs?
    private var snapshot: FolderSnapshot?

    /// A folder that is created when the first files are written, unless it exists.
    ///
    /// - Parameter snapshot: the files to compare with; nil if no time has passed since the command line was read.
    package init(_ path: String, since snapshot: FolderSnapshot? = nil) {
        self.path = path
        self.snapshot = snapshot
        base = path.ends(with: "/") ? path : path + "/"
    }

    /// Writes files, in this order. If a step fails before the first one gets its name, or a signal ends the process, no file is written.
    ///
    /// The command can write a file again later, if no other process changes it in between.
    ///
    /// - Parameter report: receives an error that concerns only these files, so that the command can write other ones. If another process
    ///   has changed a file, the other files are written, and this one gets another name. If it is nil, such an error is thrown, and no file
    ///   is written.
    /// - Returns: the names of the written files.
    /// - Throws: ``CommandError`` as ``OutputFile``, also if a symbolic link makes two files of this folder the same one.
    @discardableResult package mutating func write(
        _ files: [(name: String, bytes: [UInt8])],
        reportingTo report: ((CommandError) -> Void)? = nil
    ) throws(CommandError) -> [String] {
        var written: [String] = []
        func handle(_ error: CommandError) throws(CommandError) {
            guard let report, !affectsAllFiles(error) else { throw error }
            report(error)
        }
        // One of several files that belong together is of no use.
        let keepsOutput = report != nil || files.count == 1
        do throws(CommandError) {
            _ = try StagedChange.make(inFolder: path, conflict: handle) { () throws(CommandError) in
                var stages: [StagedChange.Stage] = []
                for file in files {
                    let stage = try output(base + file.name).stage(file.bytes, keepsOutput: keepsOutput)
                    stages.append(
                        StagedChange.Stage(stage.path) { () throws(CommandError) in
                            guard let change = try stage.write() else { return nil }
                            return StagedChange { () throws(CommandError) in
                                let isWritten = try change.commit()
                                if isWritten { written.append(file.name) }
                                return isWritten
                            }
                        })
                }
                return stages
            }
        } catch {
            try handle(error)
        }
        for name in written { snapshot?.add(base + name) }
        return written
    }

    /// Whether no other file of this folder can be written either.
    private func affectsAllFiles(_ error: CommandError) -> Bool {
        // A folder that does not exist is created with the next files.
        error.affectsAllOutputs || InputFile.exists(at: path) && !OutputFile.isWritableFolder(path)
    }

    private mutating func output(_ path: String) throws(CommandError) -> OutputFile {
        var known = outputs ?? FolderOutputs(inFolder: self.path)
        do throws(FileConflict) { try known.add(path) } catch { throw CommandError(error) }
        outputs = known
        let file = try OutputFile(path, isInFolder: true)
        return snapshot.map(file.unlessChanged) ?? file
    }
}
