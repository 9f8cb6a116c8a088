/// A format with a signature for each fingerprint.
package protocol SignedCodec: PinSetCodec {
    /// Returns the fingerprints that have no valid signature.
    ///
    /// - Parameter key: the private key that signs the file, PEM or DER.
    /// - Throws: `PinSetFormatError` if the file or the key cannot be read.
    static func invalidSignatures(in bytes: [UInt8], key: [UInt8]) throws(PinSetFormatError) -> [InvalidSignature]
}

/// A fingerprint that has no signature, or one by another key.
package struct InvalidSignature: Hashable, Sendable {
    /// The name in the file.
    package let host: String
    /// The fingerprint as the file spells it.
    package let fingerprint: String
    /// Whether the fingerprint has a signature.
    package let isThere: Bool
    /// The line in the file, from 1.
    package let line: Int

    package init(host: String, fingerprint: String, isThere: Bool, line: Int) {
        (self.host, self.fingerprint, self.isThere, self.line) = (host, fingerprint, isThere, line)
    }
}
