internal import CommandSupport
internal import Encodings
internal import FileConflicts
internal import PinSetCodec
internal import PinSetFormats
internal import PinSetMaintenance
internal import Pinning
internal import StagedFiles

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
    /// The path for reports, without the user and the password of a URL.
    var shownPath: String { path.withoutUserInfoInURLs }
    /// Nil if the format is unknown.
    var format: PinSetFormat?
    var status = Status.failed
    /// The differences that were found. If the status is ``Status/written``, they are fixed.
    var differences: [CopyDifference] = []
    var notes: [ConversionWarning] = []
    /// Why the copy could not be compared or written. If the status is ``Status/different``, why `--write` would fail.
    var failure: Failure?

    struct Failure: Error {
        /// A sentence without the path of the copy.
        let message: String
        let hint: String?
        /// Line in the copy, from 1.
        let line: Int?
        let status: ExitStatus
        /// The next step if there is no hint.
        let defaultStep: String

        init(_ error: CommandError) {
            message = error.message.withoutUserInfoInURLs
            (hint, line, status) = (error.hint?.withoutUserInfoInURLs, nil, error.status)
            // A file could not be read or written, for example because the disk is full.
            defaultStep = "fix the cause, then run sync again: pinctl did not change the copy"
        }

        init(_ error: PinSetCopyError, status: ExitStatus = .usageError, by plan: SyncPlan) {
            let step = error.warning?.step(in: plan.editableSetPath) ?? error.hint
            hint =
                switch error.need {
                case .format: "add \"format\" to the copy in the manifest"
                case .host: "add \"hosts\" to the copy in the manifest"
                case .certificates: "add \"certificates\" to the copy in the manifest"
                case .names: "add the .pins file beside it"
                case nil:
                    if case .hostLeftOut = error {
                        (step.map { $0 + ", or " } ?? "") + "list the other hosts in \"hosts\" of this copy"
                    } else {
                        step
                    }
                }
            (message, line, self.status) = (error.message, error.line, status)
            defaultStep = "edit the file by hand: pinctl did not change it"
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
    ///
    /// - Parameter companions: the companion files of the copies so far.
    init(_ copy: SyncManifest.Copy, by plan: SyncPlan, _ companions: inout SyncCompanions) {
        path = plan.path(copy.file)
        do throws(Failure) {
            try sync(copy, by: plan, &companions)
        } catch {
            failure = error
        }
    }

    /// Maximum number of repeated comparisons after another process changed the copy.
    private static let maximumAttempts = 100

    private mutating func sync(
        _ copy: SyncManifest.Copy, by plan: SyncPlan, _ companions: inout SyncCompanions
    ) throws(Failure) {
        for _ in 0..<Self.maximumAttempts where try syncOnce(copy, by: plan, &companions) { return }
        throw Failure(
            CommandError(
                "another process changes the file again and again", hint: "run sync again when it has finished",
                status: .undecided))
    }

    /// - Returns: false if another process has changed the copy before it was written.
    private mutating func syncOnce(
        _ copy: SyncManifest.Copy, by plan: SyncPlan, _ companions: inout SyncCompanions
    ) throws(Failure) -> Bool {
        let contents: [UInt8]?
        let inputs: ConversionInputs
        let folder = FilePath.folderPrefix(of: path)
        var names: [String] = []
        do throws(CommandError) {
            if copy.format == .certificates { names = try Self.certificateFiles(inFolder: folder) }
            contents = InputFile.exists(at: path) ? try InputFile.bytes(at: path, isInput: false) : nil
            inputs = try Self.inputs(of: copy, by: plan)
        } catch {
            throw Failure(error)
        }
        let comparison: CopyComparison
        var read: [PathKey: [UInt8]] = [:]
        read[PathKey(path)] = contents
        var unreadable: CommandError?
        do throws(PinSetCopyError) {
            let set = (plan.set.subset(copy.hosts).set ?? plan.set)
                .withAnchors(of: plan.setPath, inFolder: FilePath.parent(of: path))
            let copy = try PinSetCopy(
                of: set, as: copy.format, fileName: FilePath.name(of: path), contents: contents,
                others: copy.others, overwrites: copy.overwrites, with: inputs)
            format = copy.format
            let needed = copy.hasCompanionsInFolder ? companions.names(inFolder: folder) : nil
            // Without the names of another copy's files, no file can be called obsolete.
            let candidates = needed == nil ? [] : names
            comparison = try copy.compared(with: contents, among: candidates, needed: needed ?? []) { name in
                guard InputFile.exists(at: folder + name) else { return nil }
                do throws(CommandError) {
                    let contents = try InputFile.bytes(at: folder + name, isInput: false)
                    read[PathKey(folder + name)] = contents
                    return contents
                } catch {
                    unreadable = unreadable ?? error
                    return nil
                }
            }
        } catch {
            throw unreadable.map { Failure($0) } ?? Failure(error, by: plan)
        }
        if let unreadable { throw Failure(unreadable) }
        do throws(CommandError) {
            for file in comparison.companions {
                // The file of names contains the time. A certificate file has its hash in the name.
                try companions.add(file, of: path, in: folder, canBeShared: format?.traits.sidecar == nil)
            }
        } catch {
            throw Failure(error)
        }
        differences = comparison.differences
        notes = comparison.notes
        switch comparison.outcome {
        case .equal: status = .equal
        case .refused(let reason):
            let reason = Failure(reason, status: .failure, by: plan)
            guard plan.mode == .check else { throw reason }
            status = .different
            failure = reason
        case .write(let files):
            guard plan.mode == .write else {
                status = .different
                return true
            }
            do throws(CommandError) {
                guard try write(files, into: folder, read) else { return false }
            } catch {
                throw Failure(error)
            }
            status = .written
        }
        guard !comparison.obsolete.isEmpty else { return true }
        guard plan.mode == .check else {
            // The file may be that of another manifest, or of convert, so a person removes it.
            status = .failed
            let names = comparison.obsolete.map { (folder + $0).quoted }.joined(conjunction: "and")
            throw Failure(
                CommandError(
                    "the app also reads certificates that the set does not pin",
                    hint: "remove \(names), or add the pins to the set", status: .failure))
        }
        status = .different
        return true
    }

    /// Writes all files or none. The main file gets its name last, so that the files that belong to it exist before it does.
    ///
    /// - Parameter read: the contents that the files were compared with, by path.
    /// - Returns: false if another process has changed one of them since then.
    private func write(
        _ files: [PinSetWriting.File], into folder: String, _ read: [PathKey: [UInt8]]
    ) throws(CommandError) -> Bool {
        try StagedChange.make { () throws(CommandError) in
            var stages: [StagedChange.Stage] = []
            for file in files.filter({ $0.name != nil }) + files.filter({ $0.name == nil }) {
                let path = file.name.map { folder + $0 } ?? path
                stages.append(try Self.stage(file.bytes, to: path, replacing: read[PathKey(path)]))
            }
            return stages
        }
    }

    /// The regular files in a folder with names that companion files of a folder of certificates can have.
    private static func certificateFiles(inFolder folder: String) throws(CommandError) -> [String] {
        guard InputFile.isFolder(folder.isEmpty ? "." : folder) else { return [] }
        return try InputFile.names(inFolder: folder.isEmpty ? "." : folder) {
            $0.utf8.starts(with: "pinned-".utf8) && $0.utf8.suffix(4).elementsEqual(".cer".utf8)
        }
        .filter { (try? FileState(at: folder + $0))?.isRegular == true && InputFile.isReadable(at: folder + $0) }
    }

    /// Writes one file. An existing file keeps its owner and mode, and a symbolic link remains a link.
    private static func stage(
        _ bytes: [UInt8], to path: String, replacing original: [UInt8]?
    ) throws(CommandError) -> StagedChange.Stage {
        if let original { return FileEditor.stage(path, expecting: original, with: bytes) }
        let folder = FilePath.parent(of: path)
        // The folder is not created, because the path may be a typing error.
        guard InputFile.isFolder(folder) else {
            throw CommandError(
                "cannot write \(path.quoted): there is no folder \(folder.quoted)",
                hint: "create the folder, or correct the path in the manifest")
        }
        return NewFile.stage(path, bytes)
    }

    /// The names of the companion files of a copy.
    static func companionNames(of copy: SyncManifest.Copy, by plan: SyncPlan) throws -> [String] {
        let path = plan.path(copy.file)
        let contents = InputFile.exists(at: path) ? try InputFile.bytes(at: path, isInput: false) : nil
        let set = plan.set.subset(copy.hosts).set ?? plan.set
        return try PinSetCopy(
            of: set, as: copy.format, fileName: FilePath.name(of: path), contents: contents,
            with: inputs(of: copy, by: plan)
        ).companionNames()
    }

    private static func inputs(
        of copy: SyncManifest.Copy, by plan: SyncPlan
    ) throws(CommandError) -> ConversionInputs {
        var inputs = ConversionInputs(date: .now)
        for path in copy.certificates {
            inputs.certificates += try AnchorFiles.certificates(at: plan.path(path))
        }
        if let path = copy.signingKey {
            inputs.signingKey = try InputFile.bytes(at: plan.path(path), for: .certificatesOrSecrets)
        }
        return inputs
    }
}
