/// Why something encrypted under a password did not open.
package enum DecryptionError: Error, Hashable, Sendable {
    /// It is encrypted, and no password was given.
    case needsPassword
    /// The password is not the right one. Where the format has no check of its own, damage looks the same.
    case wrongPassword
    /// The file asks for so many rounds of key derivation that trying a password would take minutes.
    case tooCostly
    /// It is encrypted in a way that this OpenSSL does not know.
    case unsupported(OpenSSLError)
    /// It is not the structure that it should be.
    case malformed(OpenSSLError)
}
