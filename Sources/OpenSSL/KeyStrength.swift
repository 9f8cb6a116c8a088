internal import COpenSSL

/// The strength of public keys.
package enum KeyStrength {
    /// The strength of a key in bits of security (EVP_PKEY_get_security_bits(3)); nil if OpenSSL cannot read the key or does not know
    /// its strength.
    ///
    /// - Parameter der: a `SubjectPublicKeyInfo`, with tag and length.
    package static func securityBits(ofSubjectPublicKeyInfo der: [UInt8]) -> Int? {
        OpenSSLError.clear()
        defer { OpenSSLError.clear() }
        let (key, _) = unsafe der.decoded { unsafe d2i_PUBKEY(nil, &$0, $1) }
        guard let key = unsafe key else { return nil }
        defer { unsafe EVP_PKEY_free(key) }
        let bits = Int(unsafe EVP_PKEY_get_security_bits(key))
        return bits > 0 ? bits : nil
    }
}
