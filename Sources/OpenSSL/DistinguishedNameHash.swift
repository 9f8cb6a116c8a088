internal import COpenSSL

/// Hashes distinguished names in the form in which OpenSSL compares them: case, repeated spaces and string types have no effect.
package enum DistinguishedNameHash {
    /// The hash of a name in DER (X509_NAME_hash_ex(3)); nil if the bytes are not a name. Different names may have the same
    /// hash.
    package static func canonical(_ der: some Collection<UInt8>) -> UInt32? {
        OpenSSLError.clear()
        defer { OpenSSLError.clear() }
        let bytes = Array(der)
        let name = unsafe bytes.withUnsafeBufferPointer { buffer in
            var next = buffer.baseAddress
            return unsafe d2i_X509_NAME(nil, &next, buffer.count)
        }
        guard let name = unsafe name else { return nil }
        defer { unsafe X509_NAME_free(name) }
        var isValid: Int32 = 0
        let hash = unsafe X509_NAME_hash_ex(name, nil, nil, &isValid)
        return isValid == 1 ? UInt32(truncatingIfNeeded: hash) : nil
    }
}
