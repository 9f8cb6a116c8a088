internal import Encodings
internal import Pinning

/// Losses as they are found, each once.
struct ConversionWarnings {
    private(set) var list: [ConversionWarning] = []
    private var known: Set<ConversionWarning> = []

    mutating func add(_ message: String, of host: String? = nil) {
        let warning = ConversionWarning(host: host, message: message)
        if known.insert(warning).inserted { list.append(warning) }
    }

    /// That `role` is wider in the format than in the set.
    mutating func addRole(of key: PinSet.PinnedKey, matches place: String, of host: String) {
        add("\"role\": \"\(key.role.rawValue)\" cannot be said in this format: \(key.shown) matches \(place)", of: host)
    }
}

extension PinSet.PinnedKey {
    init(pin: Pin, role: PinSet.AllowedRole = .any, note comment: String?) {
        let note = PinComment(comment ?? "")
        self.init(pin: pin, role: role, state: note.state, label: note.label, notAfter: note.notAfter)
    }

    /// The pin as a warning names it: with its label, where it has one, or the known authority whose it is.
    package var shown: String {
        guard let name = label ?? KnownAuthorities.name(of: pin) else { return "the pin \(pin.base64)" }
        return "the pin \(pin.base64) (\(name.quotedExcerpt))"
    }
}
