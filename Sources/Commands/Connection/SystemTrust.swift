internal import Arguments
internal import Pinning

/// The system's trust store, where OpenSSL looks for it (SSL_CTX_set_default_verify_paths(3)): a bundle and a folder,
/// each of which the environment can put elsewhere.
enum SystemTrust {
    /// - Returns: the store, and warnings about what the environment names in vain.
    static func source(_ environment: Environment) -> (TrustSource, warnings: [String]) {
        let file = environment["SSL_CERT_FILE"]
        let folders = environment["SSL_CERT_DIR"]
        var warnings: [String] = []
        if let file, !InputFile.isReadable(at: file) {
            warnings.append("SSL_CERT_FILE names \(file.quoted), which cannot be read")
        }
        if let folders, !folders.split(separator: ":").contains(where: { InputFile.isReadable(at: String($0)) }) {
            warnings.append("SSL_CERT_DIR names \(folders.quoted), which cannot be read")
        }
        let bundle = file ?? DefaultTrustStore.file
        let source = TrustSource(hashedDirectories: [folders ?? DefaultTrustStore.folders]) {
            guard InputFile.isReadable(at: bundle), let bytes = try? InputFile.bytes(at: bundle) else { return nil }
            return TrustAnchors(AnchorFiles.readable(in: bytes))
        }
        return (source, warnings)
    }
}
