internal import Encodings
public import PinSetCodec
internal import Pinning

/// App Transport Security: `NSPinnedDomains` of an app's `Info.plist`.
enum AppleRules: PlatformRules {
    static func model(of set: PinSet) -> any PlatformModel {
        if let ruling = set.retiredEntry(takesAddresses: false) { return UnwritableModel(ruling) }
        var warnings = ConversionWarnings()
        guard let domains = try? AppleFormat.domains(of: set, as: AppleFormat.format, &warnings) else {
            return UnwritableModel(PlatformRuling(.notPinned, "NSPinnedDomains has no IP addresses"))
        }
        var model = model(of: domains, bytes: [])
        for entry in set.entries { model.assumptions[entry.name] = ApplePinLists(entry.matchingPins).assumption }
        return model
    }

    static func model(ofFile file: PlatformFile) throws(PinSetFormatError) -> (any PlatformModel)? {
        guard file.format == .apple else { return nil }
        let root = try AppleFormat.propertyList(file.bytes).root
        let domains = AppleFormat.path(in: root).flatMap { root.value(at: $0[...]) }
        return model(of: domains ?? .dictionary([]), bytes: file.bytes)
    }

    private static func model(of domains: PropertyListValue, bytes: [UInt8]) -> AppleModel {
        let lines = SourceLineIndex(bytes)
        return AppleModel(
            (domains.members ?? []).compactMap { member in
                // The system ignores a value that is not a dictionary.
                guard member.value.members != nil else { return nil }
                return .init(
                    key: member.key,
                    // The system compares with a Boolean, so an integer or a string is not true.
                    includesSubdomains: member.value[AppleFormat.subdomainsKey]?.bool == true,
                    leaves: member.value[AppleFormat.leavesKey].map(pins),
                    authorities: member.value[AppleFormat.authoritiesKey].map(pins),
                    hasUnusablePins: [AppleFormat.leavesKey, AppleFormat.authoritiesKey].contains { key in
                        member.value[key].map { $0.array?.isEmpty == false && pins($0).isEmpty } ?? false
                    },
                    position: member.range.map { lines.position(of: $0.lowerBound) })
            })
    }

    /// The pins of a list that can match. Elements that the system cannot decode stay in the list and match nothing.
    private static func pins(_ list: PropertyListValue) -> Set<Pin> {
        Set(
            (list.array ?? []).compactMap { identity in
                identity[AppleFormat.digestKey]?.string.flatMap { Pin(digest: PlatformBase64.apple($0)) }
            })
    }
}

extension Platform {
    /// `NSPinnedDomains` of App Transport Security.
    public static let apple = Platform("apple", AppleRules.self)
}
