internal import Encodings
internal import FileConflicts
package import Pinning
internal import Synchronization

/// The system's trust store at OpenSSL's default locations (SSL_CTX_set_default_verify_paths(3)). It has a bundle and a folder.
/// `SSL_CERT_FILE` and `SSL_CERT_DIR` select others.
package enum SystemTrust {
    /// - Returns: The store, and warnings about environment variables that name unreadable paths.
    package static func source(_ environment: Environment) -> (TrustSource, warnings: [String]) {
        let file = environment["SSL_CERT_FILE"]
        // OpenSSL ignores empty names of folders too (add_cert_dir in crypto/x509/by_dir.c).
        let folders = environment["SSL_CERT_DIR"]?.split(separator: ":").joined(separator: ":")
        var warnings: [String] = []
        if let file, !file.isEmpty, !InputFile.isReadable(at: file) {
            warnings.append("SSL_CERT_FILE is \(file.quoted), which cannot be read")
        } else if let file, OutputFile.isSpecial(file) {
            warnings.append("SSL_CERT_FILE is \(file.quoted), which is not a regular file and is ignored")
        }
        if let folders, !folders.isEmpty,
            !folders.split(separator: ":").contains(where: { InputFile.isReadable(at: String($0)) })
        {
            warnings.append("SSL_CERT_DIR is \(folders.quoted), which cannot be read")
        }
        let bundle = file ?? DefaultTrustStore.file
        let directories = [folders ?? DefaultTrustStore.folders].filter { !$0.isEmpty }
        // Workers read these files later, on threads that do not belong to the command.
        FileUse.reads(fileAt: bundle)
        for list in directories { for folder in list.split(separator: ":") { FileUse.reads(folder: String(folder)) } }
        let scan = TrustSettingsScan(bundle)
        let source = TrustSource(hashedDirectories: directories) {
            guard InputFile.isReadable(at: bundle), let bytes = try? InputFile.bytes(at: bundle) else { return nil }
            return TrustAnchors(anchors: AnchorFiles.readable(in: bytes))
        } bundleHasTrustSettings: {
            scan.result
        }
        return (source, warnings)
    }
}

/// Searches a bundle for certificates with trust settings. All workers of a run share the result.
///
/// The search takes much less time than parsing the bundle, and few bundles contain such certificates.
private final class TrustSettingsScan: Sendable {
    private let path: String
    private let known = Mutex<Bool?>(nil)

    init(_ path: String) { self.path = path }

    var result: Bool {
        known.withLock { known in
            let result = known ?? InputFile.contains("BEGIN TRUSTED CERTIFICATE", at: path)
            known = result
            return result
        }
    }
}
