internal import Arguments
internal import Pinning

/// What came of one copy.
struct SyncedCopy {
    enum Status: String {
        /// It says what the set says, and was not touched.
        case equal
        case different, written
        /// It could not be compared or written.
        case failed
    }

    /// As it can be opened from here.
    let path: String
    /// Nil where it could not be told.
    var format: PinSetFormat?
    var status = Status.failed
    /// What was found, and with `written` is mended.
    var differences: [CopyDifference] = []
    var notes: [PinSetLoss] = []
    /// Why it could not be compared or written; with `different`, why it would not be written.
    var failure: Failure?

    struct Failure: Error {
        /// A sentence that does not name the file, unless it is about another.
        let message: String
        let hint: String?
        /// In the copy, from 1.
        let line: Int?
        let status: ExitStatus

        init(_ error: CommandError) {
            (message, hint, line, status) = (error.message, error.hint, nil, error.status)
        }

        init(_ error: PinSetFormatError, status: ExitStatus = .usageError) {
            hint =
                switch error.need {
                case .format: "\"format\" in the manifest says which it is"
                case .host: "\"hosts\" in the manifest says which"
                case .certificates: "\"certificates\" in the manifest gives them"
                case .names: "its .pins belongs beside it"
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

    /// Compares the copy with the set, and writes it if that is to be done and there is need.
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
        let companions: PinSetCompanions
        do throws(CommandError) {
            contents = InputFile.exists(at: path) ? try InputFile.bytes(at: path) : nil
            companions = try Self.companions(of: copy, by: plan, console)
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
                others: copy.others, overwrites: copy.overwrites, with: companions)
            format = copy.format
            comparison = try copy.compared(with: contents) { name in try? InputFile.bytes(at: folder + name) }
        } catch {
            throw Failure(error)
        }
        (differences, notes) = (comparison.differences, comparison.notes)
        switch comparison.outcome {
        case .equal: status = .equal
        case .refused(let reason):
            let reason = Failure(reason, status: .failure)
            guard plan.mode == .check else { throw reason }
            (status, failure) = (.different, reason)
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

    /// The file itself comes last: whoever finds it finds the others.
    private func write(_ files: [PinSetWriting.File], into folder: String) throws(CommandError) {
        for file in files {
            guard let name = file.name else { continue }
            try Self.put(file.bytes, at: folder + name)
        }
        for file in files where file.name == nil { try Self.put(file.bytes, at: path) }
    }

    /// What is there keeps its owner and mode, and a symbolic link stays one.
    private static func put(_ bytes: [UInt8], at path: String) throws(CommandError) {
        guard InputFile.exists(at: path) else {
            let folder = OutputFile.parent(of: path)
            // It is not made here: the path may be mistyped, and a copy that no build reads helps nobody.
            guard InputFile.isFolder(folder) else {
                throw CommandError(
                    "cannot write \(path.quoted): there is no folder \(folder.quoted)",
                    hint: "make the folder, or mend the path in the manifest")
            }
            return try OutputFile.write(bytes, to: path)
        }
        guard try InputFile.bytes(at: path) != bytes else { return }
        try OutputFile.replace(path, with: bytes)
    }

    private static func companions(
        of copy: SyncManifest.Copy, by plan: SyncPlan, _ console: Console
    ) throws(CommandError) -> PinSetCompanions {
        var companions = PinSetCompanions(date: .now)
        for path in copy.certificates {
            companions.certificates += try AnchorFiles.certificates(at: plan.path(path), console)
        }
        if let path = copy.signingKey { companions.signingKey = try InputFile.bytes(at: plan.path(path)) }
        return companions
    }
}
