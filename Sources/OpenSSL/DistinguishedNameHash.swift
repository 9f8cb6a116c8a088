internal import COpenSSL

/// Names compared as OpenSSL compares them: case, repeated spaces and string types do not count.
package enum DistinguishedNameHash {
    /// A number that is the same for names that are the same in that sense (X509_NAME_hash_ex(3)); nil where the bytes
    /// are no name. Equal numbers say "maybe": the chain's own signatures decide.
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
