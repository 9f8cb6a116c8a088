internal import Encodings
internal import FileConflicts
package import Pinning
internal import StagedFiles
internal import Synchronization

/// The system's trust store at OpenSSL's default locations (SSL_CTX_set_default_verify_paths(3)). It has a bundle and a folder.
/// `SSL_CERT_FILE` and `SSL_CERT_DIR` select others.
package enum SystemTrust {
    /// The store with warnings about environment variables that name paths without certificates.
    ///
    /// - Throws: ``CommandError`` if the bundle has trust settings that cannot be read.
    package static func checkedSource(
        _ environment: Environment
    ) throws(CommandError) -> (TrustSource, warnings: [String]) {
        let source = source(environment)
        if source.bundleHasTrustSettings() { try requireReadableTrustSettings(inBundle: bundle(environment)) }
        return (source, warnings(environment))
    }

    private static func requireReadableTrustSettings(inBundle path: String) throws(CommandError) {
        guard let bytes = try? InputFile.bytes(at: path, for: .certificatesOrSecrets) else { return }
        let anchors: [TrustAnchor]
        do throws(TrustAnchorsError) {
            anchors = try TrustAnchors.readable(in: bytes)
        } catch {
            throw CommandError(
                "cannot read a certificate with trust settings in \(path.quoted): \(error)",
                hint: "correct or remove this certificate: its settings may reject it, and the store may have a copy "
                    + "without settings")
        }
        try AnchorFiles.checkSubjects(of: anchors, at: path)
    }

    private static func bundle(_ environment: Environment) -> String {
        environment["SSL_CERT_FILE"] ?? DefaultTrustStore.file
    }

    private static func warnings(_ environment: Environment) -> [String] {
        let file = environment["SSL_CERT_FILE"]
        let folders = folders(environment)
        var warnings: [String] = []
        if let file, !file.isEmpty, !InputFile.isReadable(at: file) {
            warnings.append("SSL_CERT_FILE is \(file.quoted), which cannot be read")
        } else if let file, OutputFile.isSpecial(file) {
            warnings.append("SSL_CERT_FILE is \(file.quoted), which is not a regular file and is ignored")
        } else if let file, !file.isEmpty, isTooLarge(file) {
            let limit = InputFile.maximumSize >> 20
            warnings.append("SSL_CERT_FILE is \(file.quoted), which is larger than \(limit) MiB and is ignored")
        } else if let file, !file.isEmpty, hasNoCertificate(file) {
            warnings.append("SSL_CERT_FILE is \(file.quoted), which contains no certificate in PEM")
        }
        if let folders, !folders.isEmpty,
            !folders.parts(separatedBy: ":").contains(where: { InputFile.isReadable(at: String($0)) })
        {
            warnings.append("SSL_CERT_DIR is \(folders.quoted), which cannot be read")
        }
        return warnings
    }

    /// OpenSSL ignores empty names of folders too (add_cert_dir in crypto/x509/by_dir.c).
    private static func folders(_ environment: Environment) -> String? {
        environment["SSL_CERT_DIR"]?.parts(separatedBy: ":").filter { !$0.isEmpty }.joined(separator: ":")
    }

    /// The store, without a check that it has certificates.
    package static func source(_ environment: Environment) -> TrustSource {
        let bundle = bundle(environment)
        let directories = [folders(environment) ?? DefaultTrustStore.folders].filter { !$0.isEmpty }
        // Workers read these files later, on threads that do not belong to the command.
        FileUse.reads(fileAt: bundle)
        for list in directories {
            for folder in list.parts(separatedBy: ":") where !folder.isEmpty { FileUse.reads(folder: String(folder)) }
        }
        let scan = TrustSettingsScan(bundle)
        // The system's own folder and bundle contain the same certificates (update-ca-certificates(8)).
        let isSelected = environment["SSL_CERT_FILE"] != nil || environment["SSL_CERT_DIR"] != nil
        return TrustSource(
            hashedDirectories: directories,
            bundle: {
                guard InputFile.isReadable(at: bundle),
                    let bytes = try? InputFile.bytes(at: bundle, for: .certificatesOrSecrets)
                else { return nil }
                return (try? TrustAnchors.readable(in: bytes)).map { TrustAnchors(anchors: $0) }
            }, bundleHasTrustSettings: { scan.result }, prefersBundle: isSelected)
    }

    private static func isTooLarge(_ path: String) -> Bool {
        ((try? FileState(at: path).size) ?? 0) > InputFile.maximumSize
    }

    /// Whether a small file or a folder contains no certificate in PEM. A large file is not read: the workers read it later.
    private static func hasNoCertificate(_ path: String) -> Bool {
        guard let size = try? FileState(at: path).size, size <= 1 << 16 else { return false }
        return !InputFile.contains("CERTIFICATE-----", at: path)
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
