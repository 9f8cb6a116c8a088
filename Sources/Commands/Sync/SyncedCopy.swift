internal import Arguments
internal import PinSetFormats
internal import PinSetMaintenance
internal import Pinning

/// The result of comparing, and possibly writing, one copy.
struct SyncedCopy {
    enum Status: String {
        /// The copy matches the set and was not changed.
        case equal
        case different, written
        /// The copy could not be compared or written.
        case failed
    }

    /// The path relative to the current folder.
    let path: String
    /// Nil if the format is unknown.
    var format: PinSetFormat?
    var status = Status.failed
    /// The differences that were found; with ``Status/written`` they are fixed.
    var differences: [CopyDifference] = []
    var notes: [ConversionWarning] = []
    /// Why the copy could not be compared or written; with ``Status/different``, why `--write` would fail.
    var failure: Failure?

    struct Failure: Error {
        /// A sentence without the path of the copy.
        let message: String
        let hint: String?
        /// Line in the copy, from 1.
        let line: Int?
        let status: ExitStatus

        init(_ error: CommandError) {
            (message, hint, line, status) = (error.message, error.hint, nil, error.status)
        }

        init(_ error: PinSetFormatError, status: ExitStatus = .usageError) {
            hint =
                switch error.need {
                case .format: "add \"format\" to the copy in the manifest"
                case .host: "add \"hosts\" to the copy in the manifest"
                case .certificates: "add \"certificates\" to the copy in the manifest"
                case .names: "add the .pins file beside it"
                case nil: error.hint
                }
            (message, line, self.status) = (error.message, error.line, status)
        }
    }

    var exitStatus: ExitStatus {
        switch status {
        case .equal, .written: .success
        case .different: .failure
        case .failed: failure?.status ?? .usageError
        }
    }

    /// Compares the copy with the set, and writes it with `--write` if it differs.
    init(_ copy: SyncManifest.Copy, by plan: SyncPlan, _ console: Console) {
        path = plan.path(copy.file)
        do throws(Failure) {
            try sync(copy, by: plan, console)
        } catch {
            failure = error
        }
    }

    private mutating func sync(_ copy: SyncManifest.Copy, by plan: SyncPlan, _ console: Console) throws(Failure) {
        let contents: [UInt8]?
        let inputs: ConversionInputs
        do throws(CommandError) {
            contents = InputFile.exists(at: path) ? try InputFile.bytes(at: path) : nil
            inputs = try Self.inputs(of: copy, by: plan, console)
        } catch {
            throw Failure(error)
        }
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[...$0]) } ?? ""
        let comparison: CopyComparison
        do throws(PinSetFormatError) {
            let set = plan.set.subset(copy.hosts).set ?? plan.set
            let copy = try PinSetCopy(
                of: set, as: copy.format, fileName: String(path.dropFirst(folder.count)), contents: contents,
                others: copy.others, overwrites: copy.overwrites, with: inputs)
            format = copy.format
            comparison = try copy.compared(with: contents) { name in try? InputFile.bytes(at: folder + name) }
        } catch {
            throw Failure(error)
        }
        differences = comparison.differences
        notes = comparison.notes
        switch comparison.outcome {
        case .equal: status = .equal
        case .refused(let reason):
            let reason = Failure(reason, status: .failure)
            guard plan.mode == .check else { throw reason }
            status = .different
            failure = reason
        case .write(let files):
            guard plan.mode == .write else {
                status = .different
                return
            }
            do throws(CommandError) {
                try write(files, into: folder)
            } catch {
                throw Failure(error)
            }
            status = .written
        }
    }

    /// Writes the main file last, so that its companion files exist when it does.
    private func write(_ files: [PinSetWriting.File], into folder: String) throws(CommandError) {
        for file in files {
            guard let name = file.name else { continue }
            try Self.put(file.bytes, at: folder + name)
        }
        for file in files where file.name == nil { try Self.put(file.bytes, at: path) }
    }

    /// Writes a file if its contents differ. An existing file keeps its owner and mode, and a symbolic link stays a link.
    private static func put(_ bytes: [UInt8], at path: String) throws(CommandError) {
        guard InputFile.exists(at: path) else {
            let folder = OutputFile.parent(of: path)
            // The folder is not created, because the path may be a typing error.
            guard InputFile.isFolder(folder) else {
                throw CommandError(
                    "cannot write \(path.quoted): there is no folder \(folder.quoted)",
                    hint: "create the folder, or correct the path in the manifest")
            }
            return try OutputFile.write(bytes, to: path)
        }
        guard try InputFile.bytes(at: path) != bytes else { return }
        try OutputFile.replace(path, with: bytes)
    }

    private static func inputs(
        of copy: SyncManifest.Copy, by plan: SyncPlan, _ console: Console
    ) throws(CommandError) -> ConversionInputs {
        var inputs = ConversionInputs(date: .now)
        for path in copy.certificates {
            inputs.certificates += try AnchorFiles.certificates(at: plan.path(path), console)
        }
        if let path = copy.signingKey { inputs.signingKey = try InputFile.bytes(at: plan.path(path)) }
        return inputs
    }
}
