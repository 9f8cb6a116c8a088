internal import COpenSSL

/// The errors from OpenSSL's error queue of this thread.
///
/// The queue belongs to the thread. Callers clear it before a call and drain it after the call, without an `await` between them
/// (ERR_get_error(3)).
package struct OpenSSLError: Error, Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        /// The OpenSSL sublibrary, such as `ERR_LIB_SSL`.
        package let library: Int32
        /// The reason code, such as `SSL_R_…` or `X509_R_…`.
        package let reason: Int32
        /// OpenSSL's text for the reason, in lower case: "wrong version number".
        package let text: String
    }

    /// The errors, earliest first. Later errors are usually consequences of the first one.
    package let entries: [Entry]

    /// The text of the first error, or a statement that OpenSSL gave no reason.
    package var text: String { entries.first?.text ?? "no reason given" }

    package func contains(library: Int32, reason: Int32) -> Bool {
        entries.contains { $0.library == library && $0.reason == reason }
    }

    /// Whether no loaded provider implements a required algorithm.
    package var isUnsupported: Bool {
        entries.contains { $0.reason == Self.unsupportedReason || $0.reason == EVP_R_UNSUPPORTED_ALGORITHM }
    }

    // This is ERR_R_UNSUPPORTED, which Swift cannot import: 268 with the flag for reasons that all libraries share.
    private static let unsupportedReason: Int32 = 268 | 2 << 18

    /// Empties this thread's queue, so that the next ``drain()`` returns the errors of the next call only.
    package static func clear() {
        _ = isPrepared
        ERR_clear_error()
    }

    private static let isPrepared: Void = pinctl_OPENSSL_init_without_error_texts()

    /// Removes and returns all errors from this thread's queue.
    package static func drain() -> OpenSSLError {
        var entries: [Entry] = []
        while case let code = ERR_get_error(), code != 0 {
            entries.append(
                Entry(
                    library: pinctl_ERR_GET_LIB(code),
                    reason: pinctl_ERR_GET_REASON(code),
                    text: text(of: code) ?? "OpenSSL error \(String(code, radix: 16, uppercase: true))"
                )
            )
        }
        return OpenSSLError(entries: entries)
    }

    private static func text(of code: UInt) -> String? {
        if let words = unsafe ERR_reason_error_string(code) { return unsafe String(cString: words) }
        _ = textsAreLoaded
        if let text = unsafe ERR_reason_error_string(code) { return unsafe String(cString: text) }
        guard pinctl_ERR_GET_LIB(code) == ERR_LIB_PROV else { return nil }
        return ProviderErrorText.text(forReason: pinctl_ERR_GET_REASON(code))
    }

    /// Loads OpenSSL's error texts once, when they are first needed. ``ClientContext`` initializes OpenSSL without them.
    private static let textsAreLoaded: Void = pinctl_ERR_load_texts()
}
