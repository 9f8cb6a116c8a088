internal import Encodings
public import PinSetCodec
internal import Pinning
internal import PropertyLists

/// App Transport Security: `NSPinnedDomains` of an app's `Info.plist`.
enum AppleRules: PlatformRules {
    static func model(of set: PinSet) -> any PlatformModel {
        if let ruling = set.retiredEntry(takesAddresses: false) { return UnwritableModel(ruling) }
        var warnings = ConversionWarnings()
        guard let domains = try? AppleFormat.domains(of: set, as: AppleFormat.format, &warnings) else {
            return UnwritableModel(PlatformRuling(.notPinned, "NSPinnedDomains has no IP addresses"))
        }
        var model = model(of: domains)
        for entry in set.entries { model.assumptions[entry.name] = ApplePinLists(entry.matchingPins).assumption }
        return model
    }

    static func model(ofFile file: PlatformFile) throws(PinSetFormatError) -> (any PlatformModel)? {
        switch file.format {
        case .apple:
            let root = try AppleFormat.propertyList(file.bytes).root
            let domains = AppleFormat.path(in: root).flatMap { root.value(at: $0[...]) }
            let lines = SourceLineIndex(file.bytes)
            return model(of: domains ?? .dictionary([])) { lines.position(of: $0.lowerBound) }
        case .expo: return try model(ofExpo: file.bytes)
        default: return nil
        }
    }

    /// The configuration that Expo writes to the `Info.plist`; nil if a value is not a literal, so that a list may have more pins.
    private static func model(ofExpo bytes: [UInt8]) throws(PinSetFormatError) -> AppleModel? {
        var warnings = ConversionWarnings()
        let domains = try ExpoFormat.domains(in: bytes, &warnings)
        guard !warnings.list.contains(where: \.leavesOutUnreadPins) else { return nil }
        return AppleModel(
            domains.compactMap { domain($0.host, $0.value, at: SourcePosition(line: $0.line, column: 1)) })
    }

    /// - Parameter position: returns the position of a key.
    static func model(
        of domains: PropertyListValue, position: (Range<Int>) -> SourcePosition? = { _ in nil }
    ) -> AppleModel {
        AppleModel((domains.members ?? []).compactMap { domain($0.key, $0.value, at: $0.range.flatMap(position)) })
    }

    /// The domain under a key; nil for a value that is not a dictionary, which the system ignores.
    private static func domain(
        _ key: String, _ value: PropertyListValue, at position: SourcePosition?
    ) -> AppleModel.Domain? {
        guard value.members != nil else { return nil }
        return AppleModel.Domain(
            key: key,
            // The system compares with a Boolean, so an integer or a string is not true.
            includesSubdomains: value[AppleFormat.subdomainsKey]?.bool == true,
            leaves: value[AppleFormat.leavesKey].map(pins),
            authorities: value[AppleFormat.authoritiesKey].map(pins),
            hasUnusablePins: [AppleFormat.leavesKey, AppleFormat.authoritiesKey].contains { key in
                value[key].map { $0.array?.isEmpty == false && pins($0).isEmpty } ?? false
            },
            hasBuildSettings: key.hasBuildSetting
                || [AppleFormat.leavesKey, AppleFormat.authoritiesKey].contains { list in
                    (value[list]?.array ?? []).contains { digest($0)?.hasBuildSetting ?? false }
                },
            position: position)
    }

    private static func digest(_ identity: PropertyListValue) -> String? { identity[AppleFormat.digestKey]?.string }

    /// The pins of a list that can match. Elements that the system cannot decode stay in the list and match nothing.
    private static func pins(_ list: PropertyListValue) -> Set<Pin> {
        Set(
            (list.array ?? []).compactMap { identity in
                digest(identity).flatMap { Pin(digest: PlatformBase64.apple($0)) }
            })
    }
}

extension Platform {
    /// `NSPinnedDomains` of App Transport Security.
    public static let apple = Platform("apple", AppleRules.self)
}
