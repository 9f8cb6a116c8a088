internal import COpenSSL

/// The default locations of trust anchors in this build of OpenSSL.
package struct DefaultTrustPaths: Sendable {
    /// A PEM bundle.
    package let file: String
    /// A directory of certificates named by the hashes of their subjects, or several directories separated by colons.
    package let folder: String

    package static var current: DefaultTrustPaths {
        DefaultTrustPaths(
            file: unsafe String(cString: X509_get_default_cert_file()),
            folder: unsafe String(cString: X509_get_default_cert_dir())
        )
    }
}
