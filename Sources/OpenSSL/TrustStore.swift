internal import COpenSSL
internal import Synchronization

/// A set of trust anchors: an `X509_STORE`.
///
/// A new store is empty. Callers add only the anchors that a chain needs, because parsing a whole system bundle takes longer than a
/// handshake.
@safe
package struct TrustStore: ~Copyable {
    let pointer: OpaquePointer

    package init() throws(OpenSSLError) {
        OpenSSLError.clear()
        guard let pointer = unsafe X509_STORE_new() else { throw OpenSSLError.drain() }
        unsafe self.pointer = unsafe pointer
    }

    deinit { unsafe pinctl_X509_STORE_free(pointer) }

    /// The lock is needed because the first call creates the method of all stores.
    private static let lock = Mutex(())

    /// Adds a folder of certificates whose file names are subject hashes (openssl-rehash(1)). OpenSSL reads an issuer from it when
    /// a chain needs the issuer. If a file for the issuer is not a regular file, or larger than 16 MiB, the issuer is not found.
    package borrowing func addHashedDirectory(_ path: String) throws(OpenSSLError) {
        OpenSSLError.clear()
        let isAdded = Self.lock.withLock { _ in
            guard let method = unsafe pinctl_X509_LOOKUP_folder(),
                unsafe pinctl_X509_STORE_set_folders(pointer, path) == 1
            else { return false }
            let lookup = unsafe X509_STORE_add_lookup(pointer, method)
            return unsafe lookup != nil && pinctl_X509_LOOKUP_add_dir(lookup, path) == 1
        }
        guard isAdded else { throw OpenSSLError.drain() }
    }

    /// Adds one certificate. If the store already contains the certificate, its first settings remain.
    package borrowing func add(_ certificate: TrustedCertificate) throws(OpenSSLError) {
        OpenSSLError.clear()
        guard unsafe X509_STORE_add_cert(pointer, certificate.handle.pointer) == 1 else { throw OpenSSLError.drain() }
    }

    /// Adds one certificate without trust settings.
    ///
    /// - Throws: if OpenSSL cannot decode the certificate or its key.
    package borrowing func add(_ der: [UInt8]) throws(OpenSSLError) { try add(TrustedCertificate(der)) }

    /// The certificates with a subject, from those that were added and, if it has no such certificate, from the directories.
    ///
    /// The store keeps those of the directories, so the order of several calls can matter.
    ///
    /// - Parameter name: a Name in DER.
    package borrowing func certificates(named name: some Collection<UInt8>) -> [TrustedCertificate] {
        OpenSSLError.clear()
        defer { OpenSSLError.clear() }
        let (decoded, _) = unsafe Array(name).decoded { unsafe d2i_X509_NAME(nil, &$0, $1) }
        guard let decoded = unsafe decoded else { return [] }
        defer { unsafe X509_NAME_free(decoded) }
        guard let context = unsafe X509_STORE_CTX_new() else { return [] }
        defer { unsafe X509_STORE_CTX_free(context) }
        guard unsafe X509_STORE_CTX_init(context, pointer, nil, nil) == 1,
            let found = unsafe X509_STORE_CTX_get1_certs(context, decoded)
        else { return [] }
        defer { unsafe pinctl_sk_X509_free_all(found) }
        return unsafe (0..<max(0, pinctl_sk_X509_num(found))).compactMap { index in
            unsafe pinctl_sk_X509_value(found, index).flatMap { unsafe TrustedCertificate(retaining: $0) }
        }
    }
}
