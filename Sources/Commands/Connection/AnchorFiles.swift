internal import Arguments
internal import Pinning

/// Trust anchors in files and folders, as `--anchors` names them.
enum AnchorFiles {
    private static let noun = "trust anchor"

    /// Reads every certificate of a PEM bundle or a DER file, or of every such file in a folder.
    ///
    /// - Throws: ``CommandError`` for what cannot be read whole: a trust anchor that was left out in silence would show
    ///   only as a chain that does not validate.
    static func certificates(at path: String, _ console: Console) throws(CommandError) -> [Certificate] {
        guard InputFile.isFolder(path) else { return try CertificateFile.certificates(at: path, each: noun, console) }
        let names = try InputFile.names(inFolder: path).filter { name in
            [".der", ".cer", ".crt", ".pem"].contains { name.lowercased().hasSuffix($0) }
        }
        var found: [Certificate] = []
        var known: Set<Certificate> = []
        for name in names {
            let file = path.hasSuffix("/") ? path + name : "\(path)/\(name)"
            guard !InputFile.isFolder(file) else { continue }
            for certificate in try CertificateFile.certificates(at: file, each: noun, console)
            where known.insert(certificate).inserted {
                found.append(certificate)
            }
        }
        guard !found.isEmpty else {
            throw CommandError(
                "the folder \(path.quoted) holds no certificates",
                hint: "anchors are read from files whose names end in .der, .cer, .crt or .pem"
            )
        }
        return found
    }

    /// The same from a bundle of the system's, where one bad certificate takes nothing from the others.
    static func readable(in bytes: [UInt8]) -> [Certificate] {
        var found: [Certificate] = []
        for case .success(let block) in PEM.blocks(in: bytes) {
            if let der = block.certificateBytes, let certificate = try? Certificate(der: der) {
                found.append(certificate)
            }
        }
        return found
    }
}
