internal import COpenSSL

/// ECDSA signatures with SHA-256 (FIPS 186-5), in DER (RFC 3279, section 2.2.3).
package enum Signature {
    /// Signs with a private key in DER: PKCS#8 or `ECPrivateKey` (RFC 5915). Each call returns a different valid signature.
    package static func make(of message: [UInt8], privateKey der: [UInt8]) throws(OpenSSLError) -> [UInt8] {
        OpenSSLError.clear()
        let (key, _) = unsafe der.decoded { unsafe d2i_AutoPrivateKey(nil, &$0, $1) }
        guard let key = unsafe key else { throw OpenSSLError.drain() }
        defer { unsafe EVP_PKEY_free(key) }
        guard let context = unsafe EVP_MD_CTX_new() else { throw OpenSSLError.drain() }
        defer { unsafe EVP_MD_CTX_free(context) }
        var length = 0
        guard unsafe EVP_PKEY_get_base_id(key) == EVP_PKEY_EC,
            unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
            unsafe EVP_DigestSign(context, nil, &length, message, message.count) == 1
        else { throw OpenSSLError.drain() }
        var signature = [UInt8](repeating: 0, count: length)
        guard unsafe EVP_DigestSign(context, &signature, &length, message, message.count) == 1,
            length <= signature.count
        else { throw OpenSSLError.drain() }
        return Array(signature[..<length])
    }

    /// Whether the private key that belongs to a `SubjectPublicKeyInfo` signed `message`; false for a malformed signature.
    ///
    /// - Throws: if the key cannot be decoded or is not an elliptic-curve key.
    package static func isValid(
        _ signature: [UInt8], of message: [UInt8], subjectPublicKeyInfo der: [UInt8]
    ) throws(OpenSSLError) -> Bool {
        OpenSSLError.clear()
        let (key, _) = unsafe der.decoded { unsafe d2i_PUBKEY(nil, &$0, $1) }
        guard let key = unsafe key else { throw OpenSSLError.drain() }
        defer { unsafe EVP_PKEY_free(key) }
        guard let context = unsafe EVP_MD_CTX_new() else { throw OpenSSLError.drain() }
        defer { unsafe EVP_MD_CTX_free(context) }
        guard unsafe EVP_PKEY_get_base_id(key) == EVP_PKEY_EC,
            unsafe EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1
        else { throw OpenSSLError.drain() }
        let isValid = unsafe EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        OpenSSLError.clear()
        return isValid
    }
}
