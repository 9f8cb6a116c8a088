internal import COpenSSL

/// The default locations of trust anchors in this build of OpenSSL.
package struct DefaultTrustPaths: Sendable {
    /// Path of a PEM bundle.
    package let file: String
    /// Path of a folder of certificates whose file names are the hashes of their subjects, or of several folders, separated by
    /// colons.
    package let folder: String

    package static var current: DefaultTrustPaths {
        DefaultTrustPaths(
            file: unsafe String(cString: X509_get_default_cert_file()),
            folder: unsafe String(cString: X509_get_default_cert_dir())
        )
    }
}
