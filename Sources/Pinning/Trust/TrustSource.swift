/// The trust anchors of a validation: anchors that the user named, the system's anchors, or both.
package struct TrustSource: Sendable {
    /// Anchors that the user named. A chain may end in any of them, self-signed or not.
    package var anchors: TrustAnchors?
    /// The system's folders in the form that openssl-rehash(1) creates. OpenSSL reads only the files of the issuers that it needs.
    package var hashedDirectories: [String]
    /// Reads the system's bundle. It is called for the first chain that does not validate without the bundle, because reading a
    /// bundle takes longer than a handshake.
    package var bundle: (@Sendable () -> TrustAnchors?)?
    /// Returns whether the bundle contains trust settings. They also apply to copies of the certificates in the folders, because
    /// OpenSSL reads the bundle first (X509_STORE_set_default_paths(3)). The closure is called before the first chain is validated.
    package var bundleHasTrustSettings: @Sendable () -> Bool
    /// Whether the bundle and the folders can contain different CAs with one name. Then the bundle is read for the first chain, because
    /// OpenSSL looks for an anchor in the folders only if the bundle has none with its name.
    package var prefersBundle: Bool

    package init(
        anchors: TrustAnchors? = nil, hashedDirectories: [String] = [], bundle: (@Sendable () -> TrustAnchors?)? = nil,
        bundleHasTrustSettings: @escaping @Sendable () -> Bool = { false }, prefersBundle: Bool = false
    ) {
        (self.anchors, self.hashedDirectories, self.bundle) = (anchors, hashedDirectories, bundle)
        (self.bundleHasTrustSettings, self.prefersBundle) = (bundleHasTrustSettings, prefersBundle)
    }

    /// Whether the system's anchors are trusted.
    var hasSystemAnchors: Bool { !hashedDirectories.isEmpty || bundle != nil }
}
