internal import COpenSSL

/// The certificates that a chain may end in: an `X509_STORE`.
///
/// It starts empty and is filled with what the chains at hand need. Parsing a whole system bundle costs more than the
/// handshake that it is for.
@safe
package struct TrustStore: ~Copyable {
    let pointer: OpaquePointer

    package init() throws(OpenSSLError) {
        OpenSSLError.clear()
        guard let pointer = unsafe X509_STORE_new() else { throw OpenSSLError.drain() }
        unsafe self.pointer = unsafe pointer
    }

    deinit { unsafe X509_STORE_free(pointer) }

    /// Looks issuers up in a folder of certificates named by their subject's hash (openssl-rehash(1)), when a chain
    /// asks for them.
    package borrowing func addHashedDirectory(_ path: String) throws(OpenSSLError) {
        OpenSSLError.clear()
        let lookup = unsafe X509_STORE_add_lookup(pointer, X509_LOOKUP_hash_dir())
        guard unsafe lookup != nil, unsafe pinctl_X509_LOOKUP_add_dir(lookup, path) == 1 else {
            throw OpenSSLError.drain()
        }
    }

    /// Trusts one certificate. Adding it twice is no error.
    ///
    /// - Throws: what OpenSSL has against the bytes: it must decode the certificate's key, for example.
    package borrowing func add(_ der: [UInt8]) throws(OpenSSLError) {
        let certificate = try CertificateHandle(der: der)
        OpenSSLError.clear()
        guard unsafe X509_STORE_add_cert(pointer, certificate.pointer) == 1 else { throw OpenSSLError.drain() }
    }
}
