internal import Authentication
internal import Pinning

/// The system's trust anchors at OpenSSL's default locations.
enum SystemAnchors {
    static var source: TrustSource {
        TrustSource(hashedDirectories: [DefaultTrustStore.folders]) {
            guard let bytes = try? AuthorityFolder.contents(of: DefaultTrustStore.file) else { return nil }
            return try? TrustAnchors(file: bytes)
        }
    }
}
