internal import Arguments
internal import Encodings
internal import Pinning

/// Reads trust anchors from files and folders.
enum AnchorFiles {
    private static let noun = "trust anchor"

    /// Reads all certificates of a PEM bundle or DER file, or of all such files in a folder.
    ///
    /// - Throws: ``CommandError`` if a certificate cannot be read. A skipped trust anchor would show only as a chain that does
    ///   not validate.
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
                "the folder \(path.quoted) contains no certificate files",
                hint: "use file names that end in .der, .cer, .crt or .pem"
            )
        }
        return found
    }

    /// Reads the certificates of a system bundle and skips those that cannot be read.
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
