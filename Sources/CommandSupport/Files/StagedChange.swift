internal import Encodings
internal import Fetching
internal import StagedFiles

/// New contents of a file that are complete on the disk. They are removed if they do not get the file's name.
package struct StagedChange {
    /// Gives the contents the file's name. Returns false if another process has changed the file, which then stays as it is.
    let commit: () throws(CommandError) -> Bool

    /// The first half of a change.
    package struct Stage {
        let path: String
        /// Writes the new contents. Returns nil if another process has changed the file.
        let write: () throws(CommandError) -> StagedChange?

        init(_ path: String, _ write: @escaping () throws(CommandError) -> StagedChange?) {
            (self.path, self.write) = (path, write)
        }
    }

    /// Changes several files. If a step fails before the first one gets its name, or a signal ends the process, no file is changed. From
    /// then on, signals are deferred until all have their names.
    ///
    /// - Parameters:
    ///   - folder: a folder to create unless it exists. It is removed if no file is changed.
    ///   - conflict: receives an error about a file that another process has changed. If it does not throw, the other files are changed.
    ///   - stages: returns the changes in the order in which the files get their names. It is called when the folder exists.
    /// - Returns: false if another process has changed a file, and no error was thrown.
    package static func make(
        inFolder folder: String? = nil,
        conflict: (CommandError) throws(CommandError) -> Void = { error throws(CommandError) in throw error },
        _ stages: () throws(CommandError) -> [Stage]
    ) throws(CommandError) -> Bool {
        var isUnchanged = true
        func attempt(_ step: () throws(CommandError) -> Void) throws(CommandError) {
            do throws(CommandError) {
                try step()
            } catch {
                guard error.isConflict else { throw error }
                try conflict(error)
            }
        }
        try EndingSignals.deferred { () throws(CommandError) -> StagedChanges in
            let changes = try StagedChanges(inFolder: folder)
            let stages = try stages()
            changes.paths = stages.map(\.path)
            _ = DescriptorLimit.raise(to: descriptorsPerFile * stages.count + otherDescriptors)
            // Files are locked in the order of their paths, so that two processes do not wait for each other.
            for index in stages.indices.sorted(by: { stages[$0].path < stages[$1].path }) {
                guard isUnchanged, !EndingSignals.haveArrived else { break }
                try attempt { () throws(CommandError) in
                    if let change = try stages[index].write() {
                        changes.staged[index] = change
                    } else {
                        isUnchanged = false
                    }
                }
            }
            return changes
        } commit: { changes throws(CommandError) in
            for (index, change) in changes.staged.sorted(by: { $0.key < $1.key }) where isUnchanged {
                do throws(CommandError) {
                    try attempt { () throws(CommandError) in
                        isUnchanged = try change.commit()
                    }
                } catch {
                    throw error.naming(changes.committed)
                }
                if isUnchanged { changes.committed.append(changes.paths[index]) }
            }
        }
        return isUnchanged
    }

    /// The file with the new contents, and the file with the lock.
    private static let descriptorsPerFile = 2
    /// Number of descriptors that a process can need for other purposes.
    private static let otherDescriptors = 100
}

/// The changes of one call of ``StagedChange/make(inFolder:conflict:_:)``.
private final class StagedChanges {
    /// The changes by the index of their files.
    var staged: [Int: StagedChange] = [:]
    /// The paths of all files.
    var paths: [String] = []
    /// The paths of the files that have their new contents.
    var committed: [String] = []
    /// A folder that did not exist before.
    private let newFolder: String?

    init(inFolder folder: String?) throws(CommandError) {
        newFolder = if let folder, try OutputFile.makeFolder(folder) { folder } else { nil }
    }

    deinit {
        // The contents can have temporary names in the folder. A folder with files stays.
        staged = [:]
        if let newFolder { OutputFile.removeFolder(newFolder) }
    }
}

extension CommandError {
    /// Returns this error with the paths of files that have their new contents, although a file that belongs to them does not.
    fileprivate func naming(_ committed: [String]) -> CommandError {
        guard !committed.isEmpty else { return self }
        let names = committed.map(\.quoted).joined(conjunction: "and")
        let clause =
            "\(names) \(committed.count == 1 ? "has its" : "have their") new contents, so run the command again"
        return CommandError(
            message, hint: (hint.map { $0 + "; " } ?? "") + clause, status: status, isConflict: isConflict,
            affectsAllOutputs: affectsAllOutputs)
    }
}
