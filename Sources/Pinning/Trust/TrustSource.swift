/// Where trust comes from: any of the three, or several of them together.
package struct TrustSource: Sendable {
    /// Given by hand, and in memory.
    package var anchors: TrustAnchors?
    /// Folders in the form that openssl-rehash(1) makes, asked for one issuer at a time.
    package var hashedDirectories: [String]
    /// Bundles, read at the first chain that does not validate without them: to read one costs more than a handshake.
    package var bundle: @Sendable () -> TrustAnchors?

    package init(
        anchors: TrustAnchors? = nil,
        hashedDirectories: [String] = [],
        bundle: @escaping @Sendable () -> TrustAnchors? = { nil }
    ) {
        (self.anchors, self.hashedDirectories, self.bundle) = (anchors, hashedDirectories, bundle)
    }
}
