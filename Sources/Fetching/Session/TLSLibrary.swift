internal import OpenSSL

/// The TLS library of this process.
package enum TLSLibrary {
    /// The version that pinctl was built with, such as "3.0.19".
    package static var builtVersion: String { LibraryVersion.built }
    package static var runningVersion: String { LibraryVersion.running }

    /// Enables direct decoding of public keys for the whole process. Only a command-line tool may do that, before it starts threads.
    ///
    /// - Returns: false if the library or its configuration does not allow it.
    package static func enableDirectKeyDecoding() -> Bool { DirectKeyDecoding.enable() }
}
