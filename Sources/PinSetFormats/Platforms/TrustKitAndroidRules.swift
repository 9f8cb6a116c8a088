public import PinSetCodec
internal import Pinning
internal import PublicSuffixes
internal import XMLDocuments

/// TrustKit for Android: a `network_security_config.xml` with `<trustkit-config>`.
///
/// The model of a set is the file that `convert --into` writes if the existing file contains TrustKit's element: each host that
/// TrustKit can enforce has `enforcePinning` with the value of the set.
enum TrustKitAndroidRules: PlatformRules {
    static func model(of set: PinSet) -> any PlatformModel {
        if let ruling = set.retiredEntry() { return UnwritableModel(ruling) }
        guard let writing = try? AndroidFormat.write(set, namesTrustKit: true),
            let document = try? XMLDocument(writing.main)
        else { return UnwritableModel(PlatformRuling(.notPinned, "no host of the set can be written for Android")) }
        return TrustKitAndroidModel(document)
    }

    static func model(ofFile file: PlatformFile) throws(PinSetFormatError) -> (any PlatformModel)? {
        guard file.format == .android else { return nil }
        return TrustKitAndroidModel(try AndroidRules.document(file.bytes))
    }

    /// Whether TrustKit can enforce these pins: with fewer than two, `enforcePinning="true"` stops the app.
    static func canEnforce(_ pins: [PinSet.PinnedKey]) -> Bool { Set(pins.map(\.pin)).count >= 2 }

    /// The reason why TrustKit stops the app because of a pinned host; nil if it accepts the host.
    static func rejection(of host: String) -> String? {
        if IPAddress(host) != nil { return "\(host) is an IP address" }
        guard !DomainRegistry.shared.isValidOnAndroid(host) else { return nil }
        return SpecialUseName.reason(of: host) ?? "the top-level domain of \(host) is not in its list of April 2016"
    }
}

extension Platform {
    /// TrustKit for Android.
    public static let trustkitAndroid = Platform("trustkit-android", TrustKitAndroidRules.self)
}
