/// Why a PKCS#7 or PKCS#12 file cannot be read.
package enum ContainerError: Error, Hashable, Sendable {
    /// It is not the structure that it should be.
    case malformed(OpenSSLError)
    /// This many bytes follow it.
    case trailingBytes(Int)
}
