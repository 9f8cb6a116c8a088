package import Encodings

extension PinSet {
    /// Reads a pin set, as in a file `pins.json`:
    ///
    /// ```json
    /// { "version": 1,
    ///   "hosts": {
    ///     "api.example.com": {
    ///       "subdomains": "one",
    ///       "expires": "2027-06-01",
    ///       "pins": [{ "sha256": "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=", "role": "root" }] },
    ///     "www.example.com": ["sha256/C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="] } }
    /// ```
    ///
    /// A host's value may be the array of pins alone, and a pin its spelling alone; every spelling that `Pin(spelling:)` takes
    /// is read. Keys that are not known are kept and listed in `unknownKeys`.
    ///
    /// - Parameter bytes: the file, UTF-8.
    public init(json bytes: [UInt8]) throws(PinSetError) {
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONDocument(bytes).root
        } catch {
            throw PinSetError(.syntax(error), at: error.position)
        }
        try self.init(json: root)
    }

    /// The same of a text that was read already.
    package init(json root: JSONValue) throws(PinSetError) {
        var fields = try PinSetFields(root, of: .document)
        try Self.checkVersion(fields.required("version"))
        let hosts = try PinSetFields.members(of: fields.required("hosts"), as: .key("hosts"), expected: "an object")
        var entries: [Entry] = []
        entries.reserveCapacity(hosts.count)
        for host in hosts { entries.append(try Entry(host)) }
        try self.init(entries: entries, unknown: fields.unknown)
    }

    private static func checkVersion(_ value: JSONValue) throws(PinSetError) {
        guard case .number(let text) = value.content else {
            throw PinSetError(
                .type(of: .key("version"), found: value.kind, expected: "the number 1"), at: value.position)
        }
        guard text == "1" else { throw PinSetError(.version(text), at: value.position) }
    }
}

extension PinSet.Entry {
    fileprivate init(_ member: JSONMember) throws(PinSetError) {
        let host = member.key
        let name = try Self.name(of: host, at: member.position)
        if case .array(let pins) = member.value.content {
            try self.init(
                host: host, name: name, subdomains: .none, expires: nil, enforce: true, anchors: [],
                pins: try Self.pins(pins, of: host, at: member.value.position),
                position: member.position, unknown: [], isShorthand: true
            )
            return
        }
        var fields = try PinSetFields(member.value, of: .host(host))
        let subdomains = try fields.word("subdomains", PinSet.Subdomains.self)
        let expires = try fields.date("expires")
        let enforce = try fields.bool("enforce")
        let anchors = try fields.anchors()
        let list = try fields.required("pins")
        guard case .array(let pins) = list.content else {
            throw PinSetError(.type(of: .key("pins"), found: list.kind, expected: "an array"), at: list.position)
        }
        try self.init(
            host: host, name: name, subdomains: subdomains ?? PinSet.Subdomains.none, expires: expires,
            enforce: enforce ?? true,
            anchors: anchors, pins: try Self.pins(pins, of: host, at: list.position),
            position: member.position, unknown: fields.unknown, isShorthand: false
        )
    }

    private static func pins(
        _ values: [JSONValue], of host: String, at position: JSONPosition
    ) throws(PinSetError) -> [PinSet.PinnedKey] {
        guard !values.isEmpty else { throw PinSetError(.noPins(host), at: position) }
        var pins: [PinSet.PinnedKey] = []
        for value in values { pins.append(try PinSet.PinnedKey(value)) }
        return pins
    }
}

extension PinSet.PinnedKey {
    fileprivate init(_ value: JSONValue) throws(PinSetError) {
        if case .string = value.content {
            self.init(
                pin: try Self.pin(value), role: .any, state: .active, label: nil, notAfter: nil,
                added: nil, goneSince: nil, position: value.position, unknown: []
            )
            return
        }
        var fields = try PinSetFields(value, of: .pin)
        self.init(
            pin: try Self.pin(try fields.required("sha256")),
            role: try fields.word("role", PinSet.AllowedRole.self) ?? .any,
            state: try fields.word("state", PinSet.State.self) ?? .active,
            label: try fields.string("label")?.text,
            notAfter: try fields.date("notAfter"),
            added: try fields.date("added"),
            goneSince: try fields.date("goneSince"),
            position: value.position, unknown: fields.unknown
        )
    }

    private static func pin(_ value: JSONValue) throws(PinSetError) -> Pin {
        guard case .string(let spelling) = value.content else {
            throw PinSetError(.type(of: .key("sha256"), found: value.kind, expected: "a string"), at: value.position)
        }
        do throws(PinSpellingError) {
            return try Pin(spelling: spelling)
        } catch {
            throw PinSetError(.pin(error), at: value.position)
        }
    }
}
