internal import Encodings
package import Pinning

/// Warnings in the order in which they are found, without repetitions.
package struct ConversionWarnings {
    package private(set) var list: [ConversionWarning] = []
    private var known: Set<ConversionWarning> = []

    package init() {}

    package mutating func add(_ reason: ConversionWarning.Reason, of host: String? = nil) {
        let warning = ConversionWarning(host: host?.withoutUserInfo, reason)
        if known.insert(warning).inserted { list.append(warning) }
    }
}

extension PinSet.PinnedKey {
    package init(pin: Pin, role: PinSet.AllowedRole = .any, note comment: String?) {
        let note = PinComment(comment ?? "")
        self.init(pin: pin, role: role, state: note.state, label: note.label, notAfter: note.notAfter)
    }

    /// The pin with the label of another one, if it has none.
    package func keepingLabel(of other: PinSet.PinnedKey) -> PinSet.PinnedKey {
        PinSet.PinnedKey(
            pin: pin, role: role, state: state, label: label ?? other.label, notAfter: notAfter, added: added,
            goneSince: goneSince, position: position, unknown: unknown)
    }

    /// The pin in a message, with its label or the name of the known CA.
    package var shown: String {
        guard let name = label ?? KnownAuthorities.name(of: pin) else { return "the pin \(pin.base64)" }
        return "the pin \(pin.base64) (\(name.quotedExcerpt))"
    }
}
