internal import Encodings

/// Reads `pins.json` into a ``PinSetDraft``. A strict reader throws the first mistake; a tolerant reader reports all mistakes.
///
/// Both run the same code, so they accept the same texts.
package struct PinSetReader {
    /// Receives each mistake; nil if the reader is strict.
    private let receiver: ((PinSetDiagnostic) -> Void)?
    /// The mistakes in the pins of one host; nil outside a list of pins.
    private var pinDiagnostics: [PinSetDiagnostic]?

    /// The known keys of the document, of an entry, and of a pin.
    package static let documentKeys = ["version", "hosts"]
    package static let entryKeys = ["subdomains", "expires", "enforce", "anchors", "endpoints", "pins"]
    package static let pinKeys = ["sha256", "role", "state", "label", "notAfter", "added", "goneSince"]

    private var isStrict: Bool { receiver == nil }

    /// - Parameter receiver: receives each mistake; nil for a strict reader.
    init(_ receiver: ((PinSetDiagnostic) -> Void)? = nil) { self.receiver = receiver }

    // MARK: Mistakes

    private mutating func report(
        _ reason: PinSetError.Reason, at position: SourcePosition, host: String?, pin: String? = nil
    ) throws(PinSetError) {
        let error = PinSetError(reason, at: position)
        guard let receiver else { throw error }
        let diagnostic = PinSetDiagnostic(error: error, host: host, pin: pin)
        guard pinDiagnostics == nil else {
            pinDiagnostics?.append(diagnostic)
            return
        }
        receiver(diagnostic)
    }

    private mutating func reportType(
        of subject: PinSetError.Subject, _ value: JSONValue, expected: String, host: String?
    ) throws(PinSetError) {
        try report(.type(of: subject, found: value.kind, expected: expected), at: value.position, host: host)
    }

    // MARK: Objects

    mutating func document(_ root: JSONValue) throws(PinSetError) -> PinSetDraft {
        var draft = PinSetDraft()
        guard var fields = try fields(of: root, as: .document, expected: "an object", host: nil) else { return draft }
        if let version = try required("version", in: &fields, of: .document, at: root.position, host: nil) {
            try checkVersion(version)
        }
        let hosts = try required("hosts", in: &fields, of: .document, at: root.position, host: nil)
        draft.unknown = try unknown(fields, host: nil)
        guard let hosts else { return draft }
        guard let members = try members(of: hosts, as: .key("hosts"), expected: "an object", host: nil) else {
            return draft
        }
        draft.entries.reserveCapacity(members.count)
        for member in members { draft.entries.append(try entry(member)) }
        try checkDuplicates(of: draft.entries)
        return draft
    }

    private mutating func checkVersion(_ value: JSONValue) throws(PinSetError) {
        guard case .number(let text) = value.content else {
            return try reportType(of: .key("version"), value, expected: "the number 1", host: nil)
        }
        if text != "1" { try report(.version(text), at: value.position, host: nil) }
    }

    private mutating func checkDuplicates(of entries: [PinSetDraft.Entry]) throws(PinSetError) {
        var known: [String: PinSetDraft.Entry] = [:]
        for entry in entries {
            guard let name = entry.name else { continue }
            guard let first = known[name] else {
                known[name] = entry
                continue
            }
            let reason = PinSetError.Reason.sameHost(entry.host, first: first.host, line: first.position.line)
            try report(reason, at: entry.position, host: entry.host)
        }
    }

    private mutating func entry(_ member: JSONMember) throws(PinSetError) -> PinSetDraft.Entry {
        let host = member.key
        let value = member.value
        var entry = PinSetDraft.Entry(host: host, name: try name(of: member), position: member.position)
        if case .array(let values) = value.content {
            entry.isShorthand = true
            entry.pins = try pins(values, of: host, at: value.position)
            return entry
        }
        let expected = "an object or an array"
        guard var fields = try fields(of: value, as: .host(host), expected: expected, host: host) else { return entry }
        let subdomains = fields.take("subdomains")
        entry.subdomains = try word(subdomains, "subdomains", PinSet.Subdomains.self, host: host) ?? .none
        if let subdomains, entry.subdomains != .none, let name = entry.name, IPAddress(name) != nil {
            try report(.subdomainsOfAddress(host), at: subdomains.position, host: host)
        }
        entry.expires = try date(fields.take("expires"), "expires", host: host)
        entry.enforce = try bool(fields.take("enforce"), "enforce", host: host) ?? true
        if let value = fields.take("anchors") { entry.anchors = try anchors(value, host: host) }
        if let value = fields.take("endpoints") { entry.endpoints = try endpoints(value, of: entry) }
        if let list = try required("pins", in: &fields, of: .host(host), at: value.position, host: host) {
            if case .array(let values) = list.content {
                entry.pins = try pins(values, of: host, at: list.position)
            } else {
                try reportType(of: .key("pins"), list, expected: "an array", host: host)
            }
        }
        entry.unknown = try unknown(fields, host: host)
        return entry
    }

    private mutating func name(of member: JSONMember) throws(PinSetError) -> String? {
        do throws(HostNameError) {
            return try HostName.normalized(member.key)
        } catch {
            try report(.host(error), at: member.position, host: member.key)
            return nil
        }
    }

    private mutating func anchors(
        _ value: JSONValue, host: String
    ) throws(PinSetError) -> [(path: String, position: SourcePosition)] {
        guard case .array(let values) = value.content else {
            try reportType(of: .key("anchors"), value, expected: "an array", host: host)
            return []
        }
        if values.isEmpty { try report(.noAnchors(host), at: value.position, host: host) }
        var anchors: [(path: String, position: SourcePosition)] = []
        for value in values {
            guard case .string(let path) = value.content else {
                try reportType(of: .member("anchors"), value, expected: "a string", host: host)
                continue
            }
            guard !path.isEmpty else {
                try report(.emptyAnchor, at: value.position, host: host)
                continue
            }
            // A system call would use the path up to this character.
            guard !path.utf8.contains(0) else {
                try report(.nulInAnchor, at: value.position, host: host)
                continue
            }
            guard try isPublic(path, in: .member("anchors"), at: value.position, host: host) else { continue }
            anchors.append((path, value.position))
        }
        return anchors
    }

    private mutating func endpoints(
        _ value: JSONValue, of entry: PinSetDraft.Entry
    ) throws(PinSetError) -> [PinSet.Endpoint] {
        let host = entry.host
        guard case .array(let values) = value.content else {
            try reportType(of: .key("endpoints"), value, expected: "an array", host: host)
            return []
        }
        if values.isEmpty { try report(.noEndpoints(host), at: value.position, host: host) }
        var endpoints: [PinSet.Endpoint] = []
        for value in values {
            guard case .string(let text) = value.content else {
                try reportType(of: .member("endpoints"), value, expected: "a string", host: host)
                continue
            }
            do throws(PinSetError.EndpointProblem) {
                let endpoint = try PinSet.Endpoint(parsing: text)
                if let name = entry.name, !endpoint.isCovered(by: name, entry.subdomains) { throw .otherHost(host) }
                endpoints.append(endpoint)
            } catch {
                try report(.endpoint(text, error), at: value.position, host: host)
            }
        }
        return endpoints
    }

    private mutating func pins(
        _ values: [JSONValue], of host: String, at position: SourcePosition
    ) throws(PinSetError) -> [PinSetDraft.PinnedKey] {
        if values.isEmpty { try report(.noPins(host), at: position, host: host) }
        var pins: [PinSetDraft.PinnedKey] = []
        pins.reserveCapacity(values.count)
        if !isStrict { pinDiagnostics = [] }
        do throws(PinSetError) {
            for value in values { if let pin = try pin(value, host: host) { pins.append(pin) } }
        } catch {
            if error.isAboutPin, let kind = Self.privateKeyKind(in: values) {
                throw PinSetError(.privateKey(kind, in: .key("pins")), at: position)
            }
            throw error
        }
        let diagnostics = pinDiagnostics ?? []
        pinDiagnostics = nil
        // A part of a key can have the form of a pin.
        let isPart = pins.compactMap(\.pin).contains { KnownPrivateKeys.include($0.bytes) }
        let hasMistake = diagnostics.contains(where: \.error.isAboutPin)
        guard let kind = hasMistake ? Self.privateKeyKind(in: values) : isPart ? .privateKey : nil else {
            for diagnostic in diagnostics { receiver?(diagnostic) }
            return pins
        }
        // The diagnostics about pins quote the parts of the key.
        for diagnostic in diagnostics where !diagnostic.error.isAboutPin { receiver?(diagnostic) }
        try report(.privateKey(kind, in: .key("pins")), at: position, host: host)
        return []
    }

    private mutating func pin(_ value: JSONValue, host: String) throws(PinSetError) -> PinSetDraft.PinnedKey? {
        if case .string(let spelling) = value.content {
            return try pin(spelling, of: value, at: value.position, host: host)
        }
        let expected = "an object or a string"
        guard var fields = try fields(of: value, as: .pin, expected: expected, host: host) else { return nil }
        var pin: PinSetDraft.PinnedKey?
        if let digest = try required("sha256", in: &fields, of: .pin, at: value.position, host: host) {
            if case .string(let spelling) = digest.content {
                pin = try self.pin(spelling, of: value, at: digest.position, host: host)
            } else {
                try reportType(of: .key("sha256"), digest, expected: "a string", host: host)
            }
        }
        // The other keys of a pin are checked even if its `sha256` is invalid.
        let role = try word(fields.take("role"), "role", PinSet.AllowedRole.self, host: host)
        let state = try word(fields.take("state"), "state", PinSet.State.self, host: host)
        pin?.role = role ?? .any
        pin?.state = state ?? .active
        let labelValue = fields.take("label")
        var label = try string(labelValue, "label", host: host)
        if let text = label, let position = labelValue?.position,
            try !isPublic(text, in: .key("label"), at: position, host: host)
        {
            label = nil
        }
        let notAfter = try date(fields.take("notAfter"), "notAfter", host: host)
        let added = try date(fields.take("added"), "added", host: host)
        let goneSince = try date(fields.take("goneSince"), "goneSince", host: host)
        pin?.label = label
        pin?.notAfter = notAfter
        pin?.added = added
        pin?.goneSince = goneSince
        let unknown = try unknown(fields, host: host)
        pin?.unknown = unknown
        return pin
    }

    private mutating func pin(
        _ spelling: String, of value: JSONValue, at position: SourcePosition, host: String
    ) throws(PinSetError) -> PinSetDraft.PinnedKey {
        var pin: Pin?
        do throws(PinSpellingError) {
            pin = try Pin(spelling: spelling)
        } catch {
            try report(.pin(error), at: position, host: host, pin: spelling)
        }
        return PinSetDraft.PinnedKey(
            spelling: spelling, pin: pin, position: value.position, spellingPosition: position
        )
    }

    // MARK: Values

    private mutating func string(_ value: JSONValue?, _ key: String, host: String) throws(PinSetError) -> String? {
        guard let value else { return nil }
        guard case .string(let text) = value.content else {
            try reportType(of: .key(key), value, expected: "a string", host: host)
            return nil
        }
        return text
    }

    private mutating func bool(_ value: JSONValue?, _ key: String, host: String) throws(PinSetError) -> Bool? {
        guard let value else { return nil }
        guard case .bool(let bool) = value.content else {
            try reportType(of: .key(key), value, expected: "true or false", host: host)
            return nil
        }
        return bool
    }

    private mutating func date(_ value: JSONValue?, _ key: String, host: String) throws(PinSetError) -> Timestamp? {
        guard let value, let text = try string(value, key, host: host) else { return nil }
        guard let date = Timestamp(rfc3339: text) else {
            try report(.date(text, key: key), at: value.position, host: host)
            return nil
        }
        return date
    }

    private mutating func word<Word: RawRepresentable<String> & CaseIterable>(
        _ value: JSONValue?, _ key: String, _: Word.Type, host: String
    ) throws(PinSetError) -> Word? {
        guard let value, let text = try string(value, key, host: host) else { return nil }
        guard let word = Word(rawValue: text) else {
            let choices = Word.allCases.map(\.rawValue)
            try report(.word(text, key: key, choices: choices), at: value.position, host: host)
            return nil
        }
        return word
    }

    private mutating func required(
        _ key: String, in fields: inout PinSetFields, of subject: PinSetError.Subject, at position: SourcePosition,
        host: String?
    ) throws(PinSetError) -> JSONValue? {
        if let value = fields.take(key) { return value }
        try report(.missing(key, in: subject), at: position, host: host)
        return nil
    }

    private mutating func fields(
        of value: JSONValue, as subject: PinSetError.Subject, expected: String, host: String?
    ) throws(PinSetError) -> PinSetFields? {
        guard let members = try members(of: value, as: subject, expected: expected, host: host) else { return nil }
        return PinSetFields(try unique(members, host: host))
    }

    private mutating func members(
        of value: JSONValue, as subject: PinSetError.Subject, expected: String, host: String?
    ) throws(PinSetError) -> [JSONMember]? {
        guard case .object(let members) = value.content else {
            try reportType(of: subject, value, expected: expected, host: host)
            return nil
        }
        return members
    }

    // MARK: Duplicate keys

    /// The first member of each key. The parser of a strict reader has already rejected duplicate keys.
    private mutating func unique(_ members: [JSONMember], host: String?) throws(PinSetError) -> [JSONMember] {
        guard !isStrict else { return members }
        // The comparison uses bytes: strings that Swift considers equal may be different keys.
        var first: [[UInt8]: SourcePosition] = [:]
        var kept: [JSONMember] = []
        for member in members {
            let key = Array(member.key.utf8)
            guard let position = first[key] else {
                first[key] = member.position
                kept.append(member)
                continue
            }
            let error = JSONError(position: member.position, reason: .duplicateKey(member.key, first: position))
            try report(.syntax(error), at: member.position, host: host)
        }
        return kept
    }

    /// The fields that the reader does not know. Their values are checked for duplicate keys.
    private mutating func unknown(_ fields: PinSetFields, host: String?) throws(PinSetError) -> [JSONMember] {
        if !isStrict { for member in fields.rest { try checkKeys(of: member.value, host: host) } }
        for member in fields.rest {
            // A key can be an object, or an array of lines or numbers.
            _ = try isPublic(member.searchedText, in: .unknownKey, at: member.position, host: host)
        }
        return fields.rest
    }

    /// Whether a text contains no private key. Reports a mistake otherwise.
    private mutating func isPublic(
        _ text: String, in subject: PinSetError.Subject, at position: SourcePosition, host: String?
    ) throws(PinSetError) -> Bool {
        guard let kind = text.privateKeyKind else { return true }
        try report(.privateKey(kind, in: subject), at: position, host: host)
        return false
    }

    private mutating func checkKeys(of value: JSONValue, host: String?) throws(PinSetError) {
        switch value.content {
        case .array(let values):
            for value in values { try checkKeys(of: value, host: host) }
        case .object(let members):
            _ = try unique(members, host: host)
            for member in members { try checkKeys(of: member.value, host: host) }
        case .null, .bool, .number, .string: break
        }
    }
}
