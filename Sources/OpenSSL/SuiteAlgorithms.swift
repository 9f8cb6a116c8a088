internal import COpenSSL

/// The hash function and the AEAD cipher of a TLS 1.3 cipher suite (RFC 8446, appendix B.4), with memory that each call uses again. Only
/// one thread may use it.
@safe
package struct SuiteAlgorithms: ~Copyable {
    /// The length of a hash, in bytes.
    package let hashLength: Int
    /// The length of a key of the cipher, in bytes.
    package let keyLength: Int
    private let digest: OpaquePointer
    private let digestContext: OpaquePointer
    private let macContext: OpaquePointer
    private let cipher: OpaquePointer
    private let cipherContext: OpaquePointer

    /// The length of the authentication tag, in bytes (RFC 5116, section 5; RFC 8439).
    package static let tagLength = 16
    /// The length of a nonce, in bytes.
    package static let nonceLength = 12

    /// - Parameter suite: the number of the cipher suite.
    /// - Returns: nil for a suite other than 0x1301, 0x1302 and 0x1303, and if no provider has its algorithms.
    package init?(_ suite: UInt16) {
        let names: (digest: String, cipher: String)
        switch suite {
        case 0x1301: names = ("SHA256", "AES-128-GCM")
        case 0x1302: names = ("SHA384", "AES-256-GCM")
        case 0x1303: names = ("SHA256", "ChaCha20-Poly1305")
        default: return nil
        }
        OpenSSLError.clear()
        defer { OpenSSLError.clear() }
        let digest = unsafe EVP_MD_fetch(nil, names.digest, nil)
        let cipher = unsafe EVP_CIPHER_fetch(nil, names.cipher, nil)
        let digestContext = unsafe EVP_MD_CTX_new()
        let cipherContext = unsafe EVP_CIPHER_CTX_new()
        let macContext = unsafe pinctl_HMAC_new(names.digest)
        guard let digest = unsafe digest, let cipher = unsafe cipher, let digestContext = unsafe digestContext,
            let cipherContext = unsafe cipherContext, let macContext = unsafe macContext,
            unsafe EVP_CIPHER_get_iv_length(cipher) == Int32(Self.nonceLength)
        else {
            unsafe EVP_MD_free(digest)
            unsafe EVP_CIPHER_free(cipher)
            unsafe EVP_MD_CTX_free(digestContext)
            unsafe EVP_CIPHER_CTX_free(cipherContext)
            unsafe EVP_MAC_CTX_free(macContext)
            return nil
        }
        unsafe (self.digest, self.digestContext) = unsafe (digest, digestContext)
        unsafe self.macContext = unsafe macContext
        unsafe (self.cipher, self.cipherContext) = unsafe (cipher, cipherContext)
        hashLength = Int(unsafe EVP_MD_get_size(digest))
        keyLength = Int(unsafe EVP_CIPHER_get_key_length(cipher))
    }

    deinit {
        unsafe EVP_MD_free(digest)
        unsafe EVP_CIPHER_free(cipher)
        unsafe EVP_MD_CTX_free(digestContext)
        unsafe EVP_CIPHER_CTX_free(cipherContext)
        unsafe EVP_MAC_CTX_free(macContext)
    }

    /// The hash of a message; nil if OpenSSL fails.
    package borrowing func hash(_ message: [UInt8]) -> [UInt8]? {
        guard unsafe EVP_DigestInit_ex2(digestContext, digest, nil) == 1,
            unsafe EVP_DigestUpdate(digestContext, message, message.count) == 1
        else {
            OpenSSLError.clear()
            return nil
        }
        let hash = unsafe [UInt8](unsafeUninitializedCapacity: hashLength) { output, count in
            count = unsafe EVP_DigestFinal_ex(digestContext, output.baseAddress, nil) == 1 ? hashLength : 0
        }
        return hash.isEmpty ? nil : hash
    }

    /// HMAC with the hash function (RFC 2104); nil if OpenSSL fails.
    ///
    /// - Parameter key: at least one byte.
    package borrowing func hmac(key: [UInt8], _ message: [UInt8]) -> [UInt8]? {
        // OpenSSL would use the previous key.
        guard !key.isEmpty, unsafe EVP_MAC_init(macContext, key, key.count, nil) == 1 else {
            OpenSSLError.clear()
            return nil
        }
        return code(of: message)
    }

    /// HMAC of two messages with one key, which is prepared once.
    ///
    /// - Parameter key: at least one byte.
    package borrowing func hmacs(
        key: [UInt8], _ first: [UInt8], _ second: [UInt8]
    ) -> (first: [UInt8], second: [UInt8])? {
        guard let first = hmac(key: key, first) else { return nil }
        // Without a key, OpenSSL uses the previous one.
        guard unsafe EVP_MAC_init(macContext, nil, 0, nil) == 1 else {
            OpenSSLError.clear()
            return nil
        }
        return code(of: second).map { (first, $0) }
    }

    /// The code of a message with the key of the context.
    private borrowing func code(of message: [UInt8]) -> [UInt8]? {
        var length = 0
        let code = unsafe [UInt8](unsafeUninitializedCapacity: hashLength) { output, count in
            count = 0
            guard unsafe EVP_MAC_update(macContext, message, message.count) == 1,
                unsafe EVP_MAC_final(macContext, output.baseAddress, &length, hashLength) == 1
            else { return }
            count = length
        }
        guard code.count == hashLength else {
            OpenSSLError.clear()
            return nil
        }
        return code
    }

    /// Decrypts and authenticates; nil if the tag does not match.
    ///
    /// - Parameters:
    ///   - sealed: the ciphertext, then the tag.
    ///   - header: the additional authenticated data.
    package borrowing func open(
        _ sealed: ArraySlice<UInt8>, header: ArraySlice<UInt8>, key: [UInt8], nonce: [UInt8]
    ) -> [UInt8]? {
        let length = sealed.count - Self.tagLength
        guard length >= 0, key.count == keyLength, nonce.count == Self.nonceLength else { return nil }
        var isAuthentic = false
        let plaintext = unsafe [UInt8](unsafeUninitializedCapacity: length + 1) { output, count in
            count = 0
            unsafe sealed.withUnsafeBytes { input in
                var tag = unsafe [UInt8](input.suffix(Self.tagLength))
                var written: Int32 = 0
                guard unsafe EVP_DecryptInit_ex2(cipherContext, cipher, key, nonce, nil) == 1,
                    unsafe EVP_CIPHER_CTX_ctrl(cipherContext, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1,
                    unsafe header.withUnsafeBufferPointer({
                        unsafe EVP_DecryptUpdate(
                            cipherContext, nil, &written, $0.baseAddress, Int32(clamping: $0.count))
                    }) == 1,
                    unsafe EVP_DecryptUpdate(
                        cipherContext, output.baseAddress, &written,
                        input.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(clamping: length)) == 1,
                    let end = unsafe output.baseAddress.map({ unsafe $0 + Int(written) })
                else { return }
                var rest: Int32 = 0
                guard unsafe EVP_DecryptFinal_ex(cipherContext, end, &rest) == 1 else { return }
                isAuthentic = true
                count = length
            }
        }
        guard isAuthentic else {
            OpenSSLError.clear()
            return nil
        }
        return plaintext
    }
}

/// Random numbers.
package enum RandomBytes {
    /// Random bytes; nil if OpenSSL has no entropy.
    package static func make(_ count: Int) -> [UInt8]? {
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { output, written in
            written = unsafe RAND_bytes(output.baseAddress, Int32(clamping: count)) == 1 ? count : 0
        }
        return bytes.count == count ? bytes : nil
    }
}
