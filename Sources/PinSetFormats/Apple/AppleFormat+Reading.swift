internal import Encodings
package import PinSetCodec
internal import Pinning

extension AppleFormat {
    package static func read(_ bytes: [UInt8]) throws(PinSetFormatError) -> PinSetReading {
        let list = try propertyList(bytes)
        guard let path = path(in: list.root), let domains = list.root.value(at: path[...]) else {
            let hasOther = TrustKitFormat.hasOwnKeys(bytes)
            throw error(
                .noDomains(key: domainsKey, isPropertyList: true, other: hasOther ? .trustkit : nil),
                at: list.position(of: list.root))
        }
        var reader = AppleEntryReader(list: list)
        if !path.isEmpty, TrustKitFormat.hasOwnKeys(bytes) {
            reader.warnings.add(.otherFormatInFile(.trustkit))
        }
        let set = try set(of: domains, in: bytes) { member throws(PinSetFormatError) in try reader.entry(member) }
        return PinSetReading(set: set, warnings: reader.warnings.list)
    }
}

/// Reads the dictionaries of the hosts, one by one.
private struct AppleEntryReader {
    let list: PropertyList
    var warnings = ConversionWarnings()

    /// The entry of a host; nil for a host without pins.
    mutating func entry(_ member: PropertyListMember) throws(PinSetFormatError) -> PinSet.Entry? {
        let host = member.key
        guard let members = member.value.members else {
            throw AppleFormat.error(.value(host), is: member.value, not: .dictionary, in: list.bytes)
        }
        var pins: [PinSet.PinnedKey] = []
        var subdomains = PinSet.Subdomains.none
        for part in members {
            switch part.key {
            case AppleFormat.subdomainsKey:
                if let bool = part.value.bool {
                    subdomains = bool ? .one : .none
                } else {
                    warnings.add(.notTrueOrFalse(key: part.key, kind: "\(part.value.kind)"), of: host)
                }
            case AppleFormat.authoritiesKey: try add(part, role: .ca, of: host, to: &pins)
            case AppleFormat.leavesKey: try add(part, role: .leaf, of: host, to: &pins)
            default: warnings.add(.unknownKey(part.key), of: host)
            }
        }
        guard !pins.isEmpty else {
            warnings.add(.hostWithoutPins, of: host)
            return nil
        }
        if pins.contains(where: { $0.role == .leaf }), pins.contains(where: { $0.role == .ca }) {
            warnings.add(.bothListsMustMatch, of: host)
        }
        return try AppleFormat.entry(
            host: host, at: member.range.map { SourcePosition(of: $0.lowerBound, in: list.bytes) },
            subdomains: subdomains,
            pins: pins)
    }

    /// Adds the pins of one list. A pin that is in both lists can match at any position.
    private mutating func add(
        _ part: PropertyListMember, role: PinSet.AllowedRole, of host: String, to pins: inout [PinSet.PinnedKey]
    ) throws(PinSetFormatError) {
        guard let identities = part.value.array else {
            throw AppleFormat.error(.keyOfHost(part.key, host), is: part.value, not: .array, in: list.bytes)
        }
        guard !identities.isEmpty else {
            throw error(.emptyPins(.keyOfHost(part.key, host), matchesNothing: true), at: part.value)
        }
        var others: [Pin: Int] = [:]
        for (index, pin) in pins.enumerated() { others[pin.pin] = index }
        for identity in identities {
            let pin = try pin(identity, of: host)
            if let other = others[pin] {
                let note = PinComment(pins[other]).text ?? identity.comment
                pins[other] = PinSet.PinnedKey(pin: pin, note: note)
            } else {
                pins.append(PinSet.PinnedKey(pin: pin, role: role, note: identity.comment))
            }
        }
    }

    private mutating func pin(_ identity: PropertyListValue, of host: String) throws(PinSetFormatError) -> Pin {
        guard let members = identity.members else {
            throw AppleFormat.error(
                .pinOfHost(host), is: identity, not: .dictionaryOf(key: AppleFormat.digestKey), in: list.bytes)
        }
        for member in members where member.key != AppleFormat.digestKey {
            warnings.add(.unknownKeyOfPin(member.key, nil), of: host)
        }
        guard let value = identity[AppleFormat.digestKey] else {
            throw error(.missing(AppleFormat.digestKey, in: .pinOfHost(host)), at: identity)
        }
        guard let text = value.string else {
            throw AppleFormat.error(.keyOfHost(AppleFormat.digestKey, host), is: value, not: .string, in: list.bytes)
        }
        return try AppleFormat.barePin(text, at: list.position(of: value))
    }

    private func error(_ reason: PinSetFormatError.Reason, at value: PropertyListValue) -> PinSetFormatError {
        AppleFormat.error(reason, at: list.position(of: value))
    }
}
