internal import Encodings
internal import Pinning

/// Losses as they are found, each once.
struct PinSetLosses {
    private(set) var list: [PinSetLoss] = []
    private var known: Set<PinSetLoss> = []

    mutating func add(_ message: String, of host: String? = nil) {
        let loss = PinSetLoss(host: host, message: message)
        if known.insert(loss).inserted { list.append(loss) }
    }

    /// That `role` is wider in the format than in the set.
    mutating func addRole(of key: PinSet.PinnedKey, matches place: String, of host: String) {
        add("\"role\": \"\(key.role.rawValue)\" cannot be said in this format: \(key.shown) matches \(place)", of: host)
    }
}

extension PinSet.PinnedKey {
    init(pin: Pin, role: PinSet.AllowedRole = .any, note comment: String?) {
        let note = PinNote(comment ?? "")
        self.init(pin: pin, role: role, state: note.state, label: note.label, notAfter: note.notAfter)
    }

    /// The pin as a loss names it: with its label, where it has one, or the known authority whose it is.
    package var shown: String {
        guard let name = label ?? KnownAuthorities.name(of: pin) else { return "the pin \(pin.base64)" }
        return "the pin \(pin.base64) (\(name.quotedExcerpt))"
    }
}
