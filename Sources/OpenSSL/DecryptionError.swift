/// The reason why password-based decryption failed.
package enum DecryptionError: Error, Hashable, Sendable {
    /// The data is encrypted, and no password was given.
    case needsPassword
    /// The password is wrong. In formats without an integrity check, damaged data has the same effect.
    case wrongPassword
    /// The file requires a number of key derivation iterations that would take minutes.
    case tooCostly
    /// This OpenSSL does not support the encryption algorithm.
    case unsupported(OpenSSLError)
    /// The data does not have the expected structure.
    case malformed(OpenSSLError)
}
