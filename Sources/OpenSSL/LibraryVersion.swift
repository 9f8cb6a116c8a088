internal import COpenSSL

/// The versions of OpenSSL that a program was built with and that it runs with, such as "3.0.19". They differ after an update of
/// the system's library.
package enum LibraryVersion {
    package static var built: String { OPENSSL_FULL_VERSION_STR }

    package static var running: String {
        guard let text = unsafe OpenSSL_version(OPENSSL_FULL_VERSION_STRING) else { return "" }
        return unsafe String(cString: text)
    }
}
