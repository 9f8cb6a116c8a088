internal import COpenSSL

/// A PKCS#7 message in DER or BER, as in `.p7b` and `.p7c` files: a `PKCS7`.
@safe package struct PKCS7Message: ~Copyable {
    private let message: UnsafeMutablePointer<PKCS7>

    init(takingOwnership message: UnsafeMutablePointer<PKCS7>) {
        unsafe self.message = message
    }

    deinit {
        unsafe PKCS7_free(message)
    }

    /// Decodes a message. Trailing bytes are an error.
    package init(_ bytes: [UInt8]) throws(ContainerError) {
        OpenSSLError.clear()
        let (message, read) = unsafe bytes.decoded { unsafe d2i_PKCS7(nil, &$0, $1) }
        guard let message = unsafe message else { throw .malformed(OpenSSLError.drain()) }
        guard read == bytes.count else {
            unsafe PKCS7_free(message)
            throw .trailingBytes(bytes.count - read)
        }
        unsafe self.init(takingOwnership: message)
    }

    /// The certificates in DER, in message order; empty for message types without certificates.
    package func certificates() -> [[UInt8]] {
        let stack: OpaquePointer?
        switch unsafe OBJ_obj2nid(message.pointee.type) {
        case NID_pkcs7_signed: unsafe stack = message.pointee.d.sign?.pointee.cert
        case NID_pkcs7_signedAndEnveloped: unsafe stack = message.pointee.d.signed_and_enveloped?.pointee.cert
        default: return []
        }
        guard let stack = unsafe stack else { return [] }
        var certificates: [[UInt8]] = []
        for index in unsafe 0..<max(0, OPENSSL_sk_num(stack)) {
            let certificate = unsafe OpaquePointer(OPENSSL_sk_value(stack, index))
            guard let der = unsafe [UInt8](encodedBy: { unsafe i2d_X509(certificate, &$0) }) else { continue }
            certificates.append(der)
        }
        return certificates
    }
}
