internal import COpenSSL

/// Where this OpenSSL was built to look for trust anchors.
package struct DefaultTrustPaths: Sendable {
    /// A bundle in PEM.
    package let file: String
    /// A folder of certificates named by their subjects' hashes; on some systems several, with colons between.
    package let folder: String

    package static var current: DefaultTrustPaths {
        DefaultTrustPaths(
            file: unsafe String(cString: X509_get_default_cert_file()),
            folder: unsafe String(cString: X509_get_default_cert_dir())
        )
    }
}
