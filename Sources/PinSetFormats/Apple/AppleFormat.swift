internal import Encodings
public import PinSetCodec
package import Pinning
package import PropertyLists

/// `NSPinnedDomains` of Apple's App Transport Security, in an app's `Info.plist`:
///
/// ```xml
/// <key>NSAppTransportSecurity</key>
/// <dict>
///     <key>NSPinnedDomains</key>
///     <dict>
///         <key>example.org</key>
///         <dict>
///             <key>NSIncludesSubdomains</key>
///             <true/>
///             <key>NSPinnedCAIdentities</key>
///             <array>
///                 <dict>
///                     <key>SPKI-SHA256-BASE64</key>
///                     <string>C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=</string>
///                 </dict>
///             </array>
///         </dict>
///     </dict>
/// </dict>
/// ```
///
/// (Apple Developer Documentation: Bundle Resources, Information Property List, NSPinnedDomains.) A comment before a pin, or after
/// it on the same line, is the pin's label. `ApplePinLists` documents which list contains which pin.
package enum AppleFormat: PropertyListPinSetCodec {
    package static let traits = FormatTraits(
        name: "apple", summary: "NSPinnedDomains of an Info.plist, in XML or binary", fileName: "Info.plist",
        // An Info.plist may contain TrustKit's pins instead.
        hasUniqueFileName: false, mergesIntoFiles: true, unitesOverlappingHosts: true,
        platforms: [.apple],
        lintRules: [
            .oneLabelSubdomains, .twoLists(leaves: AppleFormat.leavesKey, authorities: AppleFormat.authoritiesKey),
        ],
        capabilities: FormatCapabilities(
            subdomains: [.none, .one], roles: Set(PinSet.AllowedRole.allCases), notes: .markupComments,
            takesAddresses: false))

    static let securityKey = "NSAppTransportSecurity"
    static let domainsKey = "NSPinnedDomains"
    static let subdomainsKey = "NSIncludesSubdomains"
    static let authoritiesKey = "NSPinnedCAIdentities"
    static let leavesKey = "NSPinnedLeafIdentities"
    static let digestKey = "SPKI-SHA256-BASE64"

    /// Whether this is a property list, unless it has only TrustKit's keys. A property list without any of these keys is accepted,
    /// so that the error can name the missing key.
    package static func recognizes(_ file: FileContents) -> Bool {
        guard PropertyList.isLikely(file.bytes) else { return false }
        return hasOwnKeys(file.bytes) || !TrustKitFormat.hasOwnKeys(file.bytes)
    }

    package static let ownPath = [securityKey, domainsKey]

    static func hasOwnKeys(_ bytes: [UInt8]) -> Bool {
        bytes.has(domainsKey) || bytes.has(authoritiesKey) || bytes.has(leavesKey)
    }

    package static func isHost(_ member: PropertyListMember) -> Bool {
        member.value[authoritiesKey] != nil || member.value[leavesKey] != nil
    }
}

extension AppleFormat {
    package static func writable(
        _ set: PinSet, as format: PinSetFormat, _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> [WritableEntry] {
        try writable(set, as: format, with: traits.capabilities, &warnings)
    }

    /// Returns the entries for a format that has Apple's keys but other capabilities.
    static func writable(
        _ set: PinSet, as format: PinSetFormat, with capabilities: FormatCapabilities,
        _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> [WritableEntry] {
        let entries = try capabilities.writable(set, as: format, &warnings)
        for entry in entries {
            ApplePinLists(entry.pins).addWarnings(for: entry.entry.host, &warnings)
            warnAboutCombinedLists(entry, in: set, &warnings)
        }
        return entries
    }

    /// Adds warnings about hosts that several entries cover. In a pin set only the most specific entry applies; Apple's systems
    /// combine the lists of all entries that cover the host.
    private static func warnAboutCombinedLists(
        _ entry: WritableEntry, in set: PinSet, _ warnings: inout ConversionWarnings
    ) {
        guard let dot = entry.host.firstIndex(of: "."),
            let index = set.indices[String(entry.host[dot...].dropFirst())], set.entries[index].subdomains != .none
        else { return }
        warnings.add(.hostListsUnited(with: set.entries[index].host), of: entry.entry.host)
    }

    package static func isPinned(_ value: PropertyListValue) -> Bool {
        value[authoritiesKey] != nil || value[leavesKey] != nil
    }

    package static let hostKeys: Set<String> = [subdomainsKey, authoritiesKey, leavesKey]

    package static let acceptsHostsWithoutPins = true

    /// SecPolicy.c, `parseNSPinnedDomains`, reads no other types.
    package static func mistypedValue(in host: PropertyListValue) -> MistypedValue? {
        if let value = host[subdomainsKey], value.bool == nil {
            return MistypedValue([subdomainsKey], value, not: .bool)
        }
        for key in [authoritiesKey, leavesKey] {
            // Elements of other types stay.
            if let list = host[key], list.array == nil { return MistypedValue([key], list, not: .array) }
        }
        return nil
    }

    /// App Transport Security compares a key without regard to case with the host in A-labels, without a dot at the end
    /// (``AppleModel``).
    package static func isFound(_ key: String, as name: String) -> Bool {
        key.utf8.elementsEqual(name.utf8) { $0.lowercased == $1.lowercased }
    }

    package static func updated(
        _ value: PropertyListValue?, with entry: WritableEntry
    ) -> PropertyListValue {
        var value = members(of: value)
        let lists = ApplePinLists(entry.pins)
        if entry.subdomains != .none {
            value = value.setting(subdomainsKey, to: .bool(true))
        } else if value[subdomainsKey]?.bool != false {
            value = value.setting(subdomainsKey, to: nil)
        }
        // A pin that moves to the other list keeps its dictionary.
        let old = [authoritiesKey, leavesKey].flatMap { value[$0]?.array ?? [] }
        let byDigest = Dictionary(old.map { ($0[digestKey]?.string, $0) }) { first, _ in first }
        for (key, pins) in [(authoritiesKey, lists.authorities), (leavesKey, lists.leaves)] {
            let list = updated(value[key]?.array ?? [], with: pins, decoding: .apple) {
                $0.members == nil ? nil : $0[digestKey]?.string
            } added: { digest in
                byDigest[digest] ?? .dictionary([(digestKey, .string(digest))])
            }
            value = value.setting(key, to: pins.isEmpty ? nil : list)
        }
        return value
    }
}

extension PinSetFormat {
    public static let apple = PinSetFormat(AppleFormat.self)
}
