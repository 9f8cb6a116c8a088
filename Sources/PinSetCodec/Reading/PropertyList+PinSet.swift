internal import Encodings
package import Pinning
package import PropertyLists

/// A format in which a dictionary in a property list has one member for each host.
package protocol PropertyListPinSetCodec: PinSetCodec {
    /// Path of the dictionary in an `Info.plist`.
    static var ownPath: [String] { get }

    /// Whether a member is a host with pins, if the root of the property list is the dictionary of hosts.
    static func isHost(_ member: PropertyListMember) -> Bool

    /// The entries of the set that the format can express.
    static func writable(
        _ set: PinSet, as format: PinSetFormat, _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> [WritableEntry]

    /// Returns the new value of a host. `value` is the old one, or nil if the file does not contain the host.
    static func updated(_ value: PropertyListValue?, with entry: WritableEntry) -> PropertyListValue

    /// Whether the value of a host has pins.
    static func isPinned(_ value: PropertyListValue) -> Bool

    /// The keys of a host that the platform reads.
    static var hostKeys: Set<String> { get }

    /// Whether the platform accepts the value of a host that has none of ``hostKeys``.
    static var acceptsHostsWithoutPins: Bool { get }

    /// The first value in the dictionary of a host whose type the platform does not read.
    static func mistypedValue(in host: PropertyListValue) -> MistypedValue?

    /// Whether a key may stay in its spelling: the platform finds it when it looks up `name`, a normalized host.
    static func isFound(_ key: String, as name: String) -> Bool
}

extension PropertyListPinSetCodec {
    package static func isFound(_: String, as _: String) -> Bool { true }

    /// Path of the dictionary of hosts in a property list: an `Info.plist`, one part of it, or the dictionary itself. Nil if the
    /// list has no such dictionary.
    package static func path(in root: PropertyListValue) -> [String]? {
        guard !hasMisplacedDomains(root) else { return nil }
        for path in [ownPath[...], ownPath.suffix(1)] where root.value(at: path) != nil { return Array(path) }
        guard let members = root.members, !members.isEmpty else { return nil }
        return members.allSatisfy { $0.value.members != nil } && members.contains(where: isHost) ? [] : nil
    }

    /// Whether the dictionary of hosts is in the root of a whole Info.plist, where the platform does not read it. A root without other
    /// keys of an Info.plist can be an excerpt.
    package static func hasMisplacedDomains(_ root: PropertyListValue) -> Bool {
        guard let outer = ownPath.first, let key = ownPath.last, root[key] != nil,
            root.value(at: ownPath[...]) == nil
        else { return false }
        return root[outer] != nil || root.members?.contains { $0.key.begins(with: "CFBundle") } ?? false
    }

    /// Whether the root has a dictionary of hosts beside the one at ``ownPath``. The platform does not read it.
    package static func hasSecondDomains(_ root: PropertyListValue) -> Bool {
        guard ownPath.count > 1, let key = ownPath.last else { return false }
        return root[key] != nil && root.value(at: ownPath[...]) != nil
    }

    /// The warning about a dictionary of hosts in the root.
    package static func misplacedDomains(
        in root: PropertyListValue, of bytes: [UInt8]
    ) -> ConversionWarning.Reason {
        let value = ownPath.last.flatMap { root[$0] }
        return .valueIgnored(
            key: ownPath.last, found: "in the root of the file", expected: "in \((ownPath.first ?? "").quotedExcerpt)",
            line: value?.position(in: bytes)?.line)
    }

    /// A warning about a dictionary of hosts that is neither at ``ownPath`` nor in the root; nil without one.
    package static func nestedDomains(in root: PropertyListValue, of bytes: [UInt8]) -> ConversionWarning.Reason? {
        guard let outer = ownPath.first, let key = ownPath.last else { return nil }
        var values = (root.members ?? []).map { (path: [$0.key], value: $0.value) }
        while let (path, value) = values.popLast() {
            if path.count > 1, path.last?.isSame(as: key) ?? false, path != ownPath, value.members != nil {
                return .valueIgnored(
                    key: key, found: "in \(path[path.count - 2].quotedExcerpt)", expected: "in \(outer.quotedExcerpt)",
                    line: value.position(in: bytes)?.line)
            }
            guard path != ownPath else { continue }
            for member in value.members ?? [] { values.append((path + [member.key], member.value)) }
        }
        return nil
    }

    /// The error for a value of the wrong type.
    package static func error(
        _ part: PinSetFormatError.Part, is value: PropertyListValue, not expected: PinSetFormatError.ValueType,
        in bytes: [UInt8]
    ) -> PinSetFormatError {
        error(.type(of: part, found: "\(value.kind)", expected: expected), at: value.position(in: bytes))
    }

    /// The dictionary to write for a host: the existing one or an empty one.
    package static func members(of value: PropertyListValue?) -> PropertyListValue {
        value?.members == nil ? .dictionary([]) : value ?? .dictionary([])
    }

    /// The array of pins after an update. Elements of pins that stay, and elements that are not pins, stay as they are.
    ///
    /// - Parameters:
    ///   - text: returns the text of the pin in an element; nil if the element is not a pin.
    ///   - added: returns a new element for a pin in base64.
    package static func updated(
        _ elements: [PropertyListValue], with pins: [PinSet.PinnedKey], decoding: PinDecoding,
        text: (PropertyListValue) -> String?, added: (String) -> PropertyListValue
    ) -> PropertyListValue {
        let found = elements.map { text($0).map(decoding.element) ?? .other }
        var keys: [Pin: PinSet.PinnedKey] = [:]
        for key in pins { keys[key.pin] = key }
        let values = PinListUpdate(of: found, wanted: pins.map(\.pin)).steps.map { step in
            switch step {
            case .added(let index): return added(pins[index].pin.base64).labelled(by: pins[index])
            case .kept(let index):
                guard case .pin(let pin) = found[index], let key = keys[pin] else { return elements[index] }
                return elements[index].labelled(by: key)
            }
        }
        return .array(values)
    }

    package static func write(_ set: PinSet) throws(PinSetFormatError) -> PinSetWriting {
        var warnings = ConversionWarnings()
        let domains = try domains(of: set, as: format, &warnings)
        return PinSetWriting(try document(.dictionary([]).setting(ownPath[...], to: domains)), warnings)
    }

    package static func write(
        _ set: PinSet, into file: [UInt8], others: OtherHosts
    ) throws(PinSetFormatError) -> PinSetWriting {
        let list = try propertyList(file)
        var warnings = ConversionWarnings()
        let entries = try writable(set, as: format, &warnings)
        let path = path(in: list.root) ?? ownPath
        return PinSetWriting(try write(entries, at: path, of: list, others: others, &warnings), warnings)
    }

    /// The dictionary of hosts without the rest of the file.
    package static func domains(
        of set: PinSet, as format: PinSetFormat, _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> PropertyListValue {
        try merging(try writable(set, as: format, &warnings), into: .dictionary([]), &warnings)
    }

    /// Reads the set from a file's dictionary of hosts.
    ///
    /// - Parameter entry: reads one host; returns nil if the host has no pins.
    package static func set(
        of domains: PropertyListValue, in bytes: [UInt8],
        entry: (PropertyListMember) throws(PinSetFormatError) -> PinSet.Entry?
    ) throws(PinSetFormatError) -> PinSet {
        let key = ownPath.last ?? ""
        guard let members = domains.members else {
            throw error(
                .type(of: .key(key), found: "\(domains.kind)", expected: .dictionary), at: domains.position(in: bytes))
        }
        var entries: [(entry: PinSet.Entry, offset: Int?)] = []
        for member in members {
            if let entry = try entry(member) { entries.append((entry, member.range?.lowerBound)) }
        }
        return try set(of: entries, in: bytes)
    }

    package static func propertyList(_ bytes: [UInt8]) throws(PinSetFormatError) -> PropertyList {
        do throws(PropertyListError) {
            return try PropertyList(bytes)
        } catch {
            throw Self.error(.propertyList(error), at: error.position)
        }
    }

    /// The contents of a new file.
    package static func document(_ root: PropertyListValue) throws(PinSetFormatError) -> [UInt8] {
        do throws(PropertyListError) {
            return try XMLPropertyListWriter.document(root)
        } catch {
            throw Self.error(.propertyList(error), at: error.position)
        }
    }

    package static func replacingRoot(
        of list: PropertyList, with root: PropertyListValue
    ) throws(PinSetFormatError) -> [UInt8] {
        do throws(PropertyListError) {
            return try list.replacingRoot(with: root)
        } catch {
            throw Self.error(.propertyList(error), at: error.position)
        }
    }

    /// Returns the file `list` with the entries of `wanted` in the dictionary at `path`.
    package static func write(
        _ wanted: [WritableEntry], at path: [String], of list: PropertyList, others: OtherHosts,
        _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> [UInt8] {
        guard list.root.members != nil else {
            throw error(
                .type(of: .root, found: "\(list.root.kind)", expected: .dictionary), at: list.position(of: list.root))
        }
        try check(list.root, path: path, wanted: wanted, in: list.bytes)
        let old = list.root.value(at: path[...])
        let domains = try merging(
            wanted, into: old?.members == nil ? .dictionary([]) : old ?? .dictionary([]), others: others, &warnings)
        if list.form == .binary, wanted.contains(where: { $0.pins.contains { PinComment($0).markup != nil } }) {
            warnings.add(.labelsInBinaryFile)
        }
        return try replacingRoot(of: list, with: list.root.setting(path[...], to: domains))
    }

    /// Returns the dictionary `domains` of a file after the entries in `wanted` are added or updated.
    ///
    /// - Throws: if a host that is not wanted has keys that the platform does not read, and the platform would reject the host
    ///   without its pins.
    package static func merging(
        _ wanted: [WritableEntry], into domains: PropertyListValue, others: OtherHosts = .kept,
        _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> PropertyListValue {
        var hosts: [String: WritableEntry] = [:]
        for entry in wanted { hosts[entry.host] = entry }
        var members: [PropertyListMember] = []
        let keys = Set((domains.members ?? []).map { ExactText($0.key) })
        for member in domains.members ?? [] {
            var member = member
            // Beside the right spelling, a key that the platform does not find is the key of another host.
            if let name = try? HostName.normalized(member.key),
                isFound(member.key, as: name) || !keys.contains(ExactText(name)),
                let entry = hosts.removeValue(forKey: name)
            {
                let key = isFound(member.key, as: name) ? member.key : name
                member = PropertyListMember(key: key, range: member.range, value: updated(member.value, with: entry))
            } else if others == .removed, isPinned(member.value) {
                warnings.add(.otherHost(.removed), of: member.key)
                guard let rest = try unpinned(member) else { continue }
                member.value = rest
            } else {
                warnings.add(.otherHost(.kept), of: member.key)
            }
            members.append(member)
        }
        for entry in wanted where hosts.removeValue(forKey: entry.host) != nil {
            members.append(PropertyListMember(key: entry.host, value: updated(nil, with: entry)))
        }
        var domains = domains
        domains.content = .dictionary(members)
        return domains
    }
}

extension PropertyListPinSetCodec {
    /// The value of a host without its pins; nil if it has only keys that the platform reads, so that the host can be removed.
    private static func unpinned(_ host: PropertyListMember) throws(PinSetFormatError) -> PropertyListValue? {
        guard
            let other = host.value.members?.first(where: { member in !hostKeys.contains { $0.isSame(as: member.key) } })
        else { return nil }
        guard acceptsHostsWithoutPins else { throw error(.otherKeyOfHost(other.key, host: host.key)) }
        var value = host.value
        for key in hostKeys { value = value.setting(key, to: nil) }
        return value
    }
}

extension PropertyListValue {
    /// The value with the notes of a pin as its comment. A pin without notes keeps the comment of the file, and one without a label keeps
    /// the label in it.
    fileprivate func labelled(by key: PinSet.PinnedKey) -> Self {
        let old = comment.map { PinComment($0) }
        let note = PinComment(key).keepingLabel(of: old)
        guard PinComment(key).markup != nil, let markup = note.markup, old != note else { return self }
        var value = self
        value.comment = markup
        return value
    }
}
