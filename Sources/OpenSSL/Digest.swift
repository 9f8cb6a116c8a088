internal import COpenSSL

/// Message digests.
package enum Digest {
    /// A hash function that ``hash(_:with:)`` computes.
    package enum Algorithm: Sendable {
        /// RFC 1321; 16 bytes. Only for protocols that require it, such as the Digest scheme of HTTP.
        case md5
        /// FIPS 180-4; 20 bytes. Only for fingerprints that other tools show.
        case sha1
        /// FIPS 180-4; 32 bytes.
        case sha256
        /// FIPS 180-4, section 5.3.6.2: SHA-512 with other initial values, cut to 32 bytes.
        case sha512t256
    }

    /// SHA-256 of `bytes` (FIPS 180-4): 32 bytes.
    package static func sha256(_ bytes: some Collection<UInt8>) -> [UInt8] {
        if let digest = bytes.withContiguousStorageIfAvailable({ unsafe sha256(of: $0) }) { return digest }
        return unsafe Array(bytes).withUnsafeBufferPointer { unsafe sha256(of: $0) }
    }

    /// The hash of `bytes`; nil if OpenSSL does not provide the algorithm, as in a FIPS configuration without MD5.
    package static func hash(_ bytes: [UInt8], with algorithm: Algorithm) -> [UInt8]? {
        OpenSSLError.clear()
        defer { OpenSSLError.clear() }
        let type =
            switch algorithm {
            case .md5: unsafe EVP_md5()
            case .sha1: unsafe EVP_sha1()
            case .sha256: unsafe EVP_sha256()
            case .sha512t256: unsafe EVP_sha512_256()
            }
        var length: UInt32 = 0
        let digest = unsafe [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { output, count in
            let result = unsafe EVP_Digest(bytes, bytes.count, output.baseAddress, &length, type, nil)
            count = result == 1 ? Int(length) : 0
        }
        return digest.isEmpty ? nil : digest
    }

    private static func sha256(of input: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { output, count in
            unsafe SHA256(input.baseAddress, input.count, output.baseAddress)
            count = Int(SHA256_DIGEST_LENGTH)
        }
    }
}
