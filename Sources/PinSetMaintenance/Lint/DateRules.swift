internal import Encodings
internal import PinSetFormats
internal import Pinning

/// What has ended, and what soon does.
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
                .expired, "the pins of \(host) hold no more since \(expires.date): apps accept any trusted chain",
                hint: "see that they still match, then give them a later \"expires\"", of: entry
            )
        } else if linter.isSoon(expires) {
            findings.add(
                .expiresSoon, "the pins of \(host) expire on \(expires.date), \(linter.now.left(until: expires))",
                hint: "see that they still match, then give them a later \"expires\"", of: entry
            )
        }
    }

    private static func checkPin(
        _ end: Timestamp, _ pin: LintPin, _ entry: LintEntry, _ linter: Linter, _ findings: inout LintFindings
    ) {
        if end < linter.now {
            findings.add(
                .pinExpired, "the certificate of this pin ended on \(end.date), as the set says",
                hint: "see whether the key is still in use: give it its new \"notAfter\", or make it \"retired\"",
                of: entry, pin
            )
        } else if linter.isSoon(end) {
            findings.add(
                .pinExpiresSoon,
                "the certificate of this pin ends on \(end.date), \(linter.now.left(until: end)), as the set says",
                hint: "see that the next certificate has a pinned key", of: entry, pin
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
                .authorityExpired, "the certificates of \(name) ended on \(end.date)",
                hint: "a chain of today ends elsewhere: pin what the host presents now", of: entry, pin
            )
        } else if linter.isSoon(end) {
            findings.add(
                .authorityExpiresSoon, "the certificates of \(name) end on \(end.date), \(linter.now.left(until: end))",
                hint: "pin the authority that comes after it, too", of: entry, pin
            )
        }
    }
}
