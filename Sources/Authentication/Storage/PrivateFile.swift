internal import CSystem
internal import Encodings

/// A file that only its owner can read and write (mode 0600). It is replaced completely or not at all.
public struct PrivateFile: CredentialFile {
    public let path: String

    /// Maximum size in bytes.
    public static let maximumSize = 16 << 20

    public init(path: String) { self.path = path }

    /// - Throws: ``CredentialStorageError`` for a symbolic link or another file that is not regular, and for a file that other users can
    ///   read or write.
    public func read() throws(CredentialStorageError) -> [UInt8]? {
        var link = stat()
        if unsafe lstat(path, &link) == 0, link.st_mode & mode_t(S_IFMT) != mode_t(S_IFREG) {
            throw .notRegular(path: path)
        }
        let descriptor = unsafe pinctl_open_without_waiting(path)
        guard descriptor >= 0 else {
            if pinctl_errno() == ENOENT { return nil }
            throw failure
        }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw failure }
        guard status.st_mode & mode_t(S_IFMT) == mode_t(S_IFREG) else { throw .notRegular(path: path) }
        let permissions = UInt32(status.st_mode) & 0o777
        guard permissions & 0o077 == 0, status.st_uid == geteuid() else {
            throw .notPrivate(path: path, mode: permissions)
        }
        guard status.st_size <= Self.maximumSize else { throw .tooLarge(path: path) }
        return try contents(of: descriptor, Int(status.st_size))
    }

    public func replace(with bytes: [UInt8]) throws(CredentialStorageError) {
        var generator = SystemRandomNumberGenerator()
        let temporary = "\(path).\(String(UInt64.random(in: 0 ... .max, using: &generator), radix: 36))"
        let descriptor = unsafe pinctl_create(temporary, 0o600)
        guard descriptor >= 0 else { throw failure }
        do throws(CredentialStorageError) {
            defer { close(descriptor) }
            // The mode does not depend on the umask.
            guard fchmod(descriptor, 0o600) == 0 else { throw failure }
            try write(bytes, to: descriptor)
            guard fsync(descriptor) == 0 else { throw failure }
        } catch {
            unsafe unlink(temporary)
            throw error
        }
        guard unsafe rename(temporary, path) == 0 else {
            let error = failure
            unsafe unlink(temporary)
            throw error
        }
        // The new name survives a crash of the system only after this.
        let slash = path.unicodeScalars.lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let opened = unsafe pinctl_open_for_reading(folder)
        if opened >= 0 {
            _ = fsync(opened)
            close(opened)
        }
    }

    /// The system's text for an error number.
    static func text(ofError code: Int32) -> String { unsafe String(cString: strerror(code)) }

    private var failure: CredentialStorageError { .system(path: path, code: pinctl_errno()) }

    private func contents(of descriptor: Int32, _ size: Int) throws(CredentialStorageError) -> [UInt8] {
        var contents: [UInt8] = []
        contents.reserveCapacity(size)
        while contents.count <= size {
            var code: Int32 = 0
            let chunk = unsafe [UInt8](unsafeUninitializedCapacity: size + 1 - contents.count) { buffer, count in
                let result = unsafe CSystem.read(descriptor, buffer.baseAddress, buffer.count)
                if result < 0 { code = pinctl_errno() }
                count = max(0, result)
            }
            if code == EINTR { continue }
            guard code == 0 else { throw .system(path: path, code: code) }
            if chunk.isEmpty { break }
            contents += chunk
        }
        return contents
    }

    private func write(_ bytes: [UInt8], to descriptor: Int32) throws(CredentialStorageError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe CSystem.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, pinctl_errno() == EINTR { continue }
            guard count > 0 else { throw failure }
            rest = rest.dropFirst(count)
        }
    }
}
