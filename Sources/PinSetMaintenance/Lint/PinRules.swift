internal import Encodings
internal import PinSetFormats
internal import Pinning

/// What may be wrong with each pin alone.
enum PinRules {
    static func check(_ entry: LintEntry, in set: LintSet, _ findings: inout LintFindings) {
        guard set.format.traits.hashes == .publicKey else { return }
        var first: [Pin: LintPin] = [:]
        for pin in entry.pins {
            guard let own = pin.pin else { continue }
            if let other = first[own] {
                duplicate(pin, other, of: entry, &findings)
                continue
            }
            first[own] = pin
            if let (code, message, hint) = PinSuspicion.explanation(of: own, spelled: pin.spelling) {
                findings.add(code, message, hint: hint, of: entry, pin)
            } else {
                checkLabel(pin, own, of: entry, &findings)
            }
            if !set.format.traits.comparesLeafOnly { checkRole(pin, own, of: entry, &findings) }
        }
    }

    private static func duplicate(
        _ pin: LintPin, _ other: LintPin, of entry: LintEntry, _ findings: inout LintFindings
    ) {
        let place = other.position.map { ": first on line \($0.line)" } ?? ""
        let isContradiction = (pin.state == .retired) != (other.state == .retired)
        findings.add(
            .duplicatePin,
            "the pin stands twice in the entry of \(entry.host.quotedExcerpt)" + place
                + (isContradiction ? ", and is retired in one place alone" : ""),
            hint: isContradiction ? "the one that is not retired matches: remove one" : "remove one", of: entry, pin
        )
    }

    // MARK: Labels

    private static func checkLabel(_ pin: LintPin, _ own: Pin, of entry: LintEntry, _ findings: inout LintFindings) {
        guard let label = pin.label, let named = AuthorityLabel.authority(in: label),
            named.pins.allSatisfy({ $0 != own.base64 })
        else { return }
        let right = named.pins.first.map { "; the pin of \(named.name) is \($0.quotedExcerpt)" } ?? ""
        if let name = KnownAuthorities.name(of: own) {
            findings.add(
                .mislabelled, "the label is \(label.quotedExcerpt), and this is the pin of \(name)",
                hint: "write the label \(name.quotedExcerpt)" + right, of: entry, pin
            )
        } else if named.isFirst, pin.role != .leaf {
            findings.add(
                .mislabelled, "the label is \(label.quotedExcerpt), and this is not the pin of \(named.name)",
                hint: "see where this pin comes from" + right, of: entry, pin
            )
        }
    }

    // MARK: Roles

    /// A root's key never is the server's own, and so on.
    private static func checkRole(_ pin: LintPin, _ own: Pin, of entry: LintEntry, _ findings: inout LintFindings) {
        guard pin.role == .leaf, let name = KnownAuthorities.name(of: own) else { return }
        findings.add(
            .impossibleRole, "this is the pin of \(name), an authority, and its role lets it match as leaf alone",
            hint: "give it the role \"ca\"", of: entry, pin
        )
    }
}
