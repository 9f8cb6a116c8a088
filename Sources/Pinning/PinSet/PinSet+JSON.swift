package import Encodings

extension PinSet {
    /// Reads a pin set in the format of `pins.json`:
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
    /// The value of a host can be only the array of pins, and a pin can be only a string. Strings are read by `Pin(spelling:)`.
    /// Unknown keys are kept and listed in `unknownKeys`.
    ///
    /// - Parameter bytes: the file, in UTF-8.
    public init(json bytes: [UInt8]) throws(PinSetError) {
        try self.init(draft: try PinSetReader.read(bytes))
    }

    /// Reads a pin set from a JSON value.
    package init(json root: JSONValue) throws(PinSetError) {
        try self.init(draft: try PinSetReader.read(root))
    }

    private init(draft: PinSetDraft) throws(PinSetError) {
        var entries: [Entry] = []
        entries.reserveCapacity(draft.entries.count)
        for entry in draft.entries { entries.append(try Entry(draft: entry)) }
        try self.init(entries: entries, unknown: draft.unknown)
    }
}

extension PinSet.Entry {
    fileprivate init(draft: PinSetDraft.Entry) throws(PinSetError) {
        try self.init(
            host: draft.host, name: draft.name ?? draft.host, subdomains: draft.subdomains, expires: draft.expires,
            enforce: draft.enforce, anchors: draft.anchors.map(\.path),
            endpoints: draft.endpoints,
            pins: draft.pins.compactMap { PinSet.PinnedKey(draft: $0) }, position: draft.position,
            unknown: draft.unknown, isShorthand: draft.isShorthand
        )
    }
}

extension PinSet.PinnedKey {
    /// Creates a key from a draft; nil if its pin is invalid, which does not happen with a strict reader.
    fileprivate init?(draft: PinSetDraft.PinnedKey) {
        guard let pin = draft.pin else { return nil }
        self.init(
            pin: pin, role: draft.role, state: draft.state, label: draft.label, notAfter: draft.notAfter,
            added: draft.added, goneSince: draft.goneSince, position: draft.position, unknown: draft.unknown
        )
    }
}
