internal import Encodings
public import PinSetCodec
internal import Pinning

/// WultraSSLPinning: fingerprints of the server's own certificate, by common name.
enum WultraRules: PlatformRules {
    static func model(of set: PinSet) -> any PlatformModel { WultraSetModel(set: set) }

    static func model(ofFile file: PlatformFile) throws(PinSetFormatError) -> (any PlatformModel)? {
        guard file.format == .wultra else { return nil }
        return WultraModel(fingerprints: try WultraFormat.modelFingerprints(file.bytes))
    }
}

extension Platform {
    /// WultraSSLPinning.
    public static let wultra = Platform("wultra", WultraRules.self)
}
