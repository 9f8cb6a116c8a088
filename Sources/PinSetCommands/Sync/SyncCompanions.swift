internal import CommandSupport
internal import Encodings
internal import FileConflicts
internal import PinSetCodec

/// The companion files of the copies of a run. No companion file replaces another file of the run.
struct SyncCompanions {
    /// The canonical paths of the set, the manifest and the copies.
    private let files: Set<PathKey>
    /// The copy and the contents of each companion file, by its canonical path.
    private var known: [PathKey: (copy: String, bytes: [UInt8])] = [:]

    init(besides files: Set<PathKey>) { self.files = files }

    /// - Parameter canBeShared: whether several copies can have the file, if its contents are the same.
    /// - Throws: if another copy needs other contents in the file, or if the file is not only a companion file.
    mutating func add(
        _ file: PinSetWriting.File, of copy: String, in folder: String, canBeShared: Bool
    ) throws(CommandError) {
        let path = folder + (file.name ?? "")
        // The name of a file that several copies can have is a hash.
        let hint = canBeShared ? "use another folder for the copy" : "use another file name for the copy"
        let canonical = SyncPlan.file(at: path)
        // The file can be in a folder of the copy's certificates. Without a change, nothing is lost.
        let isInput = FileUse.isInput(fileAt: path) && !(canBeShared && isWritten(file, at: path))
        guard !files.contains(canonical), !isInput else {
            throw CommandError(
                "the companion file \(path.quoted) is also another file of the manifest or of the set", hint: hint)
        }
        if let other = known[canonical], PathKey(other.copy) != PathKey(copy), !canBeShared || other.bytes != file.bytes
        {
            throw CommandError("the companion file \(path.quoted) is also that of \(other.copy.quoted)", hint: hint)
        }
        known[canonical] = (copy, file.bytes)
    }

    private func isWritten(_ file: PinSetWriting.File, at path: String) -> Bool {
        (try? InputFile.bytes(at: path, isInput: false)).map { $0 == file.bytes } ?? false
    }
}
