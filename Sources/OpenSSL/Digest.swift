internal import COpenSSL

/// Message digests.
package enum Digest {
    /// SHA-256 of `bytes` (FIPS 180-4): 32 bytes.
    package static func sha256(_ bytes: some Collection<UInt8>) -> [UInt8] {
        if let digest = bytes.withContiguousStorageIfAvailable({ unsafe sha256(of: $0) }) { return digest }
        return unsafe Array(bytes).withUnsafeBufferPointer { unsafe sha256(of: $0) }
    }

    private static func sha256(of input: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { output, count in
            unsafe SHA256(input.baseAddress, input.count, output.baseAddress)
            count = Int(SHA256_DIGEST_LENGTH)
        }
    }
}
