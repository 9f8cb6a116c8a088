internal import COpenSSL

/// The direct decoding of EC and RSA public keys in OpenSSL 3.0 and 3.1, which makes a handshake about a third cheaper.
///
/// It changes a table of the whole process, which a library must not do: only the command-line tool enables it.
package enum DirectKeyDecoding {
    /// Enables direct decoding, unless the configuration of OpenSSL selects a provider or an engine. Call it once, before the process
    /// starts threads.
    ///
    /// - Returns: false if this version of OpenSSL does not need it or cannot do it, or if the configuration forbids it.
    package static func enable() -> Bool {
        OpenSSLError.clear()
        defer { OpenSSLError.clear() }
        return pinctl_decode_keys_directly() == 1
    }
}
