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
    /// The pin as a loss names it: with its label, where it has one.
    var shown: String {
        guard let label else { return "the pin \(pin.base64)" }
        return "the pin \(pin.base64) (\(label.quoted))"
    }
}
