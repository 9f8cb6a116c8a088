internal import Encodings
internal import PinSetCodec
internal import Pinning

/// Reads the pins in Swift source: the table of the delegate that pinctl writes, or strings that are pins.
///
/// The host of a string is the host of a URL, or a key, in the brackets around it.
struct URLSessionReader {
    private var source: SourceReader
    private var warnings = ConversionWarnings()
    /// The host of pins without a host in the source.
    private let host: String?
    /// The host in the brackets that open at a token.
    private var hostsOfBrackets: [Int: String?] = [:]

    /// Maximum number of brackets around a pin in which a host is searched.
    private static let maximumDepth = 4

    init(_ bytes: [UInt8], host: String?) {
        source = SourceReader(bytes, language: .swift)
        self.host = host
    }

    var hasPins: Bool { !pins.isEmpty }

    mutating func reading() throws(PinSetFormatError) -> PinSetReading {
        if let entries = try table() {
            return PinSetReading(set: try URLSessionFormat.set(entries), warnings: warnings.list)
        }
        var hosts = HostPinList()
        for (index, pin) in pins {
            let position = source.source.position(of: index)
            let found = self.host(around: index)
            try source.checkLimits(as: URLSessionFormat.self)
            guard let host = found ?? host else { throw URLSessionFormat.missingHost(at: position) }
            hosts.add(PinSet.PinnedKey(pin: pin, note: source.source.comment(after: index)), of: host, at: position)
        }
        guard !hosts.isEmpty else {
            throw URLSessionFormat.noPins(warnings, example: "write each pin as a string in base64")
        }
        warnings.add(.codeNotRead)
        return PinSetReading(
            set: try URLSessionFormat.set(try hosts.entries(as: URLSessionFormat.self)), warnings: warnings.list)
    }

    // MARK: The table that pinctl writes

    /// The entries of the table `entries: [String: Entry] = […]`; nil if the source has no such table.
    private mutating func table() throws(PinSetFormatError) -> [PinSet.Entry]? {
        for index in source.source.indices(of: "entries")
        where source.source.isSign(index + 1, ":") && source.source.isWord(index + 5, "Entry")
            && source.source.isSign(index + 7, "=")
        {
            guard source.source.closingBracket(of: index + 8) != nil else { continue }
            // An empty dictionary is written `[:]`.
            if source.source.isSign(index + 9, ":") { return [] }
            let value = source.literal(at: index + 8)
            try source.checkLimits(as: URLSessionFormat.self)
            guard let members = value.members else { return nil }
            var entries: [PinSet.Entry] = []
            var shared = SharedPinCount(literals: source.literals)
            for member in members {
                let pins = member.value["pins"]?.list?.count ?? 0
                try shared.add(pins, as: URLSessionFormat.self, at: source.source.position(of: value.range.lowerBound))
                if let entry = try entry(member) { entries.append(entry) }
            }
            return entries
        }
        return nil
    }

    private mutating func entry(_ member: SourceLiteral.Member) throws(PinSetFormatError) -> PinSet.Entry? {
        let value = member.value
        guard let host = member.key?.text, value.calledName == "Entry", let list = value["pins"]?.list else {
            warnings.add(.notRead("expected a host and its Entry", line: value.line))
            return nil
        }
        var pins = PinnedKeyList()
        for item in list {
            guard let text = item["sha256"], let spelling = text.text, let role = role(item["role"]) else {
                warnings.add(.unknownPin(source.source.source(of: item.range), line: item.line), of: host)
                continue
            }
            guard let pin = warnings.pin(spelling, by: .trustKit, of: host, line: item.line) else { continue }
            let comment = source.source.comment(after: item.range.upperBound - 1)
            // The code compares each element of the list.
            pins.addEachRole(PinSet.PinnedKey(pin: pin, role: role, note: comment))
        }
        guard !pins.isEmpty else {
            warnings.add(.hostWithoutPins, of: host)
            return nil
        }
        let subdomains = literal(value["subdomains"], "subdomains", of: host) { value in
            Self.name(value).flatMap(PinSet.Subdomains.init(rawValue:))
        }
        let expires: Timestamp?? = literal(value["expires"], "expires", of: host) { value in
            if case .name("nil") = value.content { return .some(nil) }
            guard value.calledName == "Date", value.elements.count == 1 else { return nil }
            return value["timeIntervalSince1970"]?.integer.map { Timestamp(secondsSince1970: $0) }
        }
        let enforce = literal(value["enforce"], "enforce", of: host, as: \.bool)
        return try URLSessionFormat.readableEntry(
            host, subdomains: subdomains ?? .none, expires: expires ?? nil, enforce: enforce ?? true, pins: pins.keys,
            at: source.source.position(of: value.range.lowerBound), &warnings)
    }

    /// Reads an argument; nil if it is missing or, with a warning, if it is not a literal.
    private mutating func literal<Value>(
        _ argument: SourceLiteral?, _ key: String, of host: String, as read: (SourceLiteral) -> Value?
    ) -> Value? {
        guard let argument else { return nil }
        if let value = read(argument) { return value }
        let text = source.source.source(of: argument.range)
        warnings.add(.valueNotLiteral(text, key: key, line: argument.line), of: host)
        return nil
    }

    /// The name of a case that is written without its type.
    private static func name(_ value: SourceLiteral) -> String? {
        guard case .name(let name) = value.content, name.hasPrefix(".") else { return nil }
        return String(name.dropFirst())
    }

    private func role(_ value: SourceLiteral?) -> PinSet.AllowedRole? {
        value.flatMap(Self.name).flatMap(PinSet.AllowedRole.init(rawValue:))
    }

    // MARK: Other source

    /// The strings that are pins, with the indices of their tokens.
    private var pins: [(index: Int, pin: Pin)] {
        source.source.tokens.indices.compactMap { index in
            guard let text = source.source.text(index), text.utf8.count >= 44, text.hasSuffix("="),
                let pin = try? Pin(spelling: text), text == pin.base64 || text == "sha256/" + pin.base64
            else { return nil }
            return (index, pin)
        }
    }

    /// The host in the closest brackets around a token that contain one.
    private mutating func host(around index: Int) -> String? {
        var index = index
        for _ in 0..<Self.maximumDepth {
            guard let open = source.source.openBracket(around: index) else { return nil }
            if let known = hostsOfBrackets[open] {
                if let known { return known }
            } else {
                let found = host(in: open)
                hostsOfBrackets.updateValue(found, forKey: open)
                if let found { return found }
            }
            index = open
        }
        return nil
    }

    /// The host of a URL among the members of brackets, or the host that is the key of the brackets.
    private mutating func host(in open: Int) -> String? {
        for member in source.members(in: open) {
            guard let text = member.value.text, text.hasPrefix("https://") || text.hasPrefix("wss://") else { continue }
            return HostText.host(in: text)
        }
        guard let key = source.key(before: open)?.text, key.has(".") else { return nil }
        // A private key in place of a host is an error of the reader.
        return (try? HostName.normalized(key)) ?? (key.containsPrivateKey ? key : nil)
    }
}
