internal import COpenSSL
internal import Synchronization

/// An OpenSSL library context (OSSL_LIB_CTX(3)) for one thread alone: whatever that thread asks of OpenSSL uses it.
///
/// It is made, used and given up on that thread, and outlives whatever was made with it there.
@safe
package struct LibraryContext: ~Copyable {
    private let pointer: OpaquePointer
    private let former: OpaquePointer?

    /// Reading the configuration changes tables that are not the context's own.
    private static let lock = Mutex(())

    /// Nil where there is no memory for it.
    package init?() {
        OpenSSLError.clear()
        guard let pointer = unsafe OSSL_LIB_CTX_new() else { return nil }
        unsafe self.pointer = unsafe pointer
        // What the system's configuration says holds for every thread.
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
