internal import COpenSSL

/// Memory in which OpenSSL keeps the secret numbers of new keys: locked, between guard pages, not part of a core dump, and overwritten
/// when it is freed (OPENSSL_secure_malloc(3)).
enum SecureHeap {
    /// In bytes. An RSA key of 4096 bits needs about 20 KiB during its generation.
    private static let size = 1 << 18
    private static let minimumBlock = 32

    private static let isEnabled: Bool =
        CRYPTO_secure_malloc_initialized() == 1 || CRYPTO_secure_malloc_init(size, minimumBlock) != 0

    /// Uses the secure heap from now on. Without it, as where the system allows none, OpenSSL uses ordinary memory.
    static func enable() { _ = isEnabled }
}
