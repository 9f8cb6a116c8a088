public import PinSetCodec
internal import Pinning
internal import PropertyLists

/// TrustKit for Apple's platforms: `TSKPinnedDomains` in a property list or in source code.
enum TrustKitRules: PlatformRules {
    static func model(of set: PinSet) -> any PlatformModel {
        if let ruling = set.retiredEntry(takesAddresses: false) { return UnwritableModel(ruling) }
        var warnings = ConversionWarnings()
        guard let domains = try? TrustKitFormat.domains(of: set, as: TrustKitFormat.format, &warnings) else {
            return UnwritableModel(PlatformRuling(.notPinned, "TSKPinnedDomains has no IP addresses"))
        }
        return TrustKitModel(TrustKitModelReader(bytes: []).policies(of: domains))
    }

    static func model(ofFile file: PlatformFile) throws(PinSetFormatError) -> (any PlatformModel)? {
        guard file.format == .trustkit else { return nil }
        let root = try TrustKitFormat.root(of: file.bytes)
        guard !TrustKitFormat.hasMisplacedDomains(root) else {
            let rule = "TSKPinnedDomains is not in TSKConfiguration, so TrustKit does not read it"
            return UnwritableModel(PlatformRuling(.notPinned, rule))
        }
        let domains = TrustKitFormat.path(in: root).flatMap { root.value(at: $0[...]) }
        let isIncomplete = (try? TrustKitFormat.read(file.bytes))?.warnings.contains(where: \.isUnread) ?? false
        return TrustKitModel(
            TrustKitModelReader(bytes: file.bytes).policies(of: domains ?? .dictionary([])),
            isIncomplete: isIncomplete)
    }
}

extension Platform {
    /// TrustKit for Apple's platforms.
    public static let trustkit = Platform("trustkit", TrustKitRules.self)
}
