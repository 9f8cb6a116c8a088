internal import Authentication
internal import Encodings
internal import Pinning

/// The system's trust anchors at OpenSSL's default locations.
enum SystemAnchors {
    /// - Throws: ``SessionError`` if the bundle has trust settings that cannot be read.
    static func source() throws(SessionError) -> TrustSource {
        let path = DefaultTrustStore.file
        guard let bytes = try? AuthorityFolder.contents(of: path) else {
            return TrustSource(hashedDirectories: [DefaultTrustStore.folders])
        }
        let hasTrustSettings: Bool
        do throws(TrustAnchorsError) {
            hasTrustSettings = try TrustAnchors.hasTrustSettings(inBundle: bytes)
        } catch {
            throw SessionError(
                .configuration, "cannot read a certificate with trust settings in \(path.quotedExcerpt): \(error)")
        }
        return TrustSource(hashedDirectories: [DefaultTrustStore.folders]) {
            guard let bytes = try? AuthorityFolder.contents(of: path) else { return nil }
            return (try? TrustAnchors.readable(in: bytes)).map { TrustAnchors(anchors: $0) }
        } bundleHasTrustSettings: {
            hasTrustSettings
        }
    }
}
