/// The encoding of a private key. Each thread decodes it for its own library context.
package struct PrivateKeyBytes: Sendable {
    /// Nil for a PKCS#8 `PrivateKeyInfo` (RFC 5208, section 5).
    private let form: PrivateKey.TraditionalForm?
    private let bytes: SecretBytes

    package init(_ der: [UInt8], _ form: PrivateKey.TraditionalForm?) {
        self.form = form
        bytes = SecretBytes(der)
    }

    /// Decodes the key into locked memory, where the system allows it.
    func decoded() throws(OpenSSLError) -> PrivateKey {
        SecureHeap.enable()
        return try bytes.withBytes { der throws(OpenSSLError) in
            if let form { try PrivateKey(traditional: der, form) } else { try PrivateKey(pkcs8: der) }
        }
    }
}
