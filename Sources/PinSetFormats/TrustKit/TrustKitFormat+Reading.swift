internal import Encodings
package import PinSetCodec
internal import Pinning

extension TrustKitFormat {
    package static func read(_ bytes: [UInt8]) throws(PinSetFormatError) -> PinSetReading {
        let root = try root(of: bytes)
        guard let path = path(in: root), let domains = root.value(at: path[...]) else {
            let other = AppleFormat.hasOwnKeys(bytes) ? PinSetFormat.apple : nil
            throw error(
                .noDomains(key: domainsKey, isPropertyList: false, other: other), at: root.position(in: bytes))
        }
        var reader = TrustKitEntryReader(bytes: bytes)
        if !path.isEmpty {
            let configuration = root.value(at: path.dropLast())?.members ?? []
            // The other keys in the root of an Info.plist do not concern TrustKit.
            for member in configuration where member.key != domainsKey && member.key.hasPrefix("TSK") {
                reader.warnings.add(.notRepresented("the key \(member.key.quotedExcerpt)"))
            }
            if AppleFormat.hasOwnKeys(bytes) {
                reader.warnings.add(.otherFormatInFile(.apple))
            }
        }
        let set = try set(of: domains, in: bytes) { member throws(PinSetFormatError) in try reader.entry(member) }
        return PinSetReading(set: set, warnings: reader.warnings.list)
    }

    static func root(of bytes: [UInt8]) throws(PinSetFormatError) -> PropertyListValue {
        guard isSource(bytes) else {
            return try propertyList(bytes).root
        }
        var reader = SwiftLiteralReader(bytes, format: format, constantPrefix: "kTSK")
        return .dictionary([(domainsKey, try reader.value(of: domainsKey))])
    }
}

/// Reads the dictionaries of the hosts, one by one.
private struct TrustKitEntryReader {
    let bytes: [UInt8]
    var warnings = ConversionWarnings()

    /// Nil for a host that TrustKit excludes, or that the file means to exclude.
    mutating func entry(_ member: PropertyListMember) throws(PinSetFormatError) -> PinSet.Entry? {
        let host = member.key
        guard let members = member.value.members else {
            throw TrustKitFormat.error(.value(host), is: member.value, not: .dictionary, in: bytes)
        }
        if member.value[TrustKitFormat.excludeKey]?.bool == true {
            warnings.add(.hostExcluded, of: host)
            return nil
        }
        var pins: [PinSet.PinnedKey]?
        var subdomains = PinSet.Subdomains.none
        var enforce = true
        var expires: Timestamp?
        for part in members {
            switch part.key {
            case TrustKitFormat.subdomainsKey: subdomains = try bool(part, of: host) ? .all : .none
            case TrustKitFormat.enforceKey: enforce = try bool(part, of: host)
            case TrustKitFormat.expirationKey: expires = try day(part, of: host)
            case TrustKitFormat.hashesKey: pins = try self.pins(part, of: host)
            case TrustKitFormat.excludeKey: _ = try bool(part, of: host)
            default: warnings.add(.notRepresented("the key \(part.key.quotedExcerpt)"), of: host)
            }
        }
        guard let pins else {
            // The key that was meant has another spelling. TrustKit stops the app, and lint says so.
            if member.value[TrustKitFormat.unknownExcludeKey] != nil {
                warnings.add(.hostWithoutPins, of: host)
                return nil
            }
            throw error(.missing(TrustKitFormat.hashesKey, in: .host(host)), at: member.value)
        }
        if enforce, Set(pins.map(\.pin)).count < 2 {
            warnings.add(.twoPinsForTrustKit, of: host)
        }
        return try TrustKitFormat.entry(
            host: host, at: member.range.map { SourcePosition(of: $0.lowerBound, in: bytes) }, subdomains: subdomains,
            expires: expires, enforce: enforce, pins: pins)
    }

    private func bool(_ part: PropertyListMember, of host: String) throws(PinSetFormatError) -> Bool {
        guard let bool = part.value.bool else {
            throw TrustKitFormat.error(.keyOfHost(part.key, host), is: part.value, not: .bool, in: bytes)
        }
        return bool
    }

    private func day(_ part: PropertyListMember, of host: String) throws(PinSetFormatError) -> Timestamp {
        guard let text = part.value.string else {
            throw TrustKitFormat.error(.keyOfHost(part.key, host), is: part.value, not: .string, in: bytes)
        }
        guard text.utf8.count == 10, let day = Timestamp(rfc3339: text) else {
            throw error(.notDay(text, for: .keyOfHost(part.key, host)), at: part.value)
        }
        return day
    }

    private func pins(_ part: PropertyListMember, of host: String) throws(PinSetFormatError) -> [PinSet.PinnedKey] {
        guard let hashes = part.value.array else {
            throw TrustKitFormat.error(.keyOfHost(part.key, host), is: part.value, not: .array, in: bytes)
        }
        guard !hashes.isEmpty else {
            throw error(.emptyPins(.keyOfHost(part.key, host), matchesNothing: false), at: part.value)
        }
        var pins: [PinSet.PinnedKey] = []
        for hash in hashes {
            guard let text = hash.string else {
                throw TrustKitFormat.error(.pinOfHost(host), is: hash, not: .string, in: bytes)
            }
            let pin = try TrustKitFormat.barePin(text, at: hash.position(in: bytes))
            pins.append(PinSet.PinnedKey(pin: pin, note: hash.comment))
        }
        return pins
    }

    private func error(_ reason: PinSetFormatError.Reason, at value: PropertyListValue) -> PinSetFormatError {
        TrustKitFormat.error(reason, at: value.position(in: bytes))
    }
}
