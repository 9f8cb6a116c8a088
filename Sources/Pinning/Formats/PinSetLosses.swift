/// Losses as they are found, each once.
struct PinSetLosses {
    private(set) var list: [PinSetLoss] = []
    private var known: Set<PinSetLoss> = []

    mutating func add(_ message: String, of host: String? = nil) {
        let loss = PinSetLoss(host: host, message: message)
        if known.insert(loss).inserted { list.append(loss) }
    }
}

extension PinSet.PinnedKey {
    /// The pin as a loss names it: with its label, where it has one, or the known authority whose it is.
    var shown: String { shown(as: "pin") }

    func shown(as noun: String) -> String {
        guard let name = label ?? KnownAuthorities.name(of: pin) else { return "the \(noun) \(pin.base64)" }
        return "the \(noun) \(pin.base64) (\(name.quoted))"
    }
}
