internal import CommandSupport
internal import Encodings
internal import FileConflicts
internal import PinSetCodec
internal import PinSetFormats
internal import Pinning
internal import StagedFiles

/// The certificate files in the folder of a written set that this run does not write, with keys that the set does not pin. An app that
/// reads each file of the folder also accepts these keys, for example those of retired pins.
struct UnpinnedCertificates {
    private let paths: [String]

    var isEmpty: Bool { paths.isEmpty }

    /// - Parameters:
    ///   - folder: the path of the folder, with a slash at its end. It may not exist yet.
    ///   - files: the files that this run writes.
    ///   - set: the pins of the files.
    init(
        inFolder folder: String, besides files: [PinSetWriting.File], of set: PinSet, as format: PinSetFormat
    ) throws(CommandError) {
        guard format == .certificates, let suffix = format.traits.fileExtension, InputFile.isFolder(folder) else {
            paths = []
            return
        }
        let written = Set(files.map { PathKey($0.name ?? format.fileName) })
        let pins = Set(set.entries.flatMap(\.pins).filter { $0.state != .retired }.map(\.pin))
        let names = try InputFile.names(inFolder: folder) { $0.lowercased().ends(with: suffix) }
        paths = names.filter { !written.contains(PathKey($0)) }.map { folder + $0 }.filter { path in
            guard (try? FileState(at: path))?.isRegular == true,
                let bytes = try? InputFile.bytes(at: path, for: .certificatesOrSecrets, isInput: false),
                let certificates = try? CertificateFilesFormat.certificates(in: bytes)
            else { return false }
            return certificates.contains { !pins.contains($0.pin) }
        }
    }

    /// Maximum number of files that the message names.
    private static let maximumNames = 5

    /// A sentence without its full stop.
    var message: String {
        var names = paths.prefix(Self.maximumNames).map(\.quoted)
        if paths.count > names.count { names.append("\(paths.count - names.count) more") }
        return "the app also reads certificates that the set does not pin: \(names.joined(conjunction: "and"))"
    }

    static let step = "remove the files if the app must not accept their keys, or add the pins to the set"
}
