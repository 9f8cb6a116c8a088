internal import COpenSSL

/// One decoded certificate: an `X509`.
@safe
struct CertificateHandle: ~Copyable {
    let pointer: OpaquePointer

    /// Decodes DER. It ignores trailing bytes, so callers must check for them.
    init(der: [UInt8]) throws(OpenSSLError) {
        OpenSSLError.clear()
        let decoded = unsafe der.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return unsafe d2i_X509(nil, &next, bytes.count)
        }
        guard let decoded = unsafe decoded else { throw OpenSSLError.drain() }
        unsafe pointer = unsafe decoded
    }

    /// Decodes DER, and the trust settings that may follow it (openssl-x509(1), `-trustout`).
    init(derWithTrustSettings bytes: [UInt8]) throws(OpenSSLError) {
        OpenSSLError.clear()
        let (decoded, _) = unsafe bytes.decoded { unsafe d2i_X509_AUX(nil, &$0, $1) }
        guard let decoded = unsafe decoded else { throw OpenSSLError.drain() }
        unsafe pointer = unsafe decoded
    }

    /// - Parameter certificate: a certificate that another object owns.
    init?(retaining certificate: OpaquePointer) {
        guard unsafe X509_up_ref(certificate) == 1 else { return nil }
        unsafe pointer = unsafe certificate
    }

    deinit { unsafe X509_free(pointer) }

    /// The DER of a certificate owned by another object. OpenSSL keeps the original bytes.
    static func der(of certificate: OpaquePointer) -> [UInt8] {
        let count = Int(unsafe i2d_X509(certificate, nil))
        guard count > 0 else { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { output, written in
            var next = output.baseAddress
            written = max(0, Int(unsafe i2d_X509(certificate, &next)))
        }
    }
}
