internal import Encodings
internal import OpenSSL
internal import PinSetFormats
internal import Pinning

/// What a chain that validates says of the pins of its host.
enum ChainRules {
    static func check(_ entry: LintEntry, _ chain: CertificateChain, in set: LintSet, _ findings: inout LintFindings) {
        guard chain.isTrusted else {
            findings.add(
                .untrustedChain,
                "the chain of \(entry.host.quotedExcerpt) does not validate, so no pin was compared: \(chain.failures.map(\.reason).joined(separator: "; "))",
                hint: step(after: chain.failures.first, entry), of: entry
            )
            return
        }
        guard set.format.traits.hashes == .publicKey else { return }
        let seen = chain.pins
        var found = 0
        var matched = 0
        for pin in entry.pins {
            guard let own = pin.pin else { continue }
            let places = seen.filter { $0.pin == own }
            guard let place = places.first else {
                explain(pin, own, entry, chain, &findings)
                continue
            }
            let allows = places.contains { pin.role.allows($0.role, at: $0.position) }
            switch pin.state {
            case .retired:
                findings.add(
                    .retiredInUse,
                    "this pin is retired, and \(entry.host.quotedExcerpt) still has it as \(place.role.rawValue)",
                    hint: "give it the state \"active\" until the server has changed", of: entry, pin
                )
                continue
            case .backup where allows:
                findings.add(
                    .backupInUse, "this backup is in use: \(entry.host.quotedExcerpt) has it as \(place.role.rawValue)",
                    hint: "give it the state \"active\", and add another backup", of: entry, pin
                )
            default: break
            }
            if allows {
                matched += 1
            } else {
                findings.add(
                    .wrongRole,
                    "\(entry.host.quotedExcerpt) has this pin as \(place.role.rawValue), and its role lets it match as "
                        + "\(pin.role.rawValue) alone",
                    hint: "give it the role \(place.role.rawValue.quotedExcerpt), if that is what is meant", of: entry,
                    pin
                )
            }
            found += 1
        }
        verdict(entry, matched: matched, found: found, &findings)
    }

    private static func step(after failure: TrustFailure?, _ entry: LintEntry) -> String {
        switch failure {
        case .missingIssuer, .untrustedRoot, .selfSigned:
            let interception = "somebody may be intercepting the connection"
            return entry.anchors.isEmpty
                ? "an authority of your own is named with --anchors; if it is not yours, \(interception)"
                : "the anchors of the set count: if they are up to date, \(interception)"
        default: return "the server needs another certificate: its pins are not at fault"
        }
    }

    private static func verdict(_ entry: LintEntry, matched: Int, found: Int, _ findings: inout LintFindings) {
        let usable = entry.usable
        guard !usable.isEmpty else { return }
        if matched == 0 {
            findings.add(
                .liveMismatch, "no pin of \(entry.host.quotedExcerpt) matches the chain that it presents",
                hint: "pinctl verify shows what was expected and what was seen", of: entry
            )
        } else if found == usable.count, Set(usable.compactMap(\.pin)).count > 1 {
            findings.add(
                .liveOnly,
                "every pin of \(entry.host.quotedExcerpt) is in the chain of today: none is left for a chain of tomorrow",
                hint: "make a spare key, keep it off the server, and add its pin with \"state\": \"backup\"", of: entry
            )
        }
    }

    /// Whether a pin that is not in the chain is another hash of something in it.
    private static func explain(
        _ pin: LintPin, _ own: Pin, _ entry: LintEntry, _ chain: CertificateChain, _ findings: inout LintFindings
    ) {
        for link in chain.entries {
            let certificate = link.certificate
            let hint = "the pin of that key is \(certificate.pin.base64.quotedExcerpt)"
            let whose = "of \(entry.host.quotedExcerpt), \(link.role.rawValue)"
            if certificate.sha256 == own.bytes {
                return findings.add(
                    .certificateHash, "this is the hash of the certificate \(whose), not of its key", hint: hint,
                    of: entry, pin)
            }
            if let bits = certificate.keyBits, Digest.sha256(bits) == own.bytes {
                return findings.add(
                    .bitStringHash,
                    "this is the hash of the key's bits \(whose), without the SubjectPublicKeyInfo around them",
                    hint: hint,
                    of: entry, pin
                )
            }
            let texts = [PEM.publicKey(certificate.subjectPublicKeyInfo), PEM.certificate(certificate.der)]
            if texts.contains(where: { Digest.sha256($0.utf8) == own.bytes }) {
                return findings.add(
                    .textHash, "this is the hash of PEM text \(whose), not of the key's bytes", hint: hint, of: entry,
                    pin)
            }
        }
        // What the catalogue explains was told of already.
        guard PinSuspicion.explanation(of: own, spelled: pin.spelling) == nil else { return }
        let near = NearPins(
            chain.entries.map { ($0.certificate.pin.base64, "the \($0.role.rawValue) of \(entry.host)") })
        guard let match = near.match(to: own.base64) else { return }
        findings.add(
            .nearMiss, PinSuspicion.nearMessage(own.base64.quotedExcerpt, match), hint: PinSuspicion.nearHint(match),
            of: entry, pin)
    }
}

extension Certificate {
    /// The contents of the key's BIT STRING without the count of unused bits (RFC 5280, section 4.1.2.7).
    fileprivate var keyBits: ArraySlice<UInt8>? {
        var reader = DERReader(Array(subjectPublicKeyInfo))
        guard let key = try? reader.next(.sequence) else { return nil }
        reader = reader.reader(of: key)
        guard (try? reader.next(.sequence)) != nil, let bits = try? reader.next(.bitString) else { return nil }
        return reader.bytes[bits.contents].dropFirst()
    }
}
