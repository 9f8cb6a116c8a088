internal import Arguments
internal import Pinning

/// A manifest, the set that it names, and what to do with the copies.
struct SyncPlan {
    enum Mode: String {
        case check, write
    }

    let mode: Mode
    let manifest: SyncManifest
    /// As it was given.
    let manifestPath: String
    let set: PinSet
    let setPath: String
    /// What is to be told before anything is done.
    let warnings: [String]

    /// - Throws: where the manifest or the set cannot be read.
    init(_ values: Values, _ console: Console) throws(CommandError) {
        guard values[SyncCommand.check] || values[SyncCommand.write] else {
            throw CommandError(
                "sync needs \"--check\" or \"--write\"",
                hint: "--check tells what differs, and --write brings the copies into line")
        }
        mode = values[SyncCommand.check] ? .check : .write
        manifestPath = values[SyncCommand.manifest]
        let bytes = try InputFile.bytes(at: manifestPath, console)
        do throws(SyncManifestError) {
            manifest = try SyncManifest(json: bytes)
        } catch {
            throw CommandError(
                "\(Self.place(error.position, in: manifestPath)): \(error.message)", hint: error.hint)
        }
        setPath = Self.resolved(manifest.set, beside: manifestPath)
        let reading = try PinSetSource.read(setPath, console)
        set = reading.set
        guard !set.entries.isEmpty else { throw CommandError("the set \(setPath.quoted) has no hosts") }
        let setFile = Self.file(at: setPath)
        var files: [String: [SyncManifest.Copy]] = [:]
        for copy in manifest.copies {
            let place = Self.place(copy.position, in: manifestPath)
            let file = Self.file(at: Self.resolved(copy.file, beside: manifestPath))
            if file == setFile {
                throw CommandError(
                    "\(place): \(copy.file.quoted) is the set itself", hint: "a copy is another file")
            }
            let others = files[file, default: []].filter { $0.file != copy.file }
            if let other = others.first(where: { $0.format == copy.format || $0.format == nil || copy.format == nil }) {
                throw CommandError(
                    "\(place): \(copy.file.quoted) is the same file as \(other.file.quoted)",
                    hint: "a file is one copy, or one of each of two formats, which \"format\" tells")
            }
            files[file, default: []].append(copy)
            if let missing = set.subset(copy.hosts).missing {
                throw CommandError("\(place): the set has no entry for \(missing.quoted)")
            }
        }
        let name = setPath
        warnings =
            Self.warnings(on: manifest, at: manifestPath)
            + reading.losses.map { Message.warning("\(name): \($0.sentence)") }
    }

    private static func warnings(on manifest: SyncManifest, at path: String) -> [String] {
        manifest.unknownKeys.map { member in
            Message.warning(
                "\(place(member.position, in: path)): the key \(member.key.quoted) means nothing here",
                hint: "known are \(SyncManifest.keys.joined(separator: ", "))")
        }
    }

    /// Where a path of the manifest leads.
    func path(_ relative: String) -> String { Self.resolved(relative, beside: manifestPath) }

    private static func resolved(_ relative: String, beside manifest: String) -> String {
        guard !relative.hasPrefix("/"), manifest != "-", let slash = manifest.lastIndex(of: "/") else {
            return relative
        }
        return manifest[...slash] + relative
    }

    /// The file that a path leads to, however that is written and through whatever links.
    private static func file(at path: String) -> String {
        if let resolved = OutputFile.resolved(path) { return resolved }
        // One that is still to be made, in a folder that is there.
        let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
        return (OutputFile.resolved(OutputFile.parent(of: path)) ?? "") + "/" + name
    }

    private static func place(_ position: JSONPosition, in path: String) -> String {
        "\(InputFile.place(of: path)):\(position.line):\(position.column)"
    }
}
