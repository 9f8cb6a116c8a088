internal import COpenSSL

/// Memory in which OpenSSL stores the secret numbers of new keys. It is locked, lies between guard pages, is not part of a core
/// dump, and is overwritten when it is freed (OPENSSL_secure_malloc(3)).
enum SecureHeap {
    /// Size in bytes. Generating an RSA key of 4096 bits needs about 20 KiB.
    private static let size = 1 << 18
    private static let minimumBlock = 32

    private static let isEnabled: Bool =
        CRYPTO_secure_malloc_initialized() == 1 || CRYPTO_secure_malloc_init(size, minimumBlock) != 0

    /// Enables the secure heap. If the system does not allow one, OpenSSL uses ordinary memory.
    static func enable() { _ = isEnabled }
}
