internal import Encodings
internal import PinSetCodec
internal import Pinning

/// Rules about single pins.
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
            if let (code, message, hint) = findings.diagnosis(of: own) {
                findings.add(code, message, hint: hint, of: entry, pin)
            } else {
                checkLabel(pin, own, of: entry, &findings)
            }
            if !set.format.traits.comparesLeafOnly { checkRole(pin, own, of: entry, in: set.format, &findings) }
        }
    }

    private static func duplicate(
        _ pin: LintPin, _ other: LintPin, of entry: LintEntry, _ findings: inout LintFindings
    ) {
        let location = other.position.map { ": first on line \($0.line)" } ?? ""
        let isContradiction = (pin.state == .retired) != (other.state == .retired)
        findings.add(
            .duplicatePin,
            "the entry of \(entry.host.quotedExcerpt) has the pin twice" + location
                + (isContradiction ? "; only one of them is retired" : ""),
            hint: isContradiction ? "remove one: pinctl compares the one that is not retired" : "remove one",
            of: entry, pin
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
                .mislabelled, "the label is \(label.quotedExcerpt), but this is the pin of \(name)",
                hint: "use the label \(name.quotedExcerpt)" + right, of: entry, pin
            )
        } else if named.isFirst, pin.role != .leaf {
            findings.add(
                .mislabelled, "the label is \(label.quotedExcerpt), but this is not the pin of \(named.name)",
                hint: "check the origin of this pin" + right, of: entry, pin
            )
        }
    }

    // MARK: Roles

    /// Reports the pin of a CA that has the role of a leaf.
    private static func checkRole(
        _ pin: LintPin, _ own: Pin, of entry: LintEntry, in format: PinSetFormat, _ findings: inout LintFindings
    ) {
        guard pin.role == .leaf, let name = KnownAuthorities.name(of: own) else { return }
        findings.add(
            .impossibleRole, "this is the pin of \(name), a CA, but its role is \"leaf\"",
            hint: format.pinLists == nil ? "use the role \"ca\"" : format.step(toRole: .root), of: entry, pin
        )
    }
}
