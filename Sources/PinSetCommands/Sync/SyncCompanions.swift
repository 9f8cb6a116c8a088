internal import CommandSupport
internal import Encodings
internal import FileConflicts
internal import PinSetCodec
internal import PinSetMaintenance

/// The companion files of the copies of a run. No companion file replaces another file of the run.
struct SyncCompanions {
    /// The set, the manifest and the copies.
    private let files: Set<FileEntry>
    /// The copy and the contents of each companion file.
    private var known: [FileEntry: (copy: String, bytes: [UInt8])] = [:]
    private lazy var namesByFolder = Self.namesByFolder(of: plan)
    private let plan: SyncPlan

    init(by plan: SyncPlan) {
        self.plan = plan
        files = plan.ownFiles
    }

    /// The names of the files that the copies in a folder need; nil if those of a copy are not known.
    ///
    /// - Parameter folder: the path of the folder, empty or with a slash at its end.
    mutating func names(inFolder folder: String) -> Set<String>? {
        guard let key = PathKey(resolving: folder.isEmpty ? "." : folder) else { return nil }
        return namesByFolder[key]
    }

    /// The names of the copies and their companion files in each folder, without the folders in which those of a copy are not known.
    private static func namesByFolder(of plan: SyncPlan) -> [PathKey: Set<String>] {
        var names: [PathKey: Set<String>] = [:]
        var unknown: Set<PathKey> = []
        for copy in plan.manifest.copies {
            let path = plan.path(copy.file)
            guard let folder = PathKey(resolving: FilePath.parent(of: path)) else { continue }
            if let own = try? SyncedCopy.companionNames(of: copy, by: plan) {
                names[folder, default: []].formUnion(own + [FilePath.name(of: path)])
            } else {
                unknown.insert(folder)
            }
        }
        return names.filter { !unknown.contains($0.key) }
    }

    /// - Parameter canBeShared: whether several copies can have the file, if its contents are the same.
    /// - Throws: if another copy needs other contents in the file, or if the file is not only a companion file.
    mutating func add(
        _ file: PinSetWriting.File, of copy: String, in folder: String, canBeShared: Bool
    ) throws(CommandError) {
        let path = folder + (file.name ?? "")
        // The name of a file that several copies can have is a hash.
        let hint = canBeShared ? "use another folder for the copy" : "use another file name for the copy"
        let entry = FileEntry(path)
        // The file can be in a folder of the copy's certificates. Without a change, nothing is lost.
        let isInput = FileUse.isInput(fileAt: path) && !(canBeShared && isWritten(file, at: path))
        guard !files.contains(entry), !isInput else {
            throw CommandError(
                "the companion file \(path.quoted) is also another file of the manifest or of the set", hint: hint)
        }
        if let other = known[entry], PathKey(other.copy) != PathKey(copy), !canBeShared || other.bytes != file.bytes {
            throw CommandError("the companion file \(path.quoted) is also that of \(other.copy.quoted)", hint: hint)
        }
        known[entry] = (copy, file.bytes)
    }

    private func isWritten(_ file: PinSetWriting.File, at path: String) -> Bool {
        (try? InputFile.bytes(at: path, isInput: false)).map { $0 == file.bytes } ?? false
    }
}
