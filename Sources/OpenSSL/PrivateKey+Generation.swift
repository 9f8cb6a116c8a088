internal import COpenSSL

extension PrivateKey {
    /// The algorithm of a new key.
    package enum Algorithm: Hashable, Sendable {
        /// ECDSA on a named curve, such as "P-256" or "P-384".
        case ec(curve: String)
        case rsa(bits: Int32)
        case ed25519
    }

    /// Generates a new key with OpenSSL's random number generator.
    package static func generate(_ algorithm: Algorithm) throws(OpenSSLError) -> PrivateKey {
        SecureHeap.enable()
        let name =
            switch algorithm {
            case .ec: "EC"
            case .rsa: "RSA"
            case .ed25519: "ED25519"
            }
        OpenSSLError.clear()
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, name, nil) else { throw OpenSSLError.drain() }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var isReady = unsafe EVP_PKEY_keygen_init(context) == 1
        switch algorithm {
        case .ec(let curve): isReady = unsafe isReady && EVP_PKEY_CTX_set_group_name(context, curve) == 1
        case .rsa(let bits): isReady = unsafe isReady && EVP_PKEY_CTX_set_rsa_keygen_bits(context, bits) == 1
        case .ed25519: break
        }
        var key: OpaquePointer?
        guard isReady, unsafe EVP_PKEY_generate(context, &key) == 1, let key = unsafe key else {
            throw OpenSSLError.drain()
        }
        return unsafe PrivateKey(takingOwnership: key)
    }

    /// The key as unencrypted PKCS#8 in PEM (RFC 7468, section 10).
    package borrowing func pem() throws(OpenSSLError) -> SecretBytes {
        OpenSSLError.clear()
        guard let info = unsafe EVP_PKEY2PKCS8(key) else { throw OpenSSLError.drain() }
        defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
        let output = try MemoryOutput()
        guard unsafe PEM_write_bio_PKCS8_PRIV_KEY_INFO(output.pointer, info) == 1 else { throw OpenSSLError.drain() }
        return SecretBytes(output.bytes)
    }

    /// The key as PKCS#8 in PEM (RFC 7468, section 11), encrypted with a password: PBES2 (RFC 8018, section 6.2) with
    /// PBKDF2 over HMAC-SHA-256 and AES-256 in CBC mode.
    package borrowing func pem(password: [UInt8]) throws(OpenSSLError) -> SecretBytes {
        OpenSSLError.clear()
        guard let info = unsafe EVP_PKEY2PKCS8(key) else { throw OpenSSLError.drain() }
        defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
        // The scheme -1 selects PBES2. If no salt is given, OpenSSL generates a random salt.
        let encrypted = unsafe PasswordEncryption.withPassword(password) { text, length in
            unsafe PKCS8_encrypt(-1, EVP_aes_256_cbc(), text, length, nil, Self.saltBytes, Self.rounds, info)
        }
        guard let encrypted = unsafe encrypted else { throw OpenSSLError.drain() }
        defer { unsafe X509_SIG_free(encrypted) }
        let output = try MemoryOutput()
        guard unsafe PEM_write_bio_PKCS8(output.pointer, encrypted) == 1 else { throw OpenSSLError.drain() }
        return SecretBytes(output.bytes)
    }

    /// Length of the salt in bytes: the minimum of NIST SP 800-132, section 5.1, 128 bits.
    private static let saltBytes: Int32 = 16

    /// The recommendation of OWASP's Password Storage Cheat Sheet (2023) for PBKDF2 with HMAC-SHA-256. scrypt would cost an
    /// attacker more, but OpenSSL's commands refuse to decrypt with the recommended memory size.
    private static let rounds: Int32 = 600_000
}
