internal import COpenSSL

/// Password-based decryption.
package enum PasswordEncryption {
    /// Decrypts a PKCS#8 `EncryptedPrivateKeyInfo` (RFC 5958, section 3).
    ///
    /// - Parameter budget: the work that is left for the file with the key.
    /// - Returns: the decrypted bytes. The format has no integrity check: a wrong password usually throws `wrongPassword`, and
    ///   rarely returns bytes that are not a key.
    package static func openPKCS8(
        _ der: [UInt8], password: [UInt8], budget: inout KeyDerivationBudget
    ) throws(DecryptionError) -> [UInt8] {
        OpenSSLError.clear()
        let (encrypted, _) = unsafe der.decoded { unsafe d2i_X509_SIG(nil, &$0, $1) }
        guard let encrypted = unsafe encrypted else { throw .malformed(OpenSSLError.drain()) }
        defer { unsafe X509_SIG_free(encrypted) }
        let initial = budget
        return try LegacyContext.retrying { () throws(DecryptionError) in
            budget = initial
            return try unsafe open(encrypted, password: password, budget: &budget)
        }
    }

    /// Decrypts the body of a PEM block with a `DEK-Info` header (RFC 1421, section 4.6.1.3).
    ///
    /// The key is derived with one iteration of MD5. Only the padding shows whether the result is correct.
    ///
    /// - Parameter info: the value of the header, such as `AES-128-CBC,` and the initialization vector in hexadecimal.
    package static func openPEM(_ bytes: [UInt8], info: String, password: [UInt8]) throws(DecryptionError) -> [UInt8] {
        try LegacyContext.retrying { () throws(DecryptionError) in
            OpenSSLError.clear()
            var cipher = unsafe EVP_CIPHER_INFO()
            var header = Array("Proc-Type: 4,ENCRYPTED\nDEK-Info: \(info)\n".utf8CString)
            guard unsafe PEM_get_EVP_CIPHER_INFO(&header, &cipher) == 1, unsafe cipher.cipher != nil else {
                throw .unsupported(OpenSSLError.drain())
            }
            var output = bytes
            var count = output.count
            // If there is no callback, the last argument is the password itself, terminated by NUL.
            var password = password + [0]
            guard unsafe PEM_do_header(&cipher, &output, &count, nil, &password) == 1,
                output.indices.contains(count - 1)
            else {
                let error = OpenSSLError.drain()
                throw error.isUnsupported ? .unsupported(error) : .wrongPassword
            }
            return Array(output[..<count])
        }
    }

    /// Decrypts a decoded `EncryptedPrivateKeyInfo`.
    static func open(
        _ encrypted: OpaquePointer, password: [UInt8]?, budget: inout KeyDerivationBudget
    ) throws(DecryptionError) -> [UInt8] {
        OpenSSLError.clear()
        var algorithm: UnsafePointer<X509_ALGOR>?
        var contents: UnsafePointer<ASN1_OCTET_STRING>?
        unsafe X509_SIG_get0(encrypted, &algorithm, &contents)
        guard let algorithm = unsafe algorithm, let contents = unsafe contents else {
            throw .malformed(OpenSSLError.drain())
        }
        try unsafe budget.spend(on: algorithm)
        let plain = unsafe withPassword(password) { text, length in
            unsafe [UInt8](encodedBy: { output in
                var count: Int32 = 0
                let result = unsafe PKCS12_pbe_crypt(
                    algorithm, text, length, ASN1_STRING_get0_data(contents), ASN1_STRING_length(contents),
                    &output, &count, 0
                )
                return unsafe result == nil ? -1 : count
            })
        }
        guard let plain else {
            let error = OpenSSLError.drain()
            throw error.isUnsupported ? .unsupported(error) : .wrongPassword
        }
        return plain
    }

    /// Calls `body` with a password as a C string. PKCS#12 distinguishes no password (nil) from the empty password.
    static func withPassword<Value>(_ password: [UInt8]?, _ body: (UnsafePointer<CChar>?, Int32) -> Value) -> Value {
        guard let password, let count = Int32(exactly: password.count) else { return body(nil, 0) }
        var text = password.map { CChar(bitPattern: $0) }
        text.append(0)
        defer { unsafe text.withUnsafeMutableBytes { unsafe OPENSSL_cleanse($0.baseAddress, $0.count) } }
        return unsafe text.withUnsafeBufferPointer { unsafe body($0.baseAddress, count) }
    }
}
