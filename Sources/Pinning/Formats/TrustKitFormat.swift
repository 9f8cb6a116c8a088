/// The configuration of TrustKit for Apple's platforms: `TSKConfiguration` in an app's `Info.plist`, or the same as a dictionary
/// in Swift, which is read too.
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
/// (TrustKit's documentation, "Configuration".) A comment before a pin, or behind it on its line, is the pin's label.
package enum TrustKitFormat: PinSetCodec {
    package static let format = PinSetFormat.trustkit

    static let configurationKey = "TSKConfiguration"
    static let domainsKey = "TSKPinnedDomains"
    static let subdomainsKey = "TSKIncludeSubdomains"
    static let enforceKey = "TSKEnforcePinning"
    static let expirationKey = "TSKExpirationDate"
    static let hashesKey = "TSKPublicKeyHashes"
    static let excludeKey = "TSKExcludeSubdomainFromParentPolicy"

    package static func recognizes(_ bytes: [UInt8]) -> Bool {
        guard hasOwnKeys(bytes) else { return false }
        return PropertyList.isLikely(bytes) ? !AppleFormat.hasOwnKeys(bytes) : SwiftLiteralReader.isLikely(bytes)
    }

    static func hasOwnKeys(_ bytes: [UInt8]) -> Bool {
        bytes.has(domainsKey) || bytes.has(hashesKey)
    }

    package static func write(_ set: PinSet) throws(PinSetFormatError) -> PinSetWriting {
        let (domains, losses) = try domains(of: set)
        let root = PropertyListValue.dictionary([(configurationKey, .dictionary([(domainsKey, domains)]))])
        return PinSetWriting(files: [.init(name: nil, bytes: try document(root))], losses: losses.list)
    }

    /// The same as a dictionary in Swift, to give to `TrustKit.initSharedInstance(withConfiguration:)`.
    package static func writeSwift(_ set: PinSet) throws(PinSetFormatError) -> PinSetWriting {
        let (domains, losses) = try domains(of: set)
        return PinSetWriting(
            files: [.init(name: nil, bytes: TrustKitSwiftWriter.source(of: domains))], losses: losses.list)
    }

    package static func write(_ set: PinSet, into file: [UInt8]) throws(PinSetFormatError) -> PinSetWriting {
        let list = try propertyList(file)
        guard list.root.members != nil else {
            throw PinSetFormatError(
                format, at: list.position(of: list.root), message: "the root is \(list.root.kind), not a dictionary")
        }
        var losses = FormatLosses()
        let entries = try writable(set, losses: &losses)
        let path = path(in: list.root) ?? [configurationKey, domainsKey]
        let old = list.root.value(at: path[...])
        let domains = try merged(
            entries, into: old?.members == nil ? .dictionary([]) : old ?? .dictionary([]), losses: &losses)
        let bytes = try replacingRoot(of: list, with: list.root.setting(path[...], to: domains))
        if list.form == .binary, entries.contains(where: { $0.pins.contains { $0.label != nil } }) {
            losses.add("a binary property list has no comments: the labels are left out", host: nil)
        }
        return PinSetWriting(files: [.init(name: nil, bytes: bytes)], losses: losses.list)
    }

    /// Where the dictionary of hosts is: in an `Info.plist`, in TrustKit's part of it, or the whole file.
    static func path(in root: PropertyListValue) -> [String]? {
        if root[configurationKey]?[domainsKey] != nil { return [configurationKey, domainsKey] }
        if root[domainsKey] != nil { return [domainsKey] }
        guard let members = root.members, !members.isEmpty else { return nil }
        let isBare = members.allSatisfy { $0.value.members != nil } && members.contains { $0.value[hashesKey] != nil }
        return isBare ? [] : nil
    }
}

extension TrustKitFormat {
    private static func domains(
        of set: PinSet
    ) throws(PinSetFormatError) -> (value: PropertyListValue, losses: FormatLosses) {
        var losses = FormatLosses()
        let domains = try merged(try writable(set, losses: &losses), into: .dictionary([]), losses: &losses)
        return (domains, losses)
    }

    private static func merged(
        _ entries: [PinSet.Entry], into domains: PropertyListValue, losses: inout FormatLosses
    ) throws(PinSetFormatError) -> PropertyListValue {
        // What a day cannot say of an instant was told when the entry was found to be writable.
        var told = FormatLosses()
        return merging(entries, into: domains, losses: &losses) { entry, value in
            updated(value, with: entry, day: told.expirationDay(of: entry))
        }
    }

    private static func writable(
        _ set: PinSet, losses: inout FormatLosses
    ) throws(PinSetFormatError) -> [PinSet.Entry] {
        losses.addWhatOnlyPinsSay(of: set)
        var writable: [PinSet.Entry] = []
        for entry in set.entries {
            guard IPAddress(entry.name) == nil else {
                losses.add("an IP address cannot be pinned: the entry is left out", host: entry.host)
                continue
            }
            let pins = try losses.matchingPins(of: entry, for: format)
            losses.addWhatOnlyPinsSay(of: entry, pins: pins)
            losses.addLabels(of: entry, pins: pins)
            losses.addRoles(of: entry, pins: pins)
            losses.addSubdomains(of: entry)
            _ = losses.expirationDay(of: entry)
            if !entry.name.contains(".") {
                losses.add("TrustKit refuses a host without a public suffix, and stops the app", host: entry.host)
            }
            if entry.enforce, Set(pins.map(\.pin)).count < 2 {
                losses.add(
                    "TrustKit demands two pins where it enforces them, and stops the app: add a backup pin",
                    host: entry.host)
            }
            writable.append(entry)
        }
        guard !writable.isEmpty else {
            throw PinSetFormatError(format: format, message: "there is no host in the set that can be written")
        }
        return writable
    }

    private static func updated(
        _ value: PropertyListValue?, with entry: PinSet.Entry, day: String?
    ) -> PropertyListValue {
        var value = value?.members == nil ? .dictionary([]) : value ?? .dictionary([])
        // Beside pins of its own it would stop the app.
        value = value.setting(excludeKey, to: nil)
        if (value[subdomainsKey]?.bool ?? false) != (entry.subdomains != .none) || value[subdomainsKey]?.bool == nil {
            value = value.setting(subdomainsKey, to: entry.subdomains == .none ? nil : .bool(true))
        }
        if (value[enforceKey]?.bool ?? true) != entry.enforce || value[enforceKey]?.bool == nil {
            value = value.setting(enforceKey, to: entry.enforce ? nil : .bool(false))
        }
        value = value.setting(expirationKey, to: day.map { .string($0) })
        var labels: [String: String] = [:]
        for hash in value[hashesKey]?.array ?? [] {
            if let text = hash.string { labels[text] = hash.comment }
        }
        let hashes = entry.pins.filter { $0.state != .retired }.map { pin in
            PropertyListValue.string(pin.pin.base64, comment: pin.label ?? labels[pin.pin.base64])
        }
        return value.setting(hashesKey, to: .array(hashes))
    }
}
