internal import Encodings

/// The reason why a ``CredentialStorage`` cannot read or write its file. It contains no secret.
public enum CredentialStorageError: Error, Hashable, Sendable {
    /// The file, or a folder above it, cannot be opened, read or written; the path and the system's error number.
    case system(path: String, code: Int32)
    /// The path names something that is not a regular file, such as a folder, a pipe or a symbolic link.
    case notRegular(path: String)
    /// Other users can read or write the file, or it belongs to another user; its permissions.
    case notPrivate(path: String, mode: UInt32)
    /// The file is larger than a storage can be.
    case tooLarge(path: String)
    /// A line is malformed; its number, from 1.
    case malformed(line: Int)
}

extension CredentialStorageError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .system(let path, let code): "\(path.quotedExcerpt): \(PrivateFile.text(ofError: code))"
        case .notRegular(let path): "\(path.quotedExcerpt) is not a regular file"
        case .notPrivate(let path, let mode):
            "\(path.quotedExcerpt) has the permissions \(String(mode, radix: 8)): expected 600 and the owner to be this user"
        case .tooLarge(let path): "\(path.quotedExcerpt) is larger than \(PrivateFile.maximumSize >> 20) MiB"
        case .malformed(let line): "line \(line) of the stored credentials is malformed"
        }
    }
}
