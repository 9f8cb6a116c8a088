internal import COpenSSL

/// A library context of its own with the "legacy" provider in it: RC2, single DES, PBKDF1 and their like, which OpenSSL 3
/// no longer has by default (OSSL_PROVIDER-legacy(7)) and which older PKCS#12 files and keys are encrypted with.
@safe struct LegacyContext: ~Copyable {
    private let context: OpaquePointer
    private let legacy: OpaquePointer
    private let standard: OpaquePointer

    /// Nil if this machine's OpenSSL comes without that provider.
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

    /// Runs `body` with this context in place of the thread's own. Nothing that OpenSSL made inside may outlive it.
    func run<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        let previous = unsafe OSSL_LIB_CTX_set0_default(context)
        defer { unsafe OSSL_LIB_CTX_set0_default(previous) }
        return try body()
    }

    /// Runs `body`, and runs it once more with legacy algorithms if it found one unsupported. They are loaded only then.
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
