internal import Arguments
internal import CommandSupport
internal import Encodings
internal import FileConflicts
internal import PinSetCodec
internal import PinSetFormats
internal import PinSetMaintenance
internal import Pinning

/// The validated input of `sync`: the manifest, the set that it names, and the mode.
struct SyncPlan {
    enum Mode: String {
        case check, write
    }

    let mode: Mode
    let manifest: SyncManifest
    /// The path as given.
    let manifestPath: String
    let set: PinSet
    let setPath: String
    /// The path of the set if pinctl add changes it; otherwise nil.
    let editableSetPath: String?
    /// The number of copies with each path.
    private let countsByPath: [PathKey: Int]
    /// Complete warning lines. They are written to standard error before any other output.
    let warnings: [String]

    /// - Throws: ``CommandError`` if the manifest or the set cannot be read.
    init(_ values: Values, _ console: Console) throws(CommandError) {
        guard values[SyncCommand.check] || values[SyncCommand.write] else {
            throw CommandError(
                "sync needs \"--check\" or \"--write\"",
                hint: "use --check to report differences, or --write to update the copies")
        }
        mode = values[SyncCommand.check] ? .check : .write
        manifestPath = values[SyncCommand.manifest]
        let bytes = try InputFile.bytes(at: manifestPath, console)
        do throws(SyncManifestError) {
            manifest = try SyncManifest(json: bytes)
        } catch {
            throw CommandError(
                "\(Self.location(error.position, in: manifestPath)): \(error.message)", hint: error.hint)
        }
        setPath = Self.resolved(manifest.set, beside: manifestPath)
        // The manifest names this file, so a pipe is an error.
        let reading =
            InputFile.isFolder(setPath)
            ? try PinSetSource.read(setPath, console)
            : try PinSetSource.read(try InputFile.bytes(at: setPath), from: setPath)
        set = reading.set
        editableSetPath = reading.format == .pins ? setPath : nil
        guard !set.entries.isEmpty else { throw CommandError("the set \(setPath.quoted) has no hosts") }
        let path = manifestPath
        countsByPath = Dictionary(
            manifest.copies.map { (PathKey(Self.resolved($0.file, beside: path)), 1) }, uniquingKeysWith: +)
        if manifest.copies.contains(where: { $0.signingKey != nil }) { console.protectSecrets() }
        let name = setPath
        warnings =
            Self.warnings(on: manifest, at: manifestPath)
            + reading.warnings.map { Message.warning("\(name): \($0.sentence)") }
        try checkFiles()
    }

    /// Checks that each copy has its own file, which is no input.
    private func checkFiles() throws(CommandError) {
        let setFile = FileEntry(setPath)
        let manifestFile = FileEntry(manifestPath)
        let certificateFolders = registerInputs()
        var files: [FileEntry: [SyncManifest.Copy]] = [:]
        for copy in manifest.copies {
            let location = Self.location(copy.position, in: manifestPath)
            let path = Self.resolved(copy.file, beside: manifestPath)
            let file = FileEntry(path)
            if file == setFile {
                throw CommandError(
                    "\(location): \(copy.file.quoted) is the set itself", hint: "use another file for the copy")
            }
            if file == manifestFile {
                throw CommandError(
                    "\(location): \(copy.file.quoted) is the manifest itself", hint: "use another file for the copy")
            }
            let isInFolder =
                AnchorFiles.isCertificateFile((try? FilePath.target(of: path)) ?? path)
                && file.isInFolder(of: certificateFolders)
            guard !isInFolder, !FileUse.isInput(fileAt: path) else {
                throw CommandError(
                    "\(location): \(copy.file.quoted) is also an input: a file of the set, of \"certificates\", of \"sign\" or of the environment",
                    hint: "use another file for the copy")
            }
            if let other = files[file, default: []].first(where: { !$0.sharesFile(with: copy) }) {
                throw CommandError(
                    "\(location): \(copy.file.quoted) is the same file as \(other.file.quoted)",
                    hint:
                        "list the file once; only \(FormatTraits.mergingNames(conjunction: "and")) can be in one file,"
                        + " each with \"format\" and without \"overwrite\"")
            }
            files[file, default: []].append(copy)
            if let missing = set.subset(copy.hosts).missing {
                throw CommandError("\(location): the set has no entry for \(missing.nameExcerpt.quoted)")
            }
        }
    }

    /// Registers the files that the copies need, before the first copy is written.
    ///
    /// - Returns: the folders of certificates.
    private func registerInputs() -> Set<FileIdentity> {
        var folders: Set<FileIdentity> = []
        for name in manifest.copies.flatMap({ $0.certificates + [$0.signingKey].compactMap { $0 } }) {
            let path = path(name)
            guard InputFile.isFolder(path) else {
                FileUse.reads(fileAt: path)
                continue
            }
            for file in (try? AnchorFiles.files(inFolder: path)) ?? [] { FileUse.reads(fileAt: file) }
            if let folder = FileIdentity(ofFolder: path) { folders.insert(folder) }
        }
        return folders
    }

    /// All files that a companion file must not replace.
    var ownFiles: Set<FileEntry> {
        Set(([setPath, manifestPath] + manifest.copies.map { path($0.file) }).map { FileEntry($0) })
    }

    private static func warnings(on manifest: SyncManifest, at path: String) -> [String] {
        manifest.unknownKeys.map { member in
            Message.warning(
                "\(location(member.position, in: path)): unknown key \(member.key.quoted)",
                hint: "use \(SyncManifest.keys.joined(separator: ", "))")
        }
    }

    /// Whether the manifest lists the file of a copy more than once, with different formats.
    func isListedTwice(_ path: String) -> Bool { (countsByPath[PathKey(path)] ?? 0) > 1 }

    /// Resolves a path of the manifest, which is relative to its folder.
    func path(_ relative: String) -> String { Self.resolved(relative, beside: manifestPath) }

    private static func resolved(_ relative: String, beside manifest: String) -> String {
        guard !relative.begins(with: "/"), manifest != "-" else { return relative }
        return FilePath.folderPrefix(of: manifest) + relative
    }

    private static func location(_ position: SourcePosition, in path: String) -> String {
        "\(InputFile.plainName(of: path)):\(position.line):\(position.column)"
    }
}

extension SyncManifest.Copy {
    /// Whether two copies can be in one file: each changes only its own pins.
    fileprivate func sharesFile(with other: Self) -> Bool {
        guard let format, let otherFormat = other.format, format != otherFormat else { return false }
        return [self, other].allSatisfy { !$0.overwrites && $0.format?.traits.mergesIntoFiles ?? false }
    }
}
