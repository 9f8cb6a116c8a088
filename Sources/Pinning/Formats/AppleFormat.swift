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
/// (Apple Developer Documentation: Bundle Resources, Information Property List, NSPinnedDomains.) A comment before a pin, or
/// behind it on its line, is the pin's label. Which pin goes to which list is in `ApplePinLists`.
package enum AppleFormat: PinSetCodec {
    package static let format = PinSetFormat.apple

    static let securityKey = "NSAppTransportSecurity"
    static let domainsKey = "NSPinnedDomains"
    static let subdomainsKey = "NSIncludesSubdomains"
    static let authoritiesKey = "NSPinnedCAIdentities"
    static let leavesKey = "NSPinnedLeafIdentities"
    static let digestKey = "SPKI-SHA256-BASE64"

    /// Any property list that is not TrustKit's alone, so that the error tells what is missing in it.
    package static func recognizes(_ bytes: [UInt8]) -> Bool {
        guard PropertyList.isLikely(bytes) else { return false }
        return hasOwnKeys(bytes) || !TrustKitFormat.hasOwnKeys(bytes)
    }

    static func hasOwnKeys(_ bytes: [UInt8]) -> Bool {
        bytes.has(domainsKey) || bytes.has(authoritiesKey) || bytes.has(leavesKey)
    }

    package static func write(_ set: PinSet) throws(PinSetFormatError) -> PinSetWriting {
        var losses = FormatLosses()
        let entries = try writable(set, losses: &losses)
        let domains = merged(entries, into: .dictionary([]), losses: &losses)
        let root = PropertyListValue.dictionary([(securityKey, .dictionary([(domainsKey, domains)]))])
        return PinSetWriting(files: [.init(name: nil, bytes: try document(root))], losses: losses.list)
    }

    package static func write(_ set: PinSet, into file: [UInt8]) throws(PinSetFormatError) -> PinSetWriting {
        let list = try propertyList(file)
        guard list.root.members != nil else {
            throw PinSetFormatError(
                format, at: list.position(of: list.root), message: "the root is \(list.root.kind), not a dictionary")
        }
        var losses = FormatLosses()
        let entries = try writable(set, losses: &losses)
        let path = path(in: list.root) ?? [securityKey, domainsKey]
        let old = list.root.value(at: path[...])
        let domains = merged(
            entries, into: old?.members == nil ? .dictionary([]) : old ?? .dictionary([]), losses: &losses)
        let root = list.root.setting(path[...], to: domains)
        let bytes = try replacingRoot(of: list, with: root)
        if list.form == .binary, entries.contains(where: { $0.entry.pins.contains { $0.label != nil } }) {
            losses.add("a binary property list has no comments: the labels are left out", host: nil)
        }
        return PinSetWriting(files: [.init(name: nil, bytes: bytes)], losses: losses.list)
    }

    /// Where the dictionary of hosts is: in an `Info.plist`, in its part of App Transport Security, or the whole file.
    static func path(in root: PropertyListValue) -> [String]? {
        if root[securityKey]?[domainsKey] != nil { return [securityKey, domainsKey] }
        if root[domainsKey] != nil { return [domainsKey] }
        guard let members = root.members, !members.isEmpty else { return nil }
        let isBare =
            members.allSatisfy { $0.value.members != nil && $0.key.utf8.contains(UInt8(ascii: ".")) }
            && members.contains { $0.value[authoritiesKey] != nil || $0.value[leavesKey] != nil }
        return isBare ? [] : nil
    }
}

extension AppleFormat {
    /// The entries that can be written at all, with their lists.
    private static func writable(
        _ set: PinSet, losses: inout FormatLosses
    ) throws(PinSetFormatError) -> [(entry: PinSet.Entry, lists: ApplePinLists)] {
        var writable: [(entry: PinSet.Entry, lists: ApplePinLists)] = []
        losses.addWhatOnlyPinsSay(of: set)
        for entry in set.entries {
            guard IPAddress(entry.name) == nil else {
                losses.add("an IP address cannot be pinned: the entry is left out", host: entry.host)
                continue
            }
            let pins = try losses.matchingPins(of: entry, for: format)
            losses.addWhatOnlyPinsSay(of: entry, pins: pins)
            losses.addLabels(of: entry, pins: pins)
            if entry.expires != nil {
                losses.add("\"expires\" cannot be said: the pins hold for good", host: entry.host)
            }
            if !entry.enforce {
                losses.add("\"enforce\": false cannot be said: a mismatch blocks the connection", host: entry.host)
            }
            if entry.subdomains == .all {
                losses.add(
                    "\"subdomains\": \"all\" cannot be said: names more than one label deeper are not pinned",
                    host: entry.host)
            }
            addUnion(of: entry, in: set, losses: &losses)
            writable.append((entry, ApplePinLists(of: entry, pins: pins, losses: &losses)))
        }
        guard !writable.isEmpty else {
            throw PinSetFormatError(format: format, message: "there is no host in the set that can be written")
        }
        return writable
    }

    /// Of a pin set the most specific entry decides alone; Apple's systems unite the lists of all that cover the host.
    private static func addUnion(of entry: PinSet.Entry, in set: PinSet, losses: inout FormatLosses) {
        guard let dot = entry.name.firstIndex(of: "."),
            let index = set.indices[String(entry.name[dot...].dropFirst())], set.entries[index].subdomains != .none
        else { return }
        losses.add(
            "the lists of \(set.entries[index].host.quoted) hold for this host too, beside its own", host: entry.host)
    }

    private static func merged(
        _ entries: [(entry: PinSet.Entry, lists: ApplePinLists)], into domains: PropertyListValue,
        losses: inout FormatLosses
    ) -> PropertyListValue {
        var lists: [String: ApplePinLists] = [:]
        for (entry, pins) in entries { lists[entry.name] = pins }
        return merging(entries.map(\.entry), into: domains, losses: &losses) { entry, value in
            updated(value?.members == nil ? nil : value, with: lists[entry.name], of: entry)
        }
    }

    private static func updated(
        _ value: PropertyListValue?, with lists: ApplePinLists?, of entry: PinSet.Entry
    ) -> PropertyListValue {
        var value = value ?? .dictionary([])
        if entry.subdomains != .none {
            value = value.setting(subdomainsKey, to: .bool(true))
        } else if value[subdomainsKey]?.bool != false {
            value = value.setting(subdomainsKey, to: nil)
        }
        for (key, pins) in [(authoritiesKey, lists?.authorities ?? []), (leavesKey, lists?.leaves ?? [])] {
            var labels: [String: String] = [:]
            for identity in value[key]?.array ?? [] {
                if let digest = identity[digestKey]?.string { labels[digest] = identity.comment }
            }
            let identities = pins.map { pin in
                let digest = pin.pin.base64
                return PropertyListValue.dictionary(
                    [(digestKey, .string(digest))], comment: pin.label ?? labels[digest])
            }
            value = value.setting(key, to: pins.isEmpty ? nil : .array(identities))
        }
        return value
    }
}
