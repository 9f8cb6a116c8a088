internal import Arguments
internal import CommandSupport
internal import Encodings
internal import FileConflicts
internal import PinSetCodec
internal import Pinning

/// The destination of a converted set.
enum ConvertDestination {
    case console
    case file(OutputFile)
    /// The path ends with a slash.
    case folder(String, FolderSnapshot)

    /// The destination, with the state of its files before the inputs are read: standard input may end hours later.
    ///
    /// - Throws: ``CommandError`` if pinctl finds in advance that the file cannot be written.
    init(_ values: Values) throws(CommandError) {
        guard let path = Self.path(in: values) else {
            self = .console
            return
        }
        guard path.ends(with: "/") || InputFile.isFolder(path) else {
            self = .file(try OutputFile(path))
            return
        }
        self = .folder(path.ends(with: "/") ? path : path + "/", FolderSnapshot(of: path, suffix: ""))
    }

    /// The path of the option; nil for standard output.
    private static func path(in values: Values) -> String? {
        values[ConvertCommand.output].flatMap { $0 == "-" ? nil : $0 }
    }

    /// The folder of the written file. The text on standard output, or in a device, is a file of the current folder.
    static func folder(in values: Values) -> String {
        guard let path = path(in: values), !path.begins(with: "/dev/") else { return "." }
        return path.ends(with: "/") || InputFile.isFolder(path) ? path : FilePath.parent(of: path)
    }

    /// The message that lists the written files; nil for standard output.
    func message(on files: [PinSetWriting.File]) -> String? {
        switch self {
        case .console: nil
        case .file(let output): Message.wrote(output.path)
        case .folder(let folder, _): Message.wrote(folder, files: files.count)
        }
    }

    /// The certificates in the folder that an app reads besides the files of the set.
    func unpinnedCertificates(
        besides files: [PinSetWriting.File], of set: PinSet, as format: PinSetFormat
    ) throws(CommandError) -> UnpinnedCertificates? {
        guard case .folder(let folder, _) = self else { return nil }
        let found = try UnpinnedCertificates(inFolder: folder, besides: files, of: set, as: format)
        return found.isEmpty ? nil : found
    }

    /// Writes all files or none. The main file gets its name last, so that the files that belong to it exist before it does.
    ///
    /// - Throws: ``CommandError`` also if there are several files and the destination is not a folder.
    func write(_ files: [PinSetWriting.File], as format: PinSetFormat, to console: Console) throws(CommandError) {
        switch self {
        case .console, .file:
            guard let file = files.first, files.count == 1 else {
                throw CommandError(
                    "\(format.rawValue) writes \(files.count) files: expected a folder",
                    hint: "use --output FOLDER/")
            }
            if case .file(let output) = self { try output.write(file.bytes) } else { console.write(file.bytes) }
        case .folder(let folder, let snapshot):
            var output = OutputFolder(folder, since: snapshot)
            try output.write(
                (files.filter { $0.name != nil } + files.filter { $0.name == nil })
                    .map { ($0.name ?? format.fileName, $0.bytes) })
        }
    }
}
