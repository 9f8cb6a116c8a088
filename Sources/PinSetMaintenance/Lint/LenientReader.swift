internal import Encodings
internal import PinSetFormats
internal import Pinning

/// Reads pins.json for a linter: what a strict reader refuses becomes a finding, and the reading goes on.
///
/// Whatever `PinSet(json:)` refuses gives an error here, and nothing else does.
struct LenientReader {
    private(set) var findings = LintFindings()
    private(set) var set = LintSet()

    init(_ bytes: [UInt8]) {
        do throws(JSONError) {
            read(try JSONDocument(bytes, refusesDuplicateKeys: false).root)
        } catch {
            findings.add(.syntax, error.message, hint: error.hint, at: error.position)
        }
    }

    private mutating func read(_ root: JSONValue) {
        guard let members = members(of: root, as: .document, expected: "an object", host: nil) else { return }
        var fields = unique(members, host: nil)
        if let version = fields.take("version") {
            checkVersion(version)
        } else {
            add(.missingKey, PinSetError(.missing("version", in: .document), at: root.position))
        }
        guard let hosts = fields.take("hosts") else {
            add(.missingKey, PinSetError(.missing("hosts", in: .document), at: root.position))
            return unknown(fields.rest, among: ["version", "hosts"], host: nil)
        }
        unknown(fields.rest, among: ["version", "hosts"], host: nil)
        guard let members = self.members(of: hosts, as: .key("hosts"), expected: "an object", host: nil) else { return }
        var known: [String: (host: String, line: Int)] = [:]
        for member in members {
            let entry = entry(member)
            if let name = entry.name {
                if let first = known[name] {
                    let reason = PinSetError.Reason.sameHost(entry.host, first: first.host, line: first.line)
                    add(.duplicateHost, PinSetError(reason, at: member.position), host: entry.host)
                } else {
                    known[name] = (entry.host, member.position.line)
                }
            }
            set.entries.append(entry)
        }
    }

    private mutating func checkVersion(_ value: JSONValue) {
        guard case .number(let text) = value.content else {
            let reason = PinSetError.Reason.type(of: .key("version"), found: value.kind, expected: "the number 1")
            return add(.wrongType, PinSetError(reason, at: value.position))
        }
        if text != "1" { add(.unknownVersion, PinSetError(.version(text), at: value.position)) }
    }

    // MARK: Hosts

    private mutating func entry(_ member: JSONMember) -> LintEntry {
        let host = member.key
        var entry = LintEntry(host: host, name: name(of: host, at: member.position), position: member.position)
        if case .array(let values) = member.value.content {
            entry.pins = pins(values, of: host, at: member.value.position)
            return entry
        }
        let expected = "an object or an array"
        guard let members = members(of: member.value, as: .host(host), expected: expected, host: host) else {
            return entry
        }
        var fields = unique(members, host: host)
        if let value = fields.take("subdomains") {
            entry.subdomains = word(value, "subdomains", PinSet.Subdomains.self, host: host) ?? .none
            if entry.subdomains != .none, let name = entry.name, IPAddress(name) != nil {
                add(.addressSubdomains, PinSetError(.subdomainsOfAddress(host), at: value.position), host: host)
            }
        }
        if let value = fields.take("expires") { entry.expires = date(value, "expires", host: host) }
        if let value = fields.take("enforce") { entry.enforce = bool(value, "enforce", host: host) ?? true }
        if let value = fields.take("anchors") { entry.anchors = anchors(value, host: host) }
        if let value = fields.take("pins") {
            if case .array(let values) = value.content {
                entry.pins = pins(values, of: host, at: value.position)
            } else {
                wrongType(value, .key("pins"), "an array", host: host)
            }
        } else {
            add(.missingKey, PinSetError(.missing("pins", in: .host(host)), at: member.value.position), host: host)
        }
        unknown(fields.rest, among: ["subdomains", "expires", "enforce", "anchors", "pins"], host: host)
        return entry
    }

    private mutating func name(of host: String, at position: JSONPosition) -> String? {
        do throws(HostNameError) {
            return try HostName.normalized(host)
        } catch {
            guard error.reason == .wildcard else {
                add(.invalidHost, PinSetError(.host(error), at: position), host: host)
                return nil
            }
            let bare = String(host.drop { $0 == "*" }.dropFirst())
            let reach = host.hasPrefix("**.") ? "all" : "one"
            findings.add(
                .unreachablePattern, "no host is called \(host.quotedExcerpt): patterns have no meaning in a pin set",
                hint: "write \(bare.quotedExcerpt) with \"subdomains\": \"\(reach)\"", host: host, at: position
            )
            return nil
        }
    }

    private mutating func anchors(_ value: JSONValue, host: String) -> [(path: String, position: JSONPosition)] {
        guard case .array(let paths) = value.content else {
            wrongType(value, .key("anchors"), "an array", host: host)
            return []
        }
        var anchors: [(path: String, position: JSONPosition)] = []
        for path in paths {
            guard case .string(let text) = path.content else {
                wrongType(path, .member("anchors"), "a string", host: host)
                continue
            }
            guard !text.isEmpty else {
                add(.emptyAnchor, PinSetError(.emptyAnchor, at: path.position), host: host)
                continue
            }
            anchors.append((text, path.position))
        }
        return anchors
    }

    // MARK: Pins

    private mutating func pins(_ values: [JSONValue], of host: String, at position: JSONPosition) -> [LintPin] {
        if values.isEmpty { add(.emptyPins, PinSetError(.noPins(host), at: position), host: host) }
        var pins: [LintPin] = []
        for value in values { if let pin = pin(value, host: host) { pins.append(pin) } }
        return pins
    }

    private mutating func pin(_ value: JSONValue, host: String) -> LintPin? {
        if case .string(let spelling) = value.content { return self.pin(spelling, at: value.position, host: host) }
        let expected = "an object or a string"
        guard let members = members(of: value, as: .pin, expected: expected, host: host) else { return nil }
        var fields = unique(members, host: host)
        var pin: LintPin?
        if let digest = fields.take("sha256") {
            if case .string(let spelling) = digest.content {
                pin = self.pin(spelling, at: digest.position, host: host)
            } else {
                wrongType(digest, .key("sha256"), "a string", host: host)
            }
        } else {
            add(.missingKey, PinSetError(.missing("sha256", in: .pin), at: value.position), host: host)
        }
        if let value = fields.take("role") {
            pin?.role = word(value, "role", PinSet.AllowedRole.self, host: host) ?? .any
        }
        if let value = fields.take("state") {
            pin?.state = word(value, "state", PinSet.State.self, host: host) ?? .active
        }
        if let value = fields.take("label") {
            if case .string(let text) = value.content {
                pin?.label = text
            } else {
                wrongType(value, .key("label"), "a string", host: host)
            }
        }
        if let value = fields.take("notAfter") { pin?.notAfter = date(value, "notAfter", host: host) }
        // Notes of a refresh to itself: they change nothing, but a date they must be.
        for note in ["added", "goneSince"] {
            if let value = fields.take(note) { _ = date(value, note, host: host) }
        }
        unknown(fields.rest, among: ["sha256", "role", "state", "label", "notAfter", "added", "goneSince"], host: host)
        return pin
    }

    private mutating func pin(_ spelling: String, at position: JSONPosition, host: String) -> LintPin {
        var pin = LintPin(spelling: spelling, pin: nil, position: position)
        do throws(PinSpellingError) {
            pin = LintPin(spelling: spelling, pin: try Pin(spelling: spelling), position: position)
        } catch {
            let (code, message, hint) = PinSuspicion.explanation(of: error)
            findings.add(code, message, hint: hint, host: host, pin: spelling, at: position)
        }
        return pin
    }

    // MARK: Values

    private mutating func members(
        of value: JSONValue, as subject: PinSetError.Subject, expected: String, host: String?
    ) -> [JSONMember]? {
        guard case .object(let members) = value.content else {
            wrongType(value, subject, expected, host: host)
            return nil
        }
        return members
    }

    /// The members of which none is a host, the first of each key.
    private mutating func unique(_ members: [JSONMember], host: String?) -> LenientFields {
        var first: [String: JSONPosition] = [:]
        var kept: [JSONMember] = []
        for member in members {
            if let position = first[member.key] {
                let error = JSONError(position: member.position, reason: .duplicateKey(member.key, first: position))
                add(.duplicateKey, PinSetError(.syntax(error), at: member.position), host: host)
            } else {
                first[member.key] = member.position
                kept.append(member)
            }
        }
        return LenientFields(rest: kept)
    }

    private mutating func word<Word: RawRepresentable<String> & CaseIterable>(
        _ value: JSONValue, _ key: String, _: Word.Type, host: String
    ) -> Word? {
        guard case .string(let text) = value.content else {
            wrongType(value, .key(key), "a string", host: host)
            return nil
        }
        guard let word = Word(rawValue: text) else {
            let reason = PinSetError.Reason.word(text, key: key, choices: Word.allCases.map(\.rawValue))
            add(.unknownWord, PinSetError(reason, at: value.position), host: host)
            return nil
        }
        return word
    }

    private mutating func date(_ value: JSONValue, _ key: String, host: String) -> Timestamp? {
        guard case .string(let text) = value.content else {
            wrongType(value, .key(key), "a string", host: host)
            return nil
        }
        guard let date = Timestamp(rfc3339: text) else {
            add(.invalidDate, PinSetError(.date(text, key: key), at: value.position), host: host)
            return nil
        }
        return date
    }

    private mutating func bool(_ value: JSONValue, _ key: String, host: String) -> Bool? {
        guard case .bool(let bool) = value.content else {
            wrongType(value, .key(key), "true or false", host: host)
            return nil
        }
        return bool
    }

    private mutating func unknown(_ members: [JSONMember], among known: [String], host: String?) {
        for member in members {
            // What begins with a dollar sign is for editors.
            guard !member.key.hasPrefix("$") else { continue }
            let near = known.first { EditDistance.between($0, member.key.lowercased(), atMost: 2) != nil }
            findings.add(
                .unknownKey, "the key \(member.key.quotedExcerpt) means nothing here, and is kept",
                hint: near.map { "did you mean \($0.quotedExcerpt)?" }, host: host, at: member.position
            )
        }
    }

    private mutating func wrongType(
        _ value: JSONValue, _ subject: PinSetError.Subject, _ expected: String, host: String?
    ) {
        let reason = PinSetError.Reason.type(of: subject, found: value.kind, expected: expected)
        add(.wrongType, PinSetError(reason, at: value.position), host: host)
    }

    private mutating func add(_ code: LintCode, _ error: PinSetError, host: String? = nil) {
        let position = error.line.flatMap { line in error.column.map { JSONPosition(line: line, column: $0) } }
        findings.add(code, error.message, hint: error.hint, host: host, at: position)
    }
}

/// The members of an object, taken one by one.
private struct LenientFields {
    private(set) var rest: [JSONMember]

    mutating func take(_ key: String) -> JSONValue? {
        guard let index = rest.firstIndex(where: { $0.key == key }) else { return nil }
        return rest.remove(at: index).value
    }
}
