internal import COpenSSL

/// A private key: an `EVP_PKEY`. OpenSSL wipes its memory when it is freed.
@safe package struct PrivateKey: ~Copyable {
    let key: OpaquePointer

    /// Key structures that predate PKCS#8.
    package enum TraditionalForm: Sendable {
        /// `RSAPrivateKey` (RFC 8017, appendix A.1.2).
        case rsa
        /// `ECPrivateKey` (RFC 5915).
        case ec
        /// OpenSSL's `DSAPrivateKey`: a sequence of six integers.
        case dsa
    }

    init(takingOwnership key: OpaquePointer) {
        unsafe self.key = key
    }

    deinit {
        unsafe EVP_PKEY_free(key)
    }

    /// Decodes a PKCS#8 `PrivateKeyInfo` (RFC 5208, section 5).
    package init(pkcs8 der: [UInt8]) throws(OpenSSLError) {
        OpenSSLError.clear()
        let (info, _) = unsafe der.decoded { unsafe d2i_PKCS8_PRIV_KEY_INFO(nil, &$0, $1) }
        guard let info = unsafe info else { throw OpenSSLError.drain() }
        defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
        guard let key = unsafe EVP_PKCS82PKEY(info) else { throw OpenSSLError.drain() }
        unsafe self.init(takingOwnership: key)
    }

    /// Decodes a key in a traditional structure.
    package init(traditional der: [UInt8], _ form: TraditionalForm) throws(OpenSSLError) {
        OpenSSLError.clear()
        let type =
            switch form {
            case .rsa: EVP_PKEY_RSA
            case .ec: EVP_PKEY_EC
            case .dsa: EVP_PKEY_DSA
            }
        let (key, _) = unsafe der.decoded { unsafe d2i_PrivateKey(type, nil, &$0, $1) }
        guard let key = unsafe key else { throw OpenSSLError.drain() }
        unsafe self.init(takingOwnership: key)
    }

    /// The `SubjectPublicKeyInfo` of the public key, as in a certificate.
    package func subjectPublicKeyInfo() throws(OpenSSLError) -> [UInt8] {
        OpenSSLError.clear()
        let key = unsafe self.key
        guard let der = unsafe [UInt8](encodedBy: { unsafe i2d_PUBKEY(key, &$0) }) else { throw OpenSSLError.drain() }
        return der
    }
}
