/// What is lost on the way from or to a format, as it is found.
struct FormatLosses {
    private(set) var list: [PinSetLoss] = []

    mutating func add(_ message: String, host: String?) {
        list.append(PinSetLoss(host: host, message: message))
    }

    /// The pins of an entry that can match. A retired one never does, and no format has a word for that.
    mutating func matchingPins(
        of entry: PinSet.Entry, for format: PinSetFormat
    ) throws(PinSetFormatError) -> [PinSet.PinnedKey] {
        let pins = entry.pins.filter { $0.state != .retired }
        guard !pins.isEmpty else {
            throw PinSetFormatError(
                format: format, message: "every pin of \(entry.host.quoted) is retired, so that no certificate matches",
                hint: "remove the host, or add a pin in use")
        }
        for pin in entry.pins where pin.state == .retired {
            add("\(pin.shown(as: "retired pin")) is left out, for it never matches", host: entry.host)
        }
        return pins
    }

    /// What none of the platforms' formats can say.
    mutating func addWhatOnlyPinsSay(of entry: PinSet.Entry, pins: [PinSet.PinnedKey]) {
        if !entry.anchors.isEmpty {
            add(
                "\"anchors\" cannot be said: every authority that the device trusts is accepted, where its pins match",
                host: entry.host)
        }
        if pins.contains(where: { $0.notAfter != nil }) {
            add("\"notAfter\" of the pins cannot be said", host: entry.host)
        }
        var keys: [String] = []
        for member in entry.unknown + pins.flatMap(\.unknown) where !keys.contains(member.key) {
            keys.append(member.key)
            add("the key \(member.key.quoted), which is not known, cannot be said", host: entry.host)
        }
    }

    /// The same of the set as a whole.
    mutating func addWhatOnlyPinsSay(of set: PinSet) {
        for member in set.unknown {
            add("the key \(member.key.quoted), which is not known, cannot be said", host: nil)
        }
    }

    /// Of formats in which a pin matches anywhere in the chain.
    mutating func addRoles(of entry: PinSet.Entry, pins: [PinSet.PinnedKey]) {
        var roles: [String] = []
        for pin in pins where pin.role != .any && !roles.contains(pin.role.rawValue.quoted) {
            roles.append(pin.role.rawValue.quoted)
        }
        guard !roles.isEmpty else { return }
        add(
            "the \(roles.count == 1 ? "role" : "roles") \(roles.joined(separator: ", ")) cannot be said: the pins match"
                + " anywhere in the chain", host: entry.host)
    }

    /// Of formats in which an entry covers all names below its host, or none.
    mutating func addSubdomains(of entry: PinSet.Entry) {
        guard entry.subdomains == .one else { return }
        add("\"subdomains\": \"one\" cannot be said: the pins hold at every depth", host: entry.host)
    }

    /// The day on which the pins of `entry` end, for formats that know days only.
    mutating func expirationDay(of entry: PinSet.Entry) -> String? {
        guard let expires = entry.expires else { return nil }
        guard (1...9999).contains(expires.components.year) else {
            add("\"expires\" has a year that cannot be said: the pins hold for good", host: entry.host)
            return nil
        }
        if Timestamp(rfc3339: expires.date) != expires {
            add(
                "the time of day of \"expires\" cannot be said: the pins end as \(expires.date) begins",
                host: entry.host)
        }
        return expires.date
    }

    /// Of comments as XML has them: a label may not read the same in one.
    mutating func addLabels(of entry: PinSet.Entry, pins: [PinSet.PinnedKey]) {
        for label in pins.compactMap(\.label) where XMLText.comment(label) != label {
            add("the label \(label.quoted) cannot stand in a comment as it is", host: entry.host)
        }
    }
}

extension PinSetFormatError {
    init(_ format: PinSetFormat, at position: XMLPosition?, message: String, hint: String? = nil) {
        self.init(format: format, line: position?.line, column: position?.column, message: message, hint: hint)
    }

    init(_ format: PinSetFormat, at position: XMLPosition?, host error: HostNameError) {
        let isWildcard = error.reason == .wildcard
        let hint = isWildcard ? "write the host, and that its subdomains are included" : error.hint
        self.init(format, at: position, message: error.message, hint: hint)
    }
}

extension PinSetCodec {
    /// A pin as it stands in this format: base64 of 32 bytes, and nothing before or behind it.
    ///
    /// - Parameter position: evaluated for an error only, for it takes time.
    static func barePin(
        _ text: String, at position: @autoclosure () -> XMLPosition?
    ) throws(PinSetFormatError) -> Pin {
        let pin: Pin
        do throws(PinSpellingError) {
            pin = try Pin(spelling: text)
        } catch {
            throw PinSetFormatError(format, at: position(), message: error.message, hint: error.hint)
        }
        guard pin.base64 == text else {
            throw PinSetFormatError(
                format, at: position(),
                message: "\(text.quoted) is not base64 alone, the only spelling that this format has",
                hint: "write \(pin.base64.quoted)")
        }
        return pin
    }

    /// The set of `entries`, each with the place of its host in `bytes`.
    static func set(
        of entries: [(entry: PinSet.Entry, offset: Int?)], in bytes: [UInt8]
    ) throws(PinSetFormatError) -> PinSet {
        var hosts: [String: String] = [:]
        for (entry, offset) in entries {
            if let first = hosts.updateValue(entry.host, forKey: entry.name) {
                throw PinSetFormatError(
                    format, at: offset.map { XMLPosition(of: $0, in: bytes) },
                    message: "the host \(entry.host.quoted) stands twice: first as \(first.quoted)",
                    hint: "put the pins of both into one entry")
            }
        }
        do throws(PinSetError) {
            return try PinSet(entries: entries.map(\.entry))
        } catch {
            throw PinSetFormatError(format: format, message: error.message, hint: error.hint)
        }
    }

    static func entry(
        host: String, at position: @autoclosure () -> XMLPosition?, subdomains: PinSet.Subdomains,
        expires: Timestamp? = nil,
        enforce: Bool = true, pins: [PinSet.PinnedKey]
    ) throws(PinSetFormatError) -> PinSet.Entry {
        do throws(PinSetError) {
            return try PinSet.Entry(
                host: host, subdomains: subdomains, expires: expires, enforce: enforce, pins: pins)
        } catch {
            if case .host(let error) = error.reason { throw PinSetFormatError(format, at: position(), host: error) }
            throw PinSetFormatError(format, at: position(), message: error.message, hint: error.hint)
        }
    }
}
