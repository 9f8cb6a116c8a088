internal import COpenSSL

/// A separate library context with the "legacy" provider (OSSL_PROVIDER-legacy(7)): RC2, single DES, PBKDF1 and other
/// algorithms that older PKCS#12 files and keys use and that OpenSSL 3 does not load by default.
@safe struct LegacyContext: ~Copyable {
    private let context: OpaquePointer
    private let legacy: OpaquePointer
    private let standard: OpaquePointer

    /// Nil if the legacy provider is not installed.
    init?() {
        guard let context = unsafe OSSL_LIB_CTX_new() else { return nil }
        guard let legacy = unsafe OSSL_PROVIDER_load(context, "legacy") else {
            unsafe OSSL_LIB_CTX_free(context)
            return nil
        }
        guard let standard = unsafe OSSL_PROVIDER_load(context, "default") else {
            unsafe OSSL_PROVIDER_unload(legacy)
            unsafe OSSL_LIB_CTX_free(context)
            return nil
        }
        unsafe self.context = context
        unsafe self.legacy = legacy
        unsafe self.standard = standard
    }

    deinit {
        unsafe OSSL_PROVIDER_unload(legacy)
        unsafe OSSL_PROVIDER_unload(standard)
        unsafe OSSL_LIB_CTX_free(context)
    }

    /// Runs `body` with this context as the thread's default. OpenSSL objects that `body` creates must not outlive the context.
    func run<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        let previous = unsafe OSSL_LIB_CTX_set0_default(context)
        defer { unsafe OSSL_LIB_CTX_set0_default(previous) }
        return try body()
    }

    /// Runs `body`. If it throws `unsupported`, loads the legacy provider and runs `body` again.
    static func retrying<Value>(
        _ body: () throws(DecryptionError) -> Value
    ) throws(DecryptionError) -> Value {
        do throws(DecryptionError) {
            return try body()
        } catch {
            guard case .unsupported = error, let legacy = LegacyContext() else { throw error }
            return try legacy.run(body)
        }
    }
}
