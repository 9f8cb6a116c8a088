internal import Encodings
public import PinSetCodec
internal import Pinning
internal import PropertyLists

/// `NSPinnedDomains` in the configuration of an Expo app: in `expo.ios.infoPlist.NSAppTransportSecurity` of app.json, or the same object
/// in app.config.js.
///
/// Expo copies the object to the `Info.plist` of the iOS app. So the keys and rules are those of `apple`.
enum ExpoFormat: PinSetCodec {
    static let traits = FormatTraits(
        name: "expo", summary: "NSPinnedDomains in app.json or app.config.js of an Expo app", fileName: "app.json",
        unitesOverlappingHosts: true, platforms: [.apple],
        lintRules: [
            .oneLabelSubdomains, .twoLists(leaves: AppleFormat.leavesKey, authorities: AppleFormat.authoritiesKey),
        ],
        capabilities: FormatCapabilities(
            subdomains: [.none, .one], roles: Set(PinSet.AllowedRole.allCases), takesAddresses: false))

    static func recognizes(_ file: FileContents) -> Bool {
        !PropertyList.isLikely(file.bytes) && names(AppleFormat.domainsKey, in: file.bytes)
    }

    /// Whether a text contains `name` followed by a colon or an equals sign.
    private static func names(_ name: String, in bytes: [UInt8]) -> Bool {
        let name = Array(name.utf8)
        var start = 0
        while let range = bytes[start...].firstRange(ignoringCase: String(decoding: name, as: UTF8.self).lowercased()) {
            start = range.upperBound
            guard bytes[range].elementsEqual(name), range.lowerBound == 0 || !bytes[range.lowerBound - 1].isWord else {
                continue
            }
            let rest = bytes[range.upperBound...].drop { $0.isWhiteSpace || "\"'".utf8.contains($0) }
            if let next = rest.first, next == UInt8(ascii: ":") || next == UInt8(ascii: "=") { return true }
        }
        return false
    }

    /// The keys from the outermost object of app.json to the pins.
    private static let path = ExpoLocation.path + [AppleFormat.domainsKey]

    // MARK: Reading

    static func read(_ bytes: [UInt8]) throws(PinSetFormatError) -> PinSetReading {
        var warnings = ConversionWarnings()
        let domains = try domains(in: bytes, &warnings)
        guard !domains.isEmpty else {
            guard !warnings.list.contains(where: \.isOfPlace) else {
                warnings.add(.nothingPinned)
                return PinSetReading(set: try set([]), warnings: warnings.list)
            }
            throw noPins(warnings, example: "write pins in expo.ios.infoPlist.NSAppTransportSecurity.NSPinnedDomains")
        }
        let members = domains.map { ($0.host, $0.value) }
        let list = PropertyListValue.dictionary([
            (AppleFormat.securityKey, .dictionary([(AppleFormat.domainsKey, .dictionary(members))]))
        ])
        do throws(PinSetFormatError) {
            let reading = try AppleFormat.read(try AppleFormat.document(list))
            for warning in reading.warnings { warnings.add(warning.reason, of: warning.host) }
            return PinSetReading(set: reading.set, warnings: warnings.list)
        } catch {
            // The error has no position here, because it would be the position in the property list.
            var line: Int?
            if case .host(let name) = error.reason {
                line = domains.first { ExactText($0.host) == ExactText(name.host) }?.line
            }
            throw PinSetFormatError(error.reason, format: format, line: line)
        }
    }

    /// The members of `NSPinnedDomains` as Expo writes them to the property list, with their lines from 1.
    ///
    /// - Parameter warnings: receives a warning for each part whose value is not a literal, and for `NSPinnedDomains` in a place from
    ///   which Expo does not copy it.
    static func domains(
        in bytes: [UInt8], _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> [(host: String, value: PropertyListValue, line: Int)] {
        var reader = SourceReader(bytes, language: .javaScript)
        var members: [(host: String, value: PropertyListValue, line: Int)] = []
        var known: Set<ExactText> = []
        var shared = SharedPinCount(literals: reader.literals)
        let location = ExpoLocation(reader.source)
        for index in reader.source.indices(of: AppleFormat.domainsKey) where reader.source.isSign(index + 1, ":") {
            let domains = reader.literal(at: index + 2)
            try reader.checkLimits(as: self)
            let source = reader.source
            let hosts = domains.members
            if hosts == nil {
                // `null` pins no host, and neither does a type of TypeScript: `Record<…>`, or a name before a semicolon.
                if case .name("null") = domains.content { continue }
                if source.isSign(index + 3, "<") || source.isSign(domains.range.upperBound, ";") { continue }
            }
            if let place = location.otherPlace(of: index) {
                warnings.add(
                    .valueIgnored(
                        key: AppleFormat.domainsKey, found: place.isEmpty ? "in the root" : "in \(place.quotedExcerpt)",
                        expected: "in \(ExpoLocation.path.joined(separator: ".").quotedExcerpt)",
                        line: source.tokens[index].line))
                continue
            }
            guard let hosts else {
                let text = source.source(of: domains.range)
                warnings.add(.valueNotLiteral(text, key: AppleFormat.domainsKey, line: domains.line))
                continue
            }
            var own: Set<ExactText> = []
            for member in hosts {
                guard let host = member.key?.keyText else {
                    warnings.add(.unknownPattern(reader.source.source(of: member.value.range), line: member.value.line))
                    continue
                }
                try checkIsNew(host, in: &own, line: member.value.line)
                guard let value = try value(of: member.value, reader.source, &shared, &warnings) else { continue }
                guard known.insert(ExactText(host)).inserted else {
                    warnings.add(.laterEntry(line: member.value.line), of: host)
                    continue
                }
                members.append((host, value, member.value.line))
            }
        }
        if reader.source.isSign(0, "{") { checkJSON5(bytes, &warnings) }
        return members
    }

    /// The value as Expo writes it to the property list; nil for an expression.
    private static func value(
        of literal: SourceLiteral, _ source: SourceText, _ shared: inout SharedPinCount,
        _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> PropertyListValue? {
        switch literal.content {
        case .text:
            try shared.add(1, as: self, at: SourcePosition(line: literal.line, column: 1))
            return literal.text.map { .string($0) }
        case .name("true"): return .bool(true)
        case .name("false"): return .bool(false)
        case .name(let name):
            if let number = Int64(name) { return PropertyListValue(.integer(Int128(number))) }
        case .list(let values):
            var array: [PropertyListValue] = []
            for element in values {
                if let value = try value(of: element, source, &shared, &warnings) { array.append(value) }
            }
            return .array(array)
        case .members(let members):
            var dictionary: [(String, PropertyListValue)] = []
            var known: Set<ExactText> = []
            for member in members {
                guard let key = member.key?.keyText else {
                    // This is a computed key, or the members of another object: `...base`.
                    let part = member.key ?? member.value
                    warnings.add(.valueNotLiteral(source.source(of: part.range), key: nil, line: part.line))
                    continue
                }
                try checkIsNew(key, in: &known, line: member.value.line)
                if let value = try value(of: member.value, source, &shared, &warnings) {
                    dictionary.append((key, value))
                }
            }
            return .dictionary(dictionary)
        case .call, .unknown: break
        }
        warnings.add(.unknownPin(source.source(of: literal.range), line: literal.line))
        return nil
    }

    /// Warns if Expo cannot read app.json, or reads the pins in another way.
    ///
    /// Expo reads app.json as JSON5 (expo 6587c492, packages/@expo/config/src/getConfig.ts). An object at the start is no JavaScript.
    private static func checkJSON5(_ bytes: [UInt8], _ warnings: inout ConversionWarnings) {
        do throws(JSONError) {
            guard let (key, position) = try JSON5.repeatedKey(in: bytes, on: path) else { return }
            warnings.add(.notRead("Expo uses the last \(key.quotedExcerpt) of an object", line: position.line))
        } catch {
            switch error.reason {
            // Node.js replaces bytes that are not UTF-8, and JSON5.parse has no limit of the depth.
            case .invalidUTF8, .tooDeep: break
            default: warnings.add(.fileRejected(by: "Expo", error.message, line: error.position.line))
            }
        }
    }

    /// - Throws: ``PinSetFormatError`` if the object has the key already. In JSON and in JavaScript, the last one counts.
    private static func checkIsNew(
        _ key: String, in known: inout Set<ExactText>, line: Int
    ) throws(PinSetFormatError) {
        guard known.insert(ExactText(key)).inserted else { throw error(.literal(.keyTwice(key)), line: line) }
    }

    // MARK: Writing

    static func write(_ set: PinSet) throws(PinSetFormatError) -> PinSetWriting {
        var warnings = ConversionWarnings()
        let entries = try AppleFormat.writable(set, as: format, with: traits.capabilities, &warnings)
        var writer = JSONWriter(.pretty)
        writer.object { write(entries, under: path[...], to: &$0) }
        writer.endLine()
        return PinSetWriting(writer.output, warnings)
    }

    private static func write(_ entries: [WritableEntry], under path: ArraySlice<String>, to writer: inout JSONWriter) {
        if let key = path.first {
            writer.object(key) { write(entries, under: path.dropFirst(), to: &$0) }
            return
        }
        for entry in entries { writer.object(entry.host) { write(entry, to: &$0) } }
    }

    private static func write(_ entry: WritableEntry, to writer: inout JSONWriter) {
        let lists = ApplePinLists(entry.pins)
        if entry.subdomains != .none { writer.field(AppleFormat.subdomainsKey, true) }
        for (key, pins) in [(AppleFormat.authoritiesKey, lists.authorities), (AppleFormat.leavesKey, lists.leaves)]
        where !pins.isEmpty {
            writer.array(key) { array in
                // Pins that are in both lists come first, so that reading the output returns the same order.
                let sorted = pins.filter { $0.role == .any } + pins.filter { $0.role != .any }
                for pin in sorted { array.object { $0.field(AppleFormat.digestKey, pin.pin.base64) } }
            }
        }
    }
}

extension ConversionWarning {
    /// Whether `NSPinnedDomains` is in a place where it has no effect.
    fileprivate var isOfPlace: Bool {
        if case .valueIgnored(AppleFormat.domainsKey, _, _, _) = reason { true } else { false }
    }
}

extension PinSetFormat {
    public static let expo = PinSetFormat(ExpoFormat.self)
}
