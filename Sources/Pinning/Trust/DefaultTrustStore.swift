internal import OpenSSL

/// The locations of the system's trust anchors.
package enum DefaultTrustStore {
    /// Path of a PEM bundle.
    package static var file: String { DefaultTrustPaths.current.file }
    /// Paths of folders of certificates whose file names are subject hashes, separated by colons.
    package static var folders: String { DefaultTrustPaths.current.folder }
}
