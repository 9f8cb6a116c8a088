internal import Encodings
package import PinSetCodec
internal import Pinning
internal import PropertyLists

extension TrustKitFormat {
    package static func read(_ bytes: [UInt8]) throws(PinSetFormatError) -> PinSetReading {
        guard !isSource(bytes) else { return try read(source: bytes) }
        let root = try propertyList(bytes).root
        guard let path = path(in: root), let domains = root.value(at: path[...]) else {
            guard !hasMisplacedDomains(root) else {
                var warnings = ConversionWarnings()
                warnings.add(misplacedDomains(in: root, of: bytes))
                warnings.add(.nothingPinned)
                return PinSetReading(set: try set([]), warnings: warnings.list)
            }
            let other = AppleFormat.hasOwnKeys(bytes) ? PinSetFormat.apple : nil
            throw error(
                .noDomains(key: domainsKey, isPropertyList: false, other: other), at: root.position(in: bytes))
        }
        var reader = TrustKitEntryReader(bytes: bytes)
        if hasSecondDomains(root) { reader.warnings.add(misplacedDomains(in: root, of: bytes)) }
        if !path.isEmpty {
            let configuration = root.value(at: path.dropLast())?.members ?? []
            // In the root of an Info.plist, TrustKit does not read the other keys.
            for member in configuration where !member.key.isSame(as: domainsKey) && member.key.begins(with: "TSK") {
                reader.warnings.add(.notRepresented("the key \(member.key.quotedExcerpt)"))
            }
            if AppleFormat.hasOwnKeys(bytes) {
                reader.warnings.add(.otherFormatInFile(.apple))
            }
        }
        let set = try set(of: domains, in: bytes) { member throws(PinSetFormatError) in try reader.entry(member) }
        return PinSetReading(set: set, warnings: reader.warnings.list)
    }

    /// The root of a property list. For source code, one root with the dictionaries of all hosts.
    static func root(of bytes: [UInt8]) throws(PinSetFormatError) -> PropertyListValue {
        guard isSource(bytes) else { return try propertyList(bytes).root }
        var literals = LiteralReader(bytes, format: format, language: .swift(constantPrefix: "kTSK"))
        let members = try literals.values(of: domainsKey).flatMap { $0.members ?? [] }
        return .dictionary([(domainsKey, PropertyListValue(.dictionary(members)))])
    }

    /// Reads every dictionary of hosts in source code. There can be several, for tests and build variants. If a host has several
    /// entries, the first one is used.
    private static func read(source bytes: [UInt8]) throws(PinSetFormatError) -> PinSetReading {
        var literals = LiteralReader(bytes, format: format, language: .swift(constantPrefix: "kTSK"))
        let dictionaries = try literals.values(of: domainsKey)
        var reader = TrustKitEntryReader(bytes: bytes)
        for expression in literals.unread where !isIgnored(expression.key) {
            reader.warnings.add(.valueNotLiteral(expression.text, key: expression.key, line: expression.line))
        }
        var entries: [PinSet.Entry] = []
        var known: [String: PinSet.Entry] = [:]
        let lines = SourceLineIndex(bytes)
        for dictionary in dictionaries {
            let set = try set(of: dictionary, in: bytes) { member throws(PinSetFormatError) in try reader.entry(member)
            }
            for entry in set.entries {
                if let first = known[entry.name] {
                    let line = dictionary.sourceRanges.map { lines.line(of: $0.range.lowerBound) }
                    if !first.hasSamePins(as: entry) { reader.warnings.add(.laterEntry(line: line), of: entry.host) }
                } else {
                    known[entry.name] = entry
                    entries.append(entry)
                }
            }
        }
        if entries.isEmpty { reader.warnings.add(.nothingPinned) }
        return PinSetReading(set: try set(entries), warnings: reader.warnings.list)
    }

    /// Whether TrustKit ignores a key for pinning. It has ignored `TSKPublicKeyAlgorithms` since version 1.6.
    private static func isIgnored(_ key: String?) -> Bool {
        key == "TSKPublicKeyAlgorithms" || key == "TSKReportUris" || key == "TSKDisableDefaultReportUri"
    }
}

extension PinSet.Entry {
    fileprivate func hasSamePins(as other: PinSet.Entry) -> Bool {
        Set(pins.map(\.pin)) == Set(other.pins.map(\.pin)) && subdomains == other.subdomains
            && expires == other.expires && enforce == other.enforce
    }
}

/// Reads the dictionaries of the hosts one by one, as parse_configuration.m does.
private struct TrustKitEntryReader {
    let bytes: [UInt8]
    var warnings = ConversionWarnings()
    /// The line index of the file. It is created when a warning needs it.
    private var lines: SourceLineIndex?
    /// Whether a pin of the current host is the name of a build setting.
    private var hasUnreadPin = false

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// The entry of a host; nil if TrustKit excludes the host or if its pins cannot be read.
    mutating func entry(_ member: PropertyListMember) throws(PinSetFormatError) -> PinSet.Entry? {
        let host = member.key
        guard !host.hasBuildSetting else {
            warnings.add(.unknownPattern(host, line: line(of: member.range?.lowerBound) ?? 1))
            return nil
        }
        guard let members = member.value.members else {
            throw TrustKitFormat.error(.value(host), is: member.value, not: .dictionary, in: bytes)
        }
        if member.value[TrustKitFormat.excludeKey]?.isTrue == true {
            warnings.add(.hostExcluded, of: host)
            return nil
        }
        hasUnreadPin = false
        var pins: [PinSet.PinnedKey] = []
        var subdomains = PinSet.Subdomains.none
        var enforce = true
        var expires: Timestamp?
        for part in members {
            switch ExactText(part.key) {
            case ExactText(TrustKitFormat.subdomainsKey): subdomains = try bool(part, of: host) ?? false ? .all : .none
            case ExactText(TrustKitFormat.enforceKey): enforce = try bool(part, of: host) ?? true
            case ExactText(TrustKitFormat.expirationKey): expires = try day(part, of: host)
            case ExactText(TrustKitFormat.hashesKey): pins = try self.pins(part, of: host)
            case ExactText(TrustKitFormat.excludeKey): _ = try bool(part, of: host)
            // The unknown one has another finding.
            case _
            where TrustKitFormat.hostKeys.contains(part.key) || part.key.isSame(as: TrustKitFormat.unknownExcludeKey):
                warnings.add(.notRepresented("the key \(part.key.quotedExcerpt)"), of: host)
            default: warnings.add(.unknownKey(part.key), of: host)
            }
        }
        if enforce, !hasUnreadPin, Set(pins.map(\.pin)).count < 2 {
            warnings.add(.twoPinsForTrustKit, of: host)
        }
        guard !pins.isEmpty else {
            warnings.add(.hostWithoutPins, of: host)
            return nil
        }
        func position() -> SourcePosition? { member.range.map { SourcePosition(of: $0.lowerBound, in: bytes) } }
        let entry: PinSet.Entry
        do throws(PinSetFormatError) {
            entry = try TrustKitFormat.entry(
                host: host, at: position(), subdomains: subdomains, expires: expires, enforce: enforce, pins: pins)
        } catch {
            guard let problem = error.unmatchableHost else { throw error }
            warnings.add(.hostNeverMatches(problem, line: error.line), of: host)
            return nil
        }
        if !TrustKitFormat.isFound(host, as: entry.name) {
            let line = line(of: member.range?.lowerBound ?? member.value.sourceRanges?.range.lowerBound)
            warnings.add(.hostSpelling(written: entry.name, line: line), of: host)
        }
        return entry
    }

    /// The line of an offset; nil in a binary file, which has no offsets.
    private mutating func line(of offset: Int?) -> Int? {
        guard let offset else { return nil }
        let index = lines ?? SourceLineIndex(bytes)
        lines = index
        return index.line(of: offset)
    }

    /// Nil for the name of a build setting; a warning is added.
    private mutating func bool(_ part: PropertyListMember, of host: String) throws(PinSetFormatError) -> Bool? {
        guard !isBuildSetting(part, of: host) else { return nil }
        guard let bool = part.value.isTrue else {
            throw TrustKitFormat.error(.keyOfHost(part.key, host), is: part.value, not: .bool, in: bytes)
        }
        return bool
    }

    /// The expiry day; nil for a text that is not a day. In this case TrustKit's formatter returns no date, and the pins do not
    /// expire.
    private mutating func day(_ part: PropertyListMember, of host: String) throws(PinSetFormatError) -> Timestamp? {
        guard let text = part.value.string else {
            throw TrustKitFormat.error(.keyOfHost(part.key, host), is: part.value, not: .string, in: bytes)
        }
        guard !isBuildSetting(part, of: host) else { return nil }
        guard let day = PlatformDate.dateFormatter(text) else {
            let line = part.value.position(in: bytes)?.line
            warnings.add(.dayNotRead(text, key: part.key, line: line, .isIgnored), of: host)
            return nil
        }
        return day
    }

    private mutating func isBuildSetting(_ part: PropertyListMember, of host: String) -> Bool {
        guard let text = part.value.string, text.hasBuildSetting else { return false }
        let line = part.value.position(in: bytes)?.line
        warnings.add(.valueNotLiteral(text, key: part.key, line: line), of: host)
        return true
    }

    private mutating func pins(
        _ part: PropertyListMember, of host: String
    ) throws(PinSetFormatError) -> [PinSet.PinnedKey] {
        guard let hashes = part.value.array else {
            throw TrustKitFormat.error(.keyOfHost(part.key, host), is: part.value, not: .array, in: bytes)
        }
        var pins: [PinSet.PinnedKey] = []
        for hash in hashes {
            guard let text = hash.string else {
                throw TrustKitFormat.error(.pinOfHost(host), is: hash, not: .string, in: bytes)
            }
            if let pin = pin(text, at: hash.sourceRanges?.range.lowerBound, of: host) {
                pins.append(PinSet.PinnedKey(pin: pin, note: hash.comment))
            }
        }
        return pins
    }

    private mutating func pin(_ text: String, at offset: Int?, of host: String) -> Pin? {
        // This test avoids computing the line, which takes time and is only needed for a warning.
        if let pin = try? Pin(spelling: text), pin.base64 == text { return pin }
        let line = line(of: offset)
        guard !text.hasBuildSetting else {
            hasUnreadPin = true
            warnings.add(.unknownPin(text, line: line ?? 1), of: host)
            return nil
        }
        return warnings.pin(text, by: .trustKit, of: host, line: line)
    }
}

extension PropertyListValue {
    /// The value by `-[NSNumber boolValue]` and `-[NSString boolValue]`. A number is true unless it is 0. A string is true if it
    /// begins with `Y`, `y`, `T`, `t` or a digit other than 0, after white space, a sign and zeros. Nil for other types.
    var isTrue: Bool? {
        switch content {
        case .bool(let bool): return bool
        case .integer(let number): return number != 0
        case .real(let number): return number != 0
        case .single(let number): return number != 0
        case .string(let text): return PlatformBool.foundation(text)
        default: return nil
        }
    }
}
