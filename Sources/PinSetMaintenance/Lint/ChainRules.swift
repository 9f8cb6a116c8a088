internal import Encodings
internal import OpenSSL
internal import PinSetCodec
internal import Pinning

/// Rules that compare the pins of a host with its chains.
enum ChainRules {
    /// - Parameters:
    ///   - chains: the different chains of the host.
    ///   - untrustedStep: returns the next step after a chain of a host that does not validate.
    static func check(
        _ entry: LintEntry, _ chains: [CertificateChain], in set: LintSet, _ findings: inout LintFindings,
        untrustedStep: (CertificateChain, String) -> String? = { _, _ in nil }
    ) {
        for chain in chains where !chain.isTrusted {
            findings.add(
                .untrustedChain,
                "\(name(of: chain, in: chains, entry)) is not trusted, so no pin was compared: \(chain.failures.map(\.reason).joined(separator: "; "))",
                hint: entry.name.flatMap { untrustedStep(chain, $0) } ?? hint(after: chain.failures.first), of: entry
            )
        }
        let trusted = chains.filter(\.isTrusted)
        guard !trusted.isEmpty else { return }
        guard set.format.traits.hashes == .publicKey else { return }
        let seen = trusted.flatMap(\.pins)
        let others = trusted.flatMap { ($0.validPaths?.paths ?? []).joined() }
            .map { ChainPin(role: $0.role, position: $0.position, pin: $0.certificate.pin) }
        let advice = BackupAdvice(for: set.format, roles: entry.usable.map(\.role))
        for pin in entry.pins {
            guard let own = pin.pin else { continue }
            let chainPins = seen.filter { $0.pin == own }
            guard let chainPin = chainPins.first else {
                if pin.state == .backup,
                    let other = others.first(where: { $0.pin == own && pin.role.allows($0.role, at: $0.position) })
                {
                    findings.add(
                        .backupInUse,
                        "this backup is in use: some clients of \(entry.host.quotedExcerpt) build a path that has it as \(other.role.rawValue)",
                        hint: advice.step, of: entry, pin)
                }
                explain(pin, own, entry, trusted, &findings)
                continue
            }
            let allows = chainPins.contains { pin.role.allows($0.role, at: $0.position) }
            switch pin.state {
            case .retired:
                findings.add(
                    .retiredInUse,
                    "this pin is retired, but \(entry.host.quotedExcerpt) still uses it as \(chainPin.role.rawValue)",
                    hint: "set the state \"active\" until the server uses another key", of: entry, pin
                )
                continue
            case .backup where allows:
                findings.add(
                    .backupInUse,
                    "this backup is in use: \(entry.host.quotedExcerpt) uses it as \(chainPin.role.rawValue)",
                    hint: set.format.traits.isNative
                        ? "set the state \"active\", and add another backup" : advice.step, of: entry, pin
                )
            default: break
            }
            if !allows {
                findings.add(
                    .wrongRole,
                    "\(entry.host.quotedExcerpt) uses this pin as \(chainPin.role.rawValue), but its role is "
                        + pin.role.rawValue.quotedExcerpt,
                    hint: set.format.step(toRole: chainPin.role) + " if this key is meant", of: entry, pin
                )
            }
        }
        verdict(entry, chains, advice, &findings)
    }

    /// The words for the chain, with the type of its key if the host has several types.
    private static func name(of chain: CertificateChain, in chains: [CertificateChain], _ entry: LintEntry) -> String {
        func type(_ chain: CertificateChain) -> String { chain.entries.first?.certificate.key.type ?? "" }
        let own = type(chain)
        let count = chains.count { type($0) == own }
        let shown = count < chains.count ? "\(own) " : ""
        let host = entry.host.quotedExcerpt
        return count > 1 ? "one of the \(shown)chains of the addresses of \(host)" : "the \(shown)chain of \(host)"
    }

    /// Whether a pin that is not retired matches the chain.
    private static func matches(_ entry: LintEntry, _ chain: CertificateChain) -> Bool {
        entry.pins.contains { pin in
            pin.state != .retired
                && chain.pins.contains { $0.pin == pin.pin && pin.role.allows($0.role, at: $0.position) }
        }
    }

    /// The step of a caller that has no other one.
    private static func hint(after failure: TrustFailure?) -> String {
        failure?.isUnknownAuthority == true
            ? "check the trust anchors: if they are correct, the connection may be intercepted"
            : "install a valid certificate chain on the server; the pins are not the cause"
    }

    private static func verdict(
        _ entry: LintEntry, _ chains: [CertificateChain], _ advice: BackupAdvice, _ findings: inout LintFindings
    ) {
        let usable = entry.usable
        guard !usable.isEmpty else { return }
        let mismatches = chains.filter { $0.isTrusted && !matches(entry, $0) }
        for chain in mismatches {
            findings.add(
                .liveMismatch,
                chains.count > 1
                    ? "no pin matches \(name(of: chain, in: chains, entry))"
                    : "no pin of \(entry.host.quotedExcerpt) matches its chain",
                action: .compareWithChain, severity: entry.enforce ? nil : .warning, of: entry
            )
        }
        guard mismatches.isEmpty else { return }
        let chainPins = chains.filter(\.isTrusted).flatMap(\.pins)
        let seen = Set(chainPins.map(\.pin))
        let unused = usable.filter { $0.pin.map { !seen.contains($0) } ?? false }
        // As in refresh, a key that was replaced is no backup, and a finding about a backup in use says the same.
        // CoverageRules reports an entry with one pin.
        guard unused.allSatisfy(\.isGone), Set(usable.compactMap(\.pin)).count > 1,
            !usable.contains(where: { key in
                key.state == .backup
                    && chainPins.contains { $0.pin == key.pin && key.role.allows($0.role, at: $0.position) }
            })
        else { return }
        findings.add(
            .noBackup,
            "every pin of \(entry.host.quotedExcerpt) is in the current chain"
                + (unused.isEmpty ? "" : " or was replaced") + ": no pin matches a chain without these keys",
            hint: advice.step, of: entry
        )
    }

    /// Reports a pin that is another kind of hash of a certificate or key of the chain.
    private static func explain(
        _ pin: LintPin, _ own: Pin, _ entry: LintEntry, _ chains: [CertificateChain],
        _ findings: inout LintFindings
    ) {
        let links = chains.flatMap(\.entries)
        for link in links {
            let certificate = link.certificate
            let hint = "use the pin of that key: \(certificate.pin.base64.quotedExcerpt)"
            let whose = "of \(entry.host.quotedExcerpt), \(link.role.rawValue)"
            if certificate.sha256 == own.bytes {
                return findings.add(
                    .certificateHash, "this is the hash of the certificate \(whose), not of its key", hint: hint,
                    of: entry, pin)
            }
            if let bits = certificate.keyBits, Digest.sha256(bits) == own.bytes {
                return findings.add(
                    .bitStringHash,
                    "this is the hash of the BIT STRING in the key \(whose), not of the whole SubjectPublicKeyInfo",
                    hint: hint,
                    of: entry, pin
                )
            }
            let texts = [PEM.publicKey(certificate.subjectPublicKeyInfo), PEM.certificate(certificate.der)]
            if texts.contains(where: { Digest.sha256($0.utf8) == own.bytes }) {
                return findings.add(
                    .textHash, "this is the hash of PEM text \(whose), not of the key's DER bytes", hint: hint,
                    of: entry,
                    pin)
            }
        }
        // If the catalogue explains the pin, PinRules reports it.
        guard findings.diagnosis(of: own) == nil else { return }
        let near = NearMissIndex(
            links.map { ($0.certificate.pin.base64, "the \($0.role.rawValue) of \(entry.host)") })
        guard let match = near.match(to: own.base64) else { return }
        findings.add(
            .nearMiss, PinDiagnosis.nearMessage(own.base64.quotedExcerpt, match), hint: PinDiagnosis.nearHint(match),
            of: entry, pin)
    }
}

extension Certificate {
    /// The contents of the key's BIT STRING, without the count of unused bits (RFC 5280, section 4.1.2.7).
    fileprivate var keyBits: ArraySlice<UInt8>? {
        var reader = DERReader(Array(subjectPublicKeyInfo))
        guard let key = try? reader.next(.sequence) else { return nil }
        reader = reader.reader(of: key)
        guard (try? reader.next(.sequence)) != nil, let bits = try? reader.next(.bitString) else { return nil }
        return reader.bytes[bits.contents].dropFirst()
    }
}
