internal import Encodings
internal import PinSetCodec
internal import Pinning

/// Reads options of the React Native libraries from JavaScript and TypeScript, as object literals in calls or in constants.
struct ReactNativeSource {
    /// The pins of one host with its other options.
    struct Host {
        let name: String
        let line: Int
        /// Values without text are reported by the reader.
        var pins: [(text: String, line: Int)] = []
        /// Options beside the pins: `includeSubdomains`, `expirationDate`.
        var options: [String: SourceLiteral] = [:]
    }

    private var reader: SourceReader

    init(_ bytes: [UInt8]) {
        reader = SourceReader(bytes, language: .javaScript)
    }

    /// Whether a text contains a name that is followed by a colon, or by an equals sign.
    static func names(_ name: String, in bytes: [UInt8]) -> Bool {
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

    // MARK: publicKeyHashes

    /// The objects with `publicKeyHashes`, each with the key of the object as its host.
    mutating func hostsOfHashes(_ warnings: inout ConversionWarnings) -> [Host] {
        var hosts: [Host] = []
        for index in reader.source.indices(of: "publicKeyHashes") where reader.source.isSign(index + 1, ":") {
            let value = reader.literal(at: index + 2)
            guard !isType(value) else { continue }
            // Some apps have one object with all hosts.
            if let members = value.members {
                for member in members { hosts.append(contentsOf: host(member, &warnings)) }
                continue
            }
            guard let open = reader.source.openBracket(around: index), reader.source.isSign(open, "{"),
                let key = reader.key(before: open)
            else { continue }
            let line = reader.source.tokens[index].line
            guard let name = key.keyText else {
                warnings.add(.unknownPattern(reader.source.source(of: key.range), line: key.line))
                continue
            }
            var host = Host(name: name, line: line)
            host.pins = pins(value, of: name, &warnings)
            for member in reader.members(in: open) {
                if let key = member.key?.keyText, key != "publicKeyHashes" { host.options[key] = member.value }
            }
            if !host.pins.isEmpty { hosts.append(host) }
        }
        return hosts
    }

    // MARK: sha256Keys

    /// The objects `sha256Keys`, with the options of each host in the object `domains` beside it.
    mutating func hostsOfKeys(_ warnings: inout ConversionWarnings) -> [Host] {
        var hosts: [Host] = []
        for index in reader.source.indices(of: "sha256Keys")
        where reader.source.isSign(index + 1, ":") || reader.source.isSign(index + 1, "=") {
            let value = reader.literal(at: index + 2)
            guard let members = value.members else {
                if !isType(value) {
                    warnings.add(.unknownPattern(reader.source.source(of: value.range), line: value.line))
                }
                continue
            }
            var domains: [SourceLiteral.Member] = []
            if let open = reader.source.openBracket(around: index), reader.source.isSign(open, "{"),
                reader.source.isSign(index + 1, ":")
            {
                domains = reader.members(in: open).first { $0.key?.keyText == "domains" }?.value.members ?? []
            }
            for member in members {
                for var host in host(member, &warnings) {
                    let options = domains.first { $0.key?.keyText == host.name }?.value.members ?? []
                    for option in options { if let key = option.key?.keyText { host.options[key] = option.value } }
                    hosts.append(host)
                }
            }
        }
        return hosts
    }

    // MARK: Parts

    /// `"host": ["…"]`.
    private mutating func host(_ member: SourceLiteral.Member, _ warnings: inout ConversionWarnings) -> [Host] {
        guard let key = member.key, let name = key.keyText else {
            warnings.add(
                .unknownPattern(reader.source.source(of: member.value.range), line: member.value.line))
            return []
        }
        let pins = pins(member.value, of: name, &warnings)
        return pins.isEmpty ? [] : [Host(name: name, line: key.line, pins: pins)]
    }

    private func pins(
        _ value: SourceLiteral, of host: String, _ warnings: inout ConversionWarnings
    ) -> [(text: String, line: Int)] {
        guard let list = value.list else {
            warnings.add(.unknownPin(reader.source.source(of: value.range), line: value.line), of: host)
            return []
        }
        var pins: [(text: String, line: Int)] = []
        for item in list {
            if let text = item.text {
                pins.append((text, item.line))
            } else {
                warnings.add(.unknownPin(reader.source.source(of: item.range), line: item.line), of: host)
            }
        }
        return pins
    }

    /// Whether a value is a TypeScript type: `publicKeyHashes: string[]`.
    private func isType(_ value: SourceLiteral) -> Bool {
        ["string", "Array", "ReadonlyArray", "readonly", "Record", "Readonly"]
            .contains { reader.source.isWord(value.range.lowerBound, $0) }
    }
}

extension ReactNativeSource.Host {
    /// The Boolean value of an option; nil if it is absent or not a literal.
    func bool(_ key: String, _ warnings: inout ConversionWarnings) -> Bool? {
        guard let value = options[key] else { return nil }
        switch value.content {
        case .name("true"): return true
        case .name("false"): return false
        default:
            warnings.add(.notRead("\(key.quotedExcerpt) is not true or false", line: value.line), of: name)
            return nil
        }
    }

    /// The day of an option; nil if it is absent or not a day.
    func day(_ key: String, _ warnings: inout ConversionWarnings) -> Timestamp? {
        guard let value = options[key] else { return nil }
        guard let text = value.text, text.utf8.count == 10, let day = Timestamp(rfc3339: text) else {
            warnings.add(.notRead("\(key.quotedExcerpt) is not a day", line: value.line), of: name)
            return nil
        }
        return day
    }
}

/// A format whose options are read from JavaScript and TypeScript, too.
protocol ReactNativeCodec: PinSetCodec {
    /// Whether the library covers the subdomains of a host without `includeSubdomains`.
    static var includesSubdomainsByDefault: Bool { get }
    /// The name of the option without which mismatches are enforced; nil if the library has none.
    static var enforcementKey: String? { get }
}

extension ReactNativeCodec {
    /// The set of the hosts in a source. Pins of a host that occurs several times are united.
    static func reading(
        of hosts: [ReactNativeSource.Host], _ warnings: inout ConversionWarnings, example: String
    ) throws(PinSetFormatError) -> PinSetReading {
        var order: [String] = []
        var found: [String: (host: ReactNativeSource.Host, keys: PinnedKeyList)] = [:]
        for host in hosts {
            guard let name = try? HostName.normalized(host.name) else {
                warnings.add(.unknownPattern(host.name, line: host.line))
                continue
            }
            var keys = found[name]?.keys ?? PinnedKeyList()
            for (text, line) in host.pins {
                do throws(PinSpellingError) {
                    keys.add(PinSet.PinnedKey(pin: try Pin(spelling: text)))
                } catch {
                    warnings.add(.notRead(error.message, line: line), of: host.name)
                }
            }
            if found[name] == nil { order.append(name) }
            found[name] = (found[name]?.host ?? host, keys)
        }
        var entries: [PinSet.Entry] = []
        for name in order {
            guard let (host, keys) = found[name], !keys.isEmpty else { continue }
            let covers = host.bool("includeSubdomains", &warnings) ?? includesSubdomainsByDefault
            entries.append(
                try entry(
                    host.name, subdomains: covers && IPAddress(name) == nil ? .all : .none,
                    expires: host.day("expirationDate", &warnings),
                    enforce: enforcementKey.flatMap { host.bool($0, &warnings) } ?? true,
                    pins: keys.keys, at: SourcePosition(line: host.line, column: 1)))
        }
        guard !entries.isEmpty else { throw noPins(warnings, example: example) }
        return PinSetReading(set: try set(entries), warnings: warnings.list)
    }
}
