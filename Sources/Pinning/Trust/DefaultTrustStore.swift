internal import OpenSSL

/// Where the system keeps its trust anchors.
package enum DefaultTrustStore {
    /// A bundle in PEM.
    package static var file: String { DefaultTrustPaths.current.file }
    /// Folders of certificates named by their subjects' hashes, with colons between.
    package static var folders: String { DefaultTrustPaths.current.folder }
}
