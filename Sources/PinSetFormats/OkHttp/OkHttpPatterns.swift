internal import Encodings
internal import PinSetCodec
internal import Pinning

/// The pins of each pattern, and the conversion of patterns to entries.
///
/// OkHttp combines the pins of all patterns that match a host. In a pin set only the most specific entry decides. So an entry gets
/// the pins of every pattern that covers its host.
struct OkHttpPatterns {
    /// The pins of the patterns that end with the same name.
    private struct Family {
        let name: String
        let line: Int
        var pins: [Scope: PinnedKeyList] = [:]

        subscript(_ scope: Scope) -> [PinSet.PinnedKey] { pins[scope]?.keys ?? [] }
    }

    private enum Scope {
        /// `example.com`.
        case exact
        /// `*.example.com`: names with one additional label, but not the name itself.
        case one
        /// `**.example.com`: the name itself and every name below it.
        case all
    }

    private var families: [Family] = []
    private var indices: [String: Int] = [:]

    /// An asterisk can only be the whole leftmost label.
    ///
    /// - Throws: for a pattern that OkHttp rejects or that matches no host of a pin set, and `host` for one that contains a private key.
    mutating func add(_ pattern: String, _ pins: [PinSet.PinnedKey], line: Int) throws(PinSetFormatError) {
        var scope: Scope
        var name = pattern[...]
        if name.hasPrefix("**.") {
            (scope, name) = (.all, name.dropFirst(3))
        } else if name.hasPrefix("*.") {
            (scope, name) = (.one, name.dropFirst(2))
        } else {
            scope = .exact
        }
        guard !name.has("*") else {
            throw OkHttpFormat.error(.okHttp(.refusedPattern(pattern)), line: line)
        }
        let host = try Self.host(String(name), pattern, line: line)
        if scope != .exact, IPAddress(host) != nil {
            guard scope == .all else { throw OkHttpFormat.error(.okHttp(.patternOfAddress(pattern)), line: line) }
            // It matches the address itself.
            scope = .exact
        }
        let index: Int
        if let known = indices[host] {
            index = known
        } else {
            index = families.count
            indices[host] = index
            families.append(Family(name: host, line: line))
        }
        for pin in pins { families[index].pins[scope, default: PinnedKeyList()].add(pin) }
    }

    /// The name in A-labels. OkHttp also converts names to A-labels.
    private static func host(_ text: String, _ pattern: String, line: Int) throws(PinSetFormatError) -> String {
        do throws(HostNameError) {
            return try HostName.normalized(text)
        } catch {
            if error.privateKeyKind != nil { throw OkHttpFormat.error(.host(error), line: line) }
        }
        if let name = try? DomainName.normalized(text), let host = try? HostName.normalized(name) { return host }
        throw OkHttpFormat.error(.okHttp(.patternNotHost(pattern)), line: line)
    }

    func entries(_ warnings: inout ConversionWarnings) throws(PinSetFormatError) -> [PinSet.Entry] {
        var entries: [PinSet.Entry] = []
        var inherited = 0
        for family in families {
            var (pins, subdomains) = Self.entry(of: family, &warnings)
            inherited -= pins.count
            inherit(into: &pins, of: family, subdomains, &warnings)
            inherited += pins.count
            guard inherited <= SharedPinCount.maximum else { throw OkHttpFormat.error(.okHttp(.tooManyPins)) }
            guard !pins.isEmpty else { continue }
            entries.append(
                try OkHttpFormat.entry(
                    family.name, subdomains: subdomains, pins: pins, at: SourcePosition(line: family.line, column: 1)))
        }
        return entries
    }

    private static func entry(
        of family: Family, _ warnings: inout ConversionWarnings
    ) -> (pins: [PinSet.PinnedKey], subdomains: PinSet.Subdomains) {
        let (exact, one, all) = (family[.exact], family[.one], family[.all])
        var pins = exact
        pins.merge(one)
        pins.merge(all)
        guard all.isEmpty else {
            if !all.hasSamePins(as: pins) {
                warnings.add(.patternsUnited(host: family.name), of: family.name)
            }
            return (pins, .all)
        }
        guard !one.isEmpty else { return (pins, .none) }
        if exact.isEmpty {
            warnings.add(.patternWithoutHost(family.name), of: family.name)
        } else if !one.hasSamePins(as: exact) {
            warnings.add(.patternsUnited(host: family.name), of: family.name)
        }
        return (pins, .one)
    }

    /// Adds the pins of patterns above the name that cover it.
    private func inherit(
        into pins: inout [PinSet.PinnedKey], of family: Family, _ subdomains: PinSet.Subdomains,
        _ warnings: inout ConversionWarnings
    ) {
        guard IPAddress(family.name) == nil, !pins.isEmpty else { return }
        var parent = family.name[...]
        var depth = 0
        while let dot = parent.firstIndex(of: ".") {
            parent = parent[dot...].dropFirst()
            depth += 1
            guard let index = indices[String(parent)] else { continue }
            let count = pins.count
            pins.merge(families[index][.all])
            guard depth == 1, !families[index][.one].isEmpty else { continue }
            let before = pins.count
            pins.merge(families[index][.one])
            // The parent's pattern `*.` covers the name, but not the names below it.
            if subdomains != .none, pins.count > before, count <= before {
                warnings.add(.patternsAboveUnited("*.\(parent)", host: family.name), of: family.name)
            }
        }
    }
}

extension [PinSet.PinnedKey] {
    /// Adds the keys whose pins the list does not contain.
    mutating func merge(_ others: [PinSet.PinnedKey]) {
        guard !others.isEmpty else { return }
        var known = Set(map(\.pin))
        for key in others where known.insert(key.pin).inserted { append(key) }
    }

    func hasSamePins(as others: [PinSet.PinnedKey]) -> Bool { Set(map(\.pin)) == Set(others.map(\.pin)) }
}
