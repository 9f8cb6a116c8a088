internal import CSystem
internal import Encodings
public import Pinning

/// A folder with the certificates of in-house CAs.
public enum AuthorityFolder {
    /// The reason why the anchors of a folder cannot be read.
    public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// The folder or a file cannot be read; the path and the system's error number.
        case system(path: String, code: Int32)
        /// The folder has no file with a certificate.
        case empty(path: String)
        /// A file contains no readable certificate.
        case file(path: String, TrustAnchorsError)

        public var description: String {
            switch self {
            case .system(let path, let code): "\(path.quotedExcerpt): \(PrivateFile.text(ofError: code))"
            case .empty(let path): "\(path.quotedExcerpt) contains no file that ends with .der, .cer, .crt or .pem"
            case .file(let path, let error): "\(path.quotedExcerpt): \(error)"
            }
        }
    }

    private static let extensions = [".der", ".cer", ".crt", ".pem"]
    /// Maximum size of a file in bytes.
    private static let maximumSize = 16 << 20

    /// Reads all certificates of a folder. A file that cannot be read is an error, because a missing CA would only show as a chain
    /// that does not validate.
    public static func anchors(in folder: String) throws(Failure) -> TrustAnchors {
        var certificates: [Certificate] = []
        let names = try names(in: folder)
        guard !names.isEmpty else { throw .empty(path: folder) }
        var anchors: [TrustAnchor] = []
        for name in names.sorted() {
            let path = folder.ends(with: "/") ? folder + name : "\(folder)/\(name)"
            let bytes = try contents(of: path)
            do throws(TrustAnchorsError) {
                for anchor in try TrustAnchors(file: bytes).anchors where !certificates.contains(anchor.certificate) {
                    certificates.append(anchor.certificate)
                    anchors.append(anchor)
                }
            } catch {
                throw .file(path: path, error)
            }
        }
        return TrustAnchors(anchors: anchors)
    }

    private static func names(in path: String) throws(Failure) -> [String] {
        guard let folder = unsafe opendir(path) else { throw .system(path: path, code: pinctl_errno()) }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            guard let entryName = unsafe pinctl_entry_name(entry) else { continue }
            let name = unsafe String(cString: entryName)
            guard extensions.contains(where: { name.lowercased().ends(with: $0) }) else { continue }
            // A string with replaced bytes would be the name of another file.
            guard unsafe String(validatingCString: entryName) != nil else {
                throw .system(path: "\(path)/\(name)", code: EILSEQ)
            }
            names.append(name)
        }
        return names
    }

    package static func contents(of path: String) throws(Failure) -> [UInt8] {
        let descriptor = unsafe pinctl_open_without_waiting(path)
        guard descriptor >= 0 else { throw .system(path: path, code: pinctl_errno()) }
        defer { close(descriptor) }
        var contents: [UInt8] = []
        while contents.count <= maximumSize {
            var code: Int32 = 0
            let chunk = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
                let result = unsafe CSystem.read(descriptor, buffer.baseAddress, buffer.count)
                if result < 0 { code = pinctl_errno() }
                count = max(0, result)
            }
            if code == EINTR { continue }
            guard code == 0 else { throw .system(path: path, code: code) }
            if chunk.isEmpty { return contents }
            contents += chunk
        }
        throw .system(path: path, code: EFBIG)
    }
}
