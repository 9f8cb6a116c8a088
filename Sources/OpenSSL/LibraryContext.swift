internal import COpenSSL
internal import Synchronization

/// An OpenSSL library context (OSSL_LIB_CTX(3)) that all OpenSSL calls of one thread use.
///
/// The context must be created, used and released on that thread, and must outlive all OpenSSL objects that were created there.
@safe
package struct LibraryContext: ~Copyable {
    private let pointer: OpaquePointer
    private let former: OpaquePointer?

    /// The lock is needed because reading the configuration changes global tables.
    private static let lock = Mutex(())

    /// Nil if memory allocation fails.
    package init?() {
        OpenSSLError.clear()
        guard let pointer = unsafe OSSL_LIB_CTX_new() else { return nil }
        unsafe self.pointer = unsafe pointer
        // The system's OpenSSL configuration applies to every context.
        Self.lock.withLock { _ in
            guard let file = unsafe CONF_get1_default_config_file() else { return }
            unsafe OSSL_LIB_CTX_load_config(pointer, file)
            unsafe pinctl_OPENSSL_free(file)
        }
        OpenSSLError.clear()
        unsafe former = unsafe OSSL_LIB_CTX_set0_default(pointer)
    }

    deinit {
        unsafe OSSL_LIB_CTX_set0_default(former)
        unsafe OSSL_LIB_CTX_free(pointer)
    }
}
