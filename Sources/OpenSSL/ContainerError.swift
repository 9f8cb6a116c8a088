/// The reason why a PKCS#7 or PKCS#12 file cannot be decoded.
package enum ContainerError: Error, Hashable, Sendable {
    /// The file does not have the expected structure.
    case malformed(OpenSSLError)
    /// This many bytes follow the structure.
    case trailingBytes(Int)
}
