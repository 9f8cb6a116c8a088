internal import Arguments
internal import Encodings
internal import Pinning

/// The system's trust store at OpenSSL's default locations (SSL_CTX_set_default_verify_paths(3)): a bundle and a folder, which
/// `SSL_CERT_FILE` and `SSL_CERT_DIR` replace.
enum SystemTrust {
    /// - Returns: The store, and warnings about environment variables that name unreadable paths.
    static func source(_ environment: Environment) -> (TrustSource, warnings: [String]) {
        let file = environment["SSL_CERT_FILE"]
        // An empty name is no folder, as for OpenSSL (add_cert_dir in crypto/x509/by_dir.c).
        let folders = environment["SSL_CERT_DIR"]?.split(separator: ":").joined(separator: ":")
        var warnings: [String] = []
        if let file, !file.isEmpty, !InputFile.isReadable(at: file) {
            warnings.append("SSL_CERT_FILE is \(file.quoted), which cannot be read")
        }
        if let folders, !folders.isEmpty,
            !folders.split(separator: ":").contains(where: { InputFile.isReadable(at: String($0)) })
        {
            warnings.append("SSL_CERT_DIR is \(folders.quoted), which cannot be read")
        }
        let bundle = bytes(at: file ?? DefaultTrustStore.file)
        let directories = [folders ?? DefaultTrustStore.folders].filter { !$0.isEmpty }
        let source = TrustSource(
            hashedDirectories: directories, bundleHasTrustSettings: bundle.has("BEGIN TRUSTED CERTIFICATE")
        ) { TrustAnchors(anchors: AnchorFiles.readable(in: bundle)) }
        return (source, warnings)
    }

    /// The contents of the bundle; empty if it cannot be read.
    private static func bytes(at path: String) -> [UInt8] {
        guard InputFile.isReadable(at: path), let bytes = try? InputFile.bytes(at: path) else { return [] }
        return bytes
    }
}
