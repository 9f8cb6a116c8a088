internal import Encodings
package import Pinning

/// Reads trust anchors from files and folders.
package enum AnchorFiles {
    private static let noun = "trust anchor"

    /// Reads all certificates of a PEM bundle or DER file, or of all such files in a folder.
    ///
    /// - Throws: ``CommandError`` if a certificate cannot be read, or if more certificates have one subject than a validation uses. If
    ///   a certificate were skipped, the only sign would be a chain that does not validate.
    package static func anchors(at path: String, _ console: Console? = nil) throws(CommandError) -> [TrustAnchor] {
        let found = try allAnchors(at: path, console)
        try checkSubjects(of: found, at: path)
        return found
    }

    /// - Throws: ``CommandError`` if more different certificates have one subject than a validation uses.
    static func checkSubjects(of anchors: [TrustAnchor], at path: String) throws(CommandError) {
        let maximum = TrustAnchors.maximumOfOneSubject
        guard anchors.count > maximum, TrustAnchors(anchors: anchors).exceedsMaximumOfOneSubject else { return }
        throw CommandError(
            "\(path.quoted) contains more than \(maximum) trust anchors with one subject",
            hint: "remove the certificates that no chain needs")
    }

    private static func allAnchors(at path: String, _ console: Console?) throws(CommandError) -> [TrustAnchor] {
        guard InputFile.isFolder(path) else { return try CertificateFile.anchors(at: path, each: noun, console) }
        var found: [TrustAnchor] = []
        var known: Set<TrustAnchor> = []
        for file in try files(inFolder: path) {
            for anchor in try CertificateFile.anchors(at: file, each: noun, nil)
            where known.insert(anchor).inserted {
                found.append(anchor)
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

    /// The files in a folder whose certificates are read.
    package static func files(inFolder path: String) throws(CommandError) -> [String] {
        try InputFile.names(inFolder: path, where: isCertificateFile)
            .map { path.ends(with: "/") ? path + $0 : "\(path)/\($0)" }
            .filter { !InputFile.isFolder($0) }
    }

    /// Whether a file in a folder of certificates is read, by its name.
    package static func isCertificateFile(_ name: String) -> Bool {
        [".der", ".cer", ".crt", ".pem"].contains { name.lowercased().ends(with: $0) }
    }

    /// Reads the same certificates as ``anchors(at:_:)``, without their trust settings.
    package static func certificates(at path: String, _ console: Console? = nil) throws(CommandError) -> [Certificate] {
        try allAnchors(at: path, console).map(\.certificate)
    }
}
