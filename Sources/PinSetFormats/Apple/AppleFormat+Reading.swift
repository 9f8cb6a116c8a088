internal import Encodings
package import PinSetCodec
internal import Pinning
internal import PropertyLists

extension AppleFormat {
    package static func read(_ bytes: [UInt8]) throws(PinSetFormatError) -> PinSetReading {
        let list = try propertyList(bytes)
        var reader = AppleEntryReader(list: list)
        guard let path = path(in: list.root), let domains = list.root.value(at: path[...]) else {
            // In any other dictionary the key has no effect (SecPolicy.c, `parseNSPinnedDomains`).
            let isMisplaced = hasMisplacedDomains(list.root)
            guard isMisplaced || bytes.has(domainsKey) && !TrustKitFormat.hasOwnKeys(bytes) else {
                let other = TrustKitFormat.hasOwnKeys(bytes) ? PinSetFormat.trustkit : nil
                throw error(
                    .noDomains(key: domainsKey, isPropertyList: true, other: other), at: list.position(of: list.root))
            }
            if isMisplaced { reader.warnings.add(misplacedDomains(in: list.root, of: bytes)) }
            if let nested = nestedDomains(in: list.root, of: bytes) { reader.warnings.add(nested) }
            reader.warnings.add(.nothingPinned)
            return PinSetReading(set: try set([]), warnings: reader.warnings.list)
        }
        if !path.isEmpty, TrustKitFormat.hasOwnKeys(bytes) {
            reader.warnings.add(.otherFormatInFile(.trustkit))
        }
        if hasSecondDomains(list.root) { reader.warnings.add(misplacedDomains(in: list.root, of: bytes)) }
        if !path.isEmpty, let nested = nestedDomains(in: list.root, of: bytes) { reader.warnings.add(nested) }
        let set = try set(of: domains, in: bytes) { member throws(PinSetFormatError) in try reader.entry(member) }
        reader.warnings.add(combinationsOf: set, in: domains)
        if set.entries.isEmpty { reader.warnings.add(.nothingPinned) }
        return PinSetReading(set: set, warnings: reader.warnings.list)
    }
}

extension ConversionWarnings {
    /// Adds a warning for each host that accepts other chains because Apple's systems combine its lists with those of its parent
    /// domain. The names are normalized, because the spelling of a key in a file does not matter.
    fileprivate mutating func add(combinationsOf set: PinSet, in domains: PropertyListValue) {
        let includesSubdomains = (domains.members ?? []).contains { $0.value[AppleFormat.subdomainsKey]?.bool == true }
        guard includesSubdomains else { return }
        let model = AppleRules.model(of: domains)
        for entry in set.entries {
            guard let parent = model.parentChangingLists(of: entry.name) else { continue }
            add(.hostListsUnited(with: parent), of: entry.name)
        }
    }
}

/// Reads the dictionaries of the hosts one by one, by the rules of SecPolicy.c (`parseNSPinnedDomains`). Values of another type are
/// ignored. But if a list is present and has no usable pin, it rejects every connection.
private struct AppleEntryReader {
    let list: PropertyList
    var warnings = ConversionWarnings()
    /// The line index of the file. It is created when a warning needs it.
    private var lines: SourceLineIndex?

    init(list: PropertyList) { self.list = list }

    /// The entry of a host; nil if it has no usable pins.
    mutating func entry(_ member: PropertyListMember) throws(PinSetFormatError) -> PinSet.Entry? {
        let host = member.key
        guard let members = member.value.members else {
            let line = line(of: member.value)
            warnings.add(
                .valueIgnored(key: host, found: "\(member.value.kind)", expected: "a dictionary", line: line))
            return nil
        }
        guard !host.hasBuildSetting else {
            warnings.add(.unknownPattern(host, line: line(of: member.value) ?? 1))
            return nil
        }
        var pins: [PinSet.PinnedKey] = []
        var subdomains = PinSet.Subdomains.none
        var hasUnusableList = false
        for part in members {
            switch part.key {
            case AppleFormat.subdomainsKey:
                if let bool = part.value.bool {
                    subdomains = bool ? .one : .none
                } else {
                    warnings.add(.notTrueOrFalse(key: part.key, kind: "\(part.value.kind)"), of: host)
                }
            case AppleFormat.authoritiesKey, AppleFormat.leavesKey:
                let role: PinSet.AllowedRole = part.key == AppleFormat.leavesKey ? .leaf : .ca
                if !add(part, role: role, of: host, to: &pins) { hasUnusableList = true }
            default: warnings.add(.unknownKey(part.key), of: host)
            }
        }
        guard !pins.isEmpty, !hasUnusableList else {
            let line = line(of: member.value)
            warnings.add(hasUnusableList ? .hostBlocked(line: line) : .hostWithoutPins, of: host)
            return nil
        }
        if pins.contains(where: { $0.role == .leaf }), pins.contains(where: { $0.role == .ca }) {
            warnings.add(.bothListsMustMatch, of: host)
        }
        func position() -> SourcePosition? { member.range.map { SourcePosition(of: $0.lowerBound, in: list.bytes) } }
        let entry: PinSet.Entry
        do throws(PinSetFormatError) {
            entry = try AppleFormat.entry(host: host, at: position(), subdomains: subdomains, pins: pins)
        } catch {
            guard let problem = error.unmatchableHost else { throw error }
            warnings.add(.hostNeverMatches(problem, line: error.line), of: host)
            return nil
        }
        if !AppleFormat.isFound(host, as: entry.name) {
            warnings.add(.hostSpelling(written: entry.name, line: line(of: member.value)), of: host)
        }
        return entry
    }

    /// Adds the pins of one list. A pin in both lists can match in any position.
    ///
    /// - Returns: false if the list has no usable pin and therefore matches no chain.
    private mutating func add(
        _ part: PropertyListMember, role: PinSet.AllowedRole, of host: String, to pins: inout [PinSet.PinnedKey]
    ) -> Bool {
        // A value of another type is not ignored: it matches no chain, as an empty list.
        guard let identities = part.value.array else { return false }
        var others: [Pin: Int] = [:]
        for (index, pin) in pins.enumerated() { others[pin.pin] = index }
        var isUsable = false
        for identity in identities {
            if let text = identity[AppleFormat.digestKey]?.string, text.hasBuildSetting {
                warnings.add(.unknownPin(text, line: line(of: identity) ?? 1), of: host)
                isUsable = true
                continue
            }
            guard let pin = pin(identity, of: host) else { continue }
            isUsable = true
            if let other = others[pin] {
                let note = PinComment(pins[other]).text ?? identity.comment
                pins[other] = PinSet.PinnedKey(pin: pin, note: note)
            } else {
                pins.append(PinSet.PinnedKey(pin: pin, role: role, note: identity.comment))
            }
        }
        return isUsable
    }

    private mutating func pin(_ identity: PropertyListValue, of host: String) -> Pin? {
        guard let members = identity.members else {
            let line = line(of: identity)
            warnings.add(
                .valueIgnored(key: nil, found: "\(identity.kind)", expected: "a dictionary", line: line), of: host)
            return nil
        }
        for member in members where !member.key.isSame(as: AppleFormat.digestKey) {
            let isMisspelled = member.key.lowercased() == AppleFormat.digestKey.lowercased()
            let line = line(of: member.value)
            warnings.add(
                isMisspelled
                    ? .misspelledKey(member.key, AppleFormat.digestKey, line: line) : .unknownKeyOfPin(member.key, nil),
                of: host)
        }
        guard let text = identity[AppleFormat.digestKey]?.string else {
            if let value = identity[AppleFormat.digestKey] {
                let line = line(of: value)
                warnings.add(
                    .valueIgnored(
                        key: AppleFormat.digestKey, found: "\(value.kind)", expected: "a string", line: line),
                    of: host)
            }
            return nil
        }
        if let pin = try? Pin(spelling: text), pin.base64 == text { return pin }
        let line = line(of: identity)
        return warnings.pin(text, by: .apple, of: host, line: line)
    }

    /// The line of a value; nil in a binary file.
    private mutating func line(of value: PropertyListValue) -> Int? {
        guard let offset = value.sourceRanges?.range.lowerBound else { return nil }
        let index = lines ?? SourceLineIndex(list.bytes)
        lines = index
        return index.line(of: offset)
    }
}
