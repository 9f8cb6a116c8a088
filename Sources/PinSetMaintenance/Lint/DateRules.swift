internal import Encodings
internal import PinSetCodec
internal import Pinning

/// Rules about dates that have passed or will pass soon.
enum DateRules {
    static func check(_ entry: LintEntry, _ linter: Linter, in set: LintSet, _ findings: inout LintFindings) {
        if let expires = entry.expires { checkExpiry(expires, entry, linter, &findings) }
        for pin in entry.pins where pin.state != .retired {
            if let end = pin.notAfter { checkPin(end, pin, entry, linter, &findings) }
            if set.format.traits.hashes == .publicKey, let own = pin.pin {
                checkAuthority(own, pin, entry, linter, &findings)
            }
        }
    }

    private static func checkExpiry(
        _ expires: Timestamp, _ entry: LintEntry, _ linter: Linter, _ findings: inout LintFindings
    ) {
        let host = entry.host.quotedExcerpt
        if expires <= linter.now {
            findings.add(
                .expired, "the pins of \(host) expired on \(expires.date): apps accept any trusted chain",
                hint: "check that they still match, then set a later \"expires\"", of: entry
            )
        } else if linter.isSoon(expires) {
            findings.add(
                .expiresSoon, "the pins of \(host) expire on \(expires.date), \(linter.now.left(until: expires))",
                hint: "check that they still match, then set a later \"expires\"", of: entry
            )
        }
    }

    private static func checkPin(
        _ end: Timestamp, _ pin: LintPin, _ entry: LintEntry, _ linter: Linter, _ findings: inout LintFindings
    ) {
        if end < linter.now {
            findings.add(
                .pinExpired, "according to \"notAfter\", the certificate of this pin expired on \(end.date)",
                hint: "check whether the key is still in use: update \"notAfter\", or set the state \"retired\"",
                of: entry, pin
            )
        } else if linter.isSoon(end) {
            findings.add(
                .pinExpiresSoon,
                "according to \"notAfter\", the certificate of this pin expires on \(end.date), \(linter.now.left(until: end))",
                hint: "check that the next certificate has a pinned key", of: entry, pin
            )
        }
    }

    private static func checkAuthority(
        _ own: Pin, _ pin: LintPin, _ entry: LintEntry, _ linter: Linter, _ findings: inout LintFindings
    ) {
        guard let details = KnownAuthorities.details(of: own), let name = KnownAuthorities.name(of: own) else { return }
        let end = details.notAfter
        if end < linter.now {
            findings.add(
                .authorityExpired, "the certificates of \(name) expired on \(end.date)",
                hint: "add the pin of a key in the host's current chain", of: entry, pin
            )
        } else if linter.isSoon(end) {
            findings.add(
                .authorityExpiresSoon,
                "the certificates of \(name) expire on \(end.date), \(linter.now.left(until: end))",
                hint: "add the pin of the CA that will replace it", of: entry, pin
            )
        }
    }
}
