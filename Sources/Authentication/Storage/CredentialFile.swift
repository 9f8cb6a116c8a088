/// A file with secrets, as a ``CredentialStorage`` uses it.
public protocol CredentialFile: Sendable {
    /// The contents; nil if the file does not exist.
    func read() throws(CredentialStorageError) -> [UInt8]?

    /// Replaces the file completely or not at all. Only the user can read the new file.
    func replace(with bytes: [UInt8]) throws(CredentialStorageError)
}
