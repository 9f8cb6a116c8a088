internal import Encodings
package import PinSetCodec
internal import Pinning

extension AppleFormat {
    package static func read(_ bytes: [UInt8]) throws(PinSetFormatError) -> PinSetReading {
        let list = try propertyList(bytes)
        guard let path = path(in: list.root), let domains = list.root.value(at: path[...]) else {
            let hasOther = TrustKitFormat.hasOwnKeys(bytes)
            throw PinSetFormatError(
                format, at: list.position(of: list.root),
                message: "the property list has no \(domainsKey.quotedExcerpt)",
                hint: hasOther ? "it has TrustKit's pins: read it as \"trustkit\"" : nil)
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

    /// Nil for a host without pins.
    mutating func entry(_ member: PropertyListMember) throws(PinSetFormatError) -> PinSet.Entry? {
        let host = member.key
        guard let members = member.value.members else {
            throw error(
                "the value of \(host.quotedExcerpt) is \(member.value.kind), not a dictionary", at: member.value)
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
        if host.utf8.contains(where: { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) {
            warnings.add(.uppercaseHost, of: host)
        }
        return try AppleFormat.entry(
            host: host, at: member.range.map { SourcePosition(of: $0.lowerBound, in: list.bytes) },
            subdomains: subdomains,
            pins: pins)
    }

    /// Adds the pins of one list. One that is in both lists may match anywhere.
    private mutating func add(
        _ part: PropertyListMember, role: PinSet.AllowedRole, of host: String, to pins: inout [PinSet.PinnedKey]
    ) throws(PinSetFormatError) {
        guard let identities = part.value.array else {
            throw error(
                "\(part.key.quotedExcerpt) of \(host.quotedExcerpt) is \(part.value.kind), not an array", at: part.value
            )
        }
        guard !identities.isEmpty else {
            throw error(
                "\(part.key.quotedExcerpt) of \(host.quotedExcerpt) is empty, so that no certificate matches",
                at: part.value,
                hint: "remove the key, or add a pin")
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
            throw error(
                "a pin of \(host.quotedExcerpt) is \(identity.kind), not a dictionary", at: identity,
                hint: "write a dictionary with the one key \(AppleFormat.digestKey.quotedExcerpt)")
        }
        for member in members where member.key != AppleFormat.digestKey {
            warnings.add(.unknownKeyOfPin(member.key, nil), of: host)
        }
        guard let value = identity[AppleFormat.digestKey] else {
            throw error("a pin of \(host.quotedExcerpt) has no \(AppleFormat.digestKey.quotedExcerpt)", at: identity)
        }
        guard let text = value.string else {
            throw error(
                "\(AppleFormat.digestKey.quotedExcerpt) of \(host.quotedExcerpt) is \(value.kind), not a string",
                at: value)
        }
        return try AppleFormat.barePin(text, at: list.position(of: value))
    }

    private func error(_ message: String, at value: PropertyListValue, hint: String? = nil) -> PinSetFormatError {
        PinSetFormatError(AppleFormat.format, at: list.position(of: value), message: message, hint: hint)
    }
}
