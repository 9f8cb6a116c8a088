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
    case folder(String)

    /// - Throws: ``CommandError`` if there are several files and the destination is not a folder.
    init(_ values: Values, _ files: [PinSetWriting.File], format: PinSetFormat) throws(CommandError) {
        let path = Self.path(in: values)
        if let path, path.ends(with: "/") || InputFile.isFolder(path) {
            self = .folder(path.ends(with: "/") ? path : path + "/")
            return
        }
        guard files.count == 1 else {
            throw CommandError(
                "\(format.rawValue) writes \(files.count) files: expected a folder",
                hint: "use --output FOLDER/")
        }
        self = if let path { .file(try OutputFile(path)) } else { .console }
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
        case .folder(let folder): Message.wrote(folder, files: files.count)
        }
    }

    /// Writes the main file last, so that the files that belong to it exist before it does.
    func write(_ files: [PinSetWriting.File], as format: PinSetFormat, to console: Console) throws(CommandError) {
        switch self {
        case .console:
            for file in files { console.write(file.bytes) }
        case .file(let output):
            for file in files { try output.write(file.bytes) }
        case .folder(let folder):
            var names = try OutputFolder(creating: folder)
            // All outputs are checked before the first one is written.
            var outputs: [(file: OutputFile, bytes: [UInt8])] = []
            for file in files.filter({ $0.name != nil }) + files.filter({ $0.name == nil }) {
                outputs.append((try names.file(named: file.name ?? format.fileName), file.bytes))
            }
            for output in outputs { try output.file.write(output.bytes) }
        }
    }
}
