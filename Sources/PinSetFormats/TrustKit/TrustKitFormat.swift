internal import Encodings
public import PinSetCodec
package import Pinning
package import PropertyLists

/// The configuration of TrustKit for Apple's platforms: `TSKConfiguration` in an app's `Info.plist`. pinctl also reads the same
/// dictionary in Swift and Objective-C source code.
///
/// ```xml
/// <key>TSKConfiguration</key>
/// <dict>
///     <key>TSKPinnedDomains</key>
///     <dict>
///         <key>example.org</key>
///         <dict>
///             <key>TSKIncludeSubdomains</key>
///             <true/>
///             <key>TSKPublicKeyHashes</key>
///             <array>
///                 <string>C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=</string>
///                 <string>diGVwiVYbubAI3RW4hB9xU8e/CH2GnkuvVFZE8zmgzI=</string>
///             </array>
///         </dict>
///     </dict>
/// </dict>
/// ```
///
/// (TrustKit's documentation, "Configuration".) A comment before a pin, or after it on the same line, is the pin's label.
package enum TrustKitFormat: PropertyListPinSetCodec {
    package static let traits = FormatTraits(
        name: "trustkit",
        summary: "TrustKit's property list; also reads its Swift and Objective-C configuration",
        fileName: "TrustKit.plist", sourceVariant: TrustKitSwiftFormat.self, mergesIntoFiles: true,
        platforms: [.trustkit, .trustkitAndroid], lintRules: [.minimumPins(consequence: "TrustKit stops the app")],
        capabilities: FormatCapabilities(
            subdomains: [.none, .all], expiry: .day, supportsReportOnly: true, notes: .markupComments,
            takesAddresses: false, minimumPins: 2, countsPinsOfReportOnly: false))

    static let configurationKey = "TSKConfiguration"
    static let domainsKey = "TSKPinnedDomains"
    static let subdomainsKey = "TSKIncludeSubdomains"
    static let enforceKey = "TSKEnforcePinning"
    static let expirationKey = "TSKExpirationDate"
    static let hashesKey = "TSKPublicKeyHashes"
    /// The value of the constant `kTSKExcludeSubdomainFromParentPolicy` (TrustKit 3.0.7, TSKTrustKitConfig.m).
    static let excludeKey = "kSKExcludeSubdomainFromParentPolicy"
    /// A name that TrustKit does not know. Users may write it because the other keys begin with "TSK".
    static let unknownExcludeKey = "TSKExcludeSubdomainFromParentPolicy"

    package static func recognizes(_ file: FileContents) -> Bool {
        guard hasOwnKeys(file.bytes) else { return false }
        return PropertyList.isLikely(file.bytes)
            ? !AppleFormat.hasOwnKeys(file.bytes) : isSource(file.bytes)
    }

    static func isSource(_ bytes: [UInt8]) -> Bool { LiteralReader.isLikely(bytes, key: domainsKey) }

    package static let ownPath = [configurationKey, domainsKey]

    static func hasOwnKeys(_ bytes: [UInt8]) -> Bool {
        bytes.has(domainsKey) || bytes.has(hashesKey)
    }

    package static func isHost(_ member: PropertyListMember) -> Bool { member.value[hashesKey] != nil }
}

extension TrustKitFormat {
    package static func writable(
        _ set: PinSet, as format: PinSetFormat, _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> [WritableEntry] {
        let entries = try traits.capabilities.writable(set, as: format, &warnings)
        for entry in entries {
            guard let reason = SpecialUseName.reason(of: entry.host) else { continue }
            warnings.add(.noPublicSuffix(reason), of: entry.entry.host)
        }
        return entries
    }

    package static func isPinned(_ value: PropertyListValue) -> Bool { value[excludeKey]?.bool != true }

    /// The keys of a domain (TrustKit 3.0.7, TSKTrustKitConfig.h), and the key of earlier versions for algorithms.
    package static let hostKeys: Set<String> = [
        subdomainsKey, excludeKey, enforceKey, expirationKey, hashesKey, "TSKPublicKeyAlgorithms", "TSKReportUris",
        "TSKDisableDefaultReportUri",
    ]

    /// A host needs pins, or the key that excludes it and no other (parse_configuration.m).
    package static let acceptsHostsWithoutPins = false

    /// TrustKit reads a boolean also from a number and from a string (parse_configuration.m).
    package static func mistypedValue(in host: PropertyListValue) -> MistypedValue? {
        for key in [subdomainsKey, excludeKey, enforceKey] {
            if let value = host[key], value.isTrue == nil { return MistypedValue([key], value, not: .bool) }
        }
        if let value = host[expirationKey], value.string == nil {
            return MistypedValue([expirationKey], value, not: .string)
        }
        // Elements of other types stay.
        guard let list = host[hashesKey], list.array == nil else { return nil }
        return MistypedValue([hashesKey], list, not: .array)
    }

    /// TrustKit compares the text of a key with the host in lower case and in A-labels (configuration_utils.m).
    package static func isFound(_ key: String, as name: String) -> Bool { key.isSame(as: name) }

    package static func updated(
        _ value: PropertyListValue?, with entry: WritableEntry
    ) -> PropertyListValue {
        var value = members(of: value)
        // If this key is next to pins, TrustKit stops the app.
        value = value.setting(excludeKey, to: nil)
        if (value[subdomainsKey]?.bool ?? false) != (entry.subdomains != .none) || value[subdomainsKey]?.bool == nil {
            value = value.setting(subdomainsKey, to: entry.subdomains == .none ? nil : .bool(true))
        }
        if (value[enforceKey]?.bool ?? true) != entry.entry.enforce || value[enforceKey]?.bool == nil {
            value = value.setting(enforceKey, to: entry.entry.enforce ? nil : .bool(false))
        }
        value = value.setting(expirationKey, to: entry.expires.map { .string($0.date) })
        let hashes = updated(value[hashesKey]?.array ?? [], with: entry.pins, decoding: .trustKit) {
            $0.string
        } added: {
            .string($0)
        }
        return value.setting(hashesKey, to: hashes)
    }
}

extension PinSetFormat {
    public static let trustkit = PinSetFormat(TrustKitFormat.self)
}
