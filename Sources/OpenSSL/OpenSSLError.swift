internal import COpenSSL

/// What OpenSSL put on this thread's error queue, copied out.
///
/// The queue belongs to the thread: clear it before a call and drain it right after, never across an `await`
/// (ERR_get_error(3)).
package struct OpenSSLError: Error, Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        /// The part of OpenSSL that failed: `ERR_LIB_SSL` and so on.
        package let library: Int32
        /// What went wrong there: `SSL_R_…`, `X509_R_…`.
        package let reason: Int32
        /// OpenSSL's own words for it, lower case: "wrong version number".
        package let text: String
    }

    /// The earliest error first: the others are mostly its echo.
    package let entries: [Entry]

    /// The first error's words, or a plain admission that there were none.
    package var text: String { entries.first?.text ?? "no reason given" }

    package func contains(library: Int32, reason: Int32) -> Bool {
        entries.contains { $0.library == library && $0.reason == reason }
    }

    /// Whether an algorithm was not to be had from the providers that are loaded.
    package var isUnsupported: Bool {
        entries.contains { $0.reason == Self.unsupportedReason || $0.reason == EVP_R_UNSUPPORTED_ALGORITHM }
    }

    // ERR_R_UNSUPPORTED, which Swift does not import: 268 with the flag of reasons that all libraries share.
    private static let unsupportedReason: Int32 = 268 | 2 << 18

    /// Empties this thread's queue, so that what is drained after the next call is that call's own.
    package static func clear() { ERR_clear_error() }

    /// Takes everything from this thread's queue.
    package static func drain() -> OpenSSLError {
        var entries: [Entry] = []
        while case let code = ERR_get_error(), code != 0 {
            entries.append(
                Entry(
                    library: pinctl_ERR_GET_LIB(code),
                    reason: pinctl_ERR_GET_REASON(code),
                    text: text(of: code) ?? "error \(String(code, radix: 16))"
                )
            )
        }
        return OpenSSLError(entries: entries)
    }

    private static func text(of code: UInt) -> String? {
        if let words = unsafe ERR_reason_error_string(code) { return unsafe String(cString: words) }
        _ = textsAreLoaded
        return unsafe ERR_reason_error_string(code).map { unsafe String(cString: $0) }
    }

    /// ``ClientContext`` starts OpenSSL without its texts; the first error that has none loads them.
    private static let textsAreLoaded: Void = pinctl_ERR_load_texts()
}
