/// What holds for the domains of one `domain-config`, what it inherits included.
struct AndroidPinState {
    /// Empty where nothing is pinned.
    var pins: [PinSet.PinnedKey]
    /// Always the beginning of a day.
    var expires: Timestamp?
    var enforces: Bool

    /// What holds outside every `domain-config`.
    static let none = Self(pins: [], expires: nil, enforces: true)

    private init(pins: [PinSet.PinnedKey], expires: Timestamp?, enforces: Bool) {
        (self.pins, self.expires, self.enforces) = (pins, expires, enforces)
    }

    init(of entry: PinSet.Entry) {
        // What a day cannot say was told when the entry was found to be writable.
        var told = FormatLosses()
        self.init(
            pins: entry.pins.filter { $0.state != .retired },
            expires: told.expirationDay(of: entry).flatMap { Timestamp(rfc3339: $0) }, enforces: entry.enforce)
    }

    /// A `pin-set` takes the place of the inherited one, its pins and its day.
    func overridden(by part: AndroidConfiguration.Part) -> Self {
        Self(
            pins: part.pins.map(\.pins) ?? pins, expires: part.pins.map(\.expires) ?? expires,
            enforces: part.enforcement?.enforces ?? enforces)
    }

    func hasPins(of other: Self) -> Bool {
        pins.map(\.pin) == other.pins.map(\.pin) && expires == other.expires
    }

    func isSame(as other: Self) -> Bool {
        hasPins(of: other) && enforces == other.enforces
    }
}

/// Writes the elements of a `network_security_config.xml`, without the indentation of their first lines.
struct AndroidWriter {
    var unit = "    "
    var lineEnd = "\n"

    /// A `domain-config` of one host, indented, with what it does not inherit.
    func part(
        host: String, subdomains: PinSet.Subdomains, state: AndroidPinState, inherited: AndroidPinState,
        indentation: String
    ) -> String {
        let inner = indentation + unit
        let includes = subdomains == .none ? "" : " includeSubdomains=\"true\""
        var output = "\(indentation)<domain-config>\(lineEnd)\(inner)<domain\(includes)>\(host)</domain>\(lineEnd)"
        if !state.hasPins(of: inherited) {
            output += inner + pinSet(state, indentation: inner) + lineEnd
        }
        if state.enforces != inherited.enforces { output += inner + trustKit(state) + lineEnd }
        return output + indentation + "</domain-config>"
    }

    func pinSet(_ state: AndroidPinState, indentation: String) -> String {
        // Without pins in it the element puts an end to what is inherited.
        guard !state.pins.isEmpty else { return "<pin-set />" }
        return "<pin-set\(expiration(state))>\(pins(state.pins, indentation: indentation))</pin-set>"
    }

    func expiration(_ state: AndroidPinState) -> String {
        state.expires.map { " expiration=\"\($0.date)\"" } ?? ""
    }

    /// What stands between the tags of a `pin-set` that is indented so.
    func pins(_ pins: [PinSet.PinnedKey], indentation: String) -> String {
        var output = lineEnd
        for pin in pins {
            if let label = pin.label.flatMap(XMLText.label(ofComment:)) {
                output += "\(indentation)\(unit)<!-- \(label) -->\(lineEnd)"
            }
            output += "\(indentation)\(unit)<pin digest=\"SHA-256\">\(pin.pin.base64)</pin>\(lineEnd)"
        }
        return output + indentation
    }

    func trustKit(_ state: AndroidPinState) -> String {
        "<trustkit-config enforcePinning=\"\(state.enforces)\" />"
    }
}
