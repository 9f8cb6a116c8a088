internal import Encodings
internal import PinSetCodec
internal import Pinning
internal import XMLDocuments

/// The settings that apply to the domains of one `domain-config`, including inherited ones.
struct AndroidPinState {
    /// The pins; empty if the domains are not pinned.
    var pins: [PinSet.PinnedKey]
    /// The expiry, which is always the beginning of a day.
    var expires: Timestamp?
    /// TrustKit's setting; nil if it is missing, in which case TrustKit only reports. Android itself always enforces pins.
    var enforces: Bool?
    /// Whether `enforcePinning="true"` would stop the app, because TrustKit needs two pins.
    var cannotEnforce = false

    /// The state outside every `domain-config`.
    static let none = Self(pins: [], expires: nil, enforces: nil)

    /// The state of a domain that is no longer pinned.
    static let unpinned = Self(pins: [], expires: nil, enforces: nil, cannotEnforce: true)

    init(pins: [PinSet.PinnedKey], expires: Timestamp?, enforces: Bool?, cannotEnforce: Bool = false) {
        (self.pins, self.expires, self.enforces) = (pins, expires, enforces)
        self.cannotEnforce = cannotEnforce
    }

    init(of pins: AndroidConfiguration.Pins) {
        self.init(pins: pins.pins, expires: pins.expires, enforces: nil)
    }

    /// - Parameter hasTrustKit: whether TrustKit reads the file.
    init(of entry: WritableEntry, hasTrustKit: Bool) {
        let canEnforce = TrustKitAndroidRules.canEnforce(entry.pins)
        let enforces = hasTrustKit && (canEnforce || !entry.entry.enforce) ? entry.entry.enforce : nil
        self.init(pins: entry.pins, expires: entry.expires, enforces: enforces)
        cannotEnforce = hasTrustKit && !canEnforce
    }

    /// Adds a warning for a host that TrustKit does not accept or cannot enforce.
    static func warn(of entry: WritableEntry, _ warnings: inout ConversionWarnings) {
        if let reason = TrustKitAndroidRules.rejection(of: entry.host) {
            warnings.add(.noPublicSuffix(reason), of: entry.entry.host)
        } else if entry.entry.enforce, !TrustKitAndroidRules.canEnforce(entry.pins) {
            warnings.add(.trustKitReportsOnly, of: entry.entry.host)
        }
    }

    /// The value of `enforcePinning` to write; nil to omit the attribute.
    ///
    /// - Parameter inherited: the setting that applies without the attribute.
    func enforcement(over inherited: Bool?) -> Bool? {
        if let enforces { return enforces == inherited ? nil : enforces }
        return cannotEnforce && inherited == true ? false : nil
    }

    /// The state after a part's own settings. A `pin-set` replaces the inherited pins and the inherited expiry.
    func overridden(by part: AndroidConfiguration.Part) -> Self {
        Self(
            pins: part.pins.map(\.pins) ?? pins, expires: part.pins.map(\.expires) ?? expires,
            enforces: part.enforcement?.enforces ?? enforces)
    }

    /// Whether the pins, in any order, and the expiry are the same.
    func hasPins(of other: Self) -> Bool {
        Set(pins.map(\.pin)) == Set(other.pins.map(\.pin)) && expires == other.expires
    }

    func isSame(as other: Self) -> Bool {
        hasPins(of: other) && enforces == other.enforces
    }

    /// The comment of each pin, at its first place.
    var notes: [Pin: String?] {
        Dictionary(pins.map { ($0.pin, PinComment($0).markup) }) { first, _ in first }
    }
}

/// Writes the elements of a `network_security_config.xml`, without the indentation of their first lines.
struct AndroidWriter {
    var unit = "    "
    var lineEnd = "\n"

    /// Returns a `domain-config` for one domain, indented, with the settings that it does not inherit.
    ///
    /// - Parameter domain: the element `domain`, with the indentation of each line but the first one.
    func part(
        of domain: String, state: AndroidPinState, inherited: AndroidPinState, indentation: String
    ) -> String {
        let inner = indentation + unit
        var output = "\(indentation)<domain-config>\(lineEnd)\(inner)\(domain)\(lineEnd)"
        if !state.hasPins(of: inherited) {
            output += inner + pinSet(state, indentation: inner) + lineEnd
        }
        if let enforces = state.enforcement(over: inherited.enforces) {
            output += inner + trustKit(enforces) + lineEnd
        }
        return output + indentation + "</domain-config>"
    }

    static func domain(_ entry: WritableEntry) -> String {
        let includes = entry.subdomains == .none ? "" : " includeSubdomains=\"true\""
        return "<domain\(includes)>\(XMLText.replacing(entry.host))</domain>"
    }

    func pinSet(_ state: AndroidPinState, indentation: String) -> String {
        // An element without pins cancels the inherited pins.
        guard !state.pins.isEmpty else { return "<pin-set />" }
        return "<pin-set\(expiration(state))>\(pins(state.pins, indentation: indentation))</pin-set>"
    }

    func expiration(_ state: AndroidPinState) -> String {
        state.expires.map { " expiration=\"\($0.date)\"" } ?? ""
    }

    /// Returns the contents of a `pin-set` with this indentation.
    func pins(_ pins: [PinSet.PinnedKey], indentation: String) -> String {
        var output = lineEnd
        for pin in pins {
            if let note = PinComment(pin).markup { output += "\(indentation)\(unit)<!-- \(note) -->\(lineEnd)" }
            output += "\(indentation)\(unit)\(Self.pin(pin.pin))\(lineEnd)"
        }
        return output + indentation
    }

    static func pin(_ pin: Pin) -> String { "<pin digest=\"SHA-256\">\(pin.base64)</pin>" }

    func trustKit(_ enforces: Bool) -> String {
        "<trustkit-config enforcePinning=\"\(enforces)\" />"
    }
}
