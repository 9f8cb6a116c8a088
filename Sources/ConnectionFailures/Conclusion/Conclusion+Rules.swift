internal import Encodings
internal import Pinning

extension Conclusion {
    /// Draws the conclusion for one failure.
    ///
    /// A rule that needs the host's chain uses only a chain that validates here; a chain that does not validate could come from an
    /// interceptor between this machine and the host.
    package init(of failure: ConnectionFailure, with evidence: HostEvidence) {
        let rules = Rules(failure: failure, evidence: evidence)
        if let conclusion = rules.onRepeatedParts ?? rules.onSet {
            self = conclusion
            return
        }
        self =
            switch failure.kind {
            case .pinMismatch: rules.onPins
            case .expired, .notYetValid: rules.onValidity
            case .untrusted, .nameMismatch, .handshake: rules.onTrust
            case .cancelled: rules.onCancellation
            }
    }
}

private struct Rules {
    let failure: ConnectionFailure
    let evidence: HostEvidence

    private var expected: Set<Pin> { Set(evidence.expected) }
    private var seen: [Pin] { failure.seenPins }

    /// The pins of the host's chain, if it validates.
    private var live: [Pin]? {
        guard let chain = evidence.chain, chain.isTrusted else { return nil }
        return chain.entries.map(\.certificate.pin)
    }

    /// The name of a public CA whose key the program saw.
    private var seenAuthority: String? { seen.compactMap { KnownAuthorities.name(of: $0) }.last }

    // MARK: Lines that an interceptor can have written

    var onRepeatedParts: Conclusion? {
        guard failure.hasRepeatedParts else { return nil }
        return Conclusion(
            .undecided, .fetch,
            "the message contains a part twice that the program writes once: the name of an interceptor's certificate can contain such"
                + " lines, so the log does not show the cause")
    }

    // MARK: Pins that cannot match

    /// A pin that is no digest of a public key.
    var onSet: Conclusion? {
        for pin in evidence.expected {
            if let byte = pin.bytes.first, pin.bytes.allSatisfy({ $0 == byte }) {
                return Conclusion(.wrongSet, .lint, "the pin \(pin.base64) is a placeholder and matches no key")
            }
            if let mixup = KnownAuthorities.digestMixup(of: pin.bytes) {
                let what = mixup.kind == .certificate ? "the certificate" : "the key bits"
                return Conclusion(
                    .wrongSet, .lint,
                    "the pin \(pin.base64) is the SHA-256 of \(what) of \(mixup.name), and not of its SubjectPublicKeyInfo"
                )
            }
            if let entry = evidence.chain?.entries.first(where: { $0.certificate.sha256 == pin.bytes }) {
                return Conclusion(
                    .wrongSet, .lint,
                    "the pin \(pin.base64) is the SHA-256 of the host's \(entry.role.rawValue) certificate, and not of its"
                        + " SubjectPublicKeyInfo")
            }
        }
        return nil
    }

    // MARK: Pins

    var onPins: Conclusion {
        if !seen.isEmpty, !expected.isDisjoint(with: seen) {
            return Conclusion(
                .undecided, .verify,
                "the log contains a pinned key among the keys of the chain, so the pins of the program differ from those in the log or"
                    + " the program allows the pin only in another position")
        }
        guard let live else { return onPinsWithoutHost }
        let matches = !expected.isDisjoint(with: live)
        if seen.isEmpty { return onPinsWithoutSeenKeys(matches) }
        let sawHost = seen.first == live.first || seen.allSatisfy(live.contains)
        if sawHost, matches {
            return Conclusion(
                .undecided, .fetch,
                "the log contains the host's own key, and the host serves a pinned key here: the program built another path without the"
                    + " pinned key, it has other pins, or the log is not complete")
        }
        if sawHost {
            return Conclusion(
                .rotation, .refresh,
                "the program saw the chain that the host serves now, which is trusted, and found no pin that matches")
        }
        if let authority = seenAuthority {
            return matches
                ? Conclusion(
                    .undecided, .fetch,
                    "the log contains a key of the public CA \(authority), and the host serves a pinned key here: another server of"
                        + " the host has other keys, the host changed them back, or the name of an interceptor's certificate contains"
                        + " this line of the log")
                : Conclusion(
                    .rotation, .refresh,
                    "the host serves a trusted chain without a pinned key, and the log contains a key of the public CA \(authority)"
                )
        }
        return Conclusion(
            .interception, .fetch,
            matches
                ? "the host serves a pinned key here, and the program saw other keys, of no public CA that pinctl knows"
                : "the program saw keys that the host does not serve here, of no public CA that pinctl knows; the host's own keys are not"
                    + " pinned either")
    }

    private func onPinsWithoutSeenKeys(_ matches: Bool) -> Conclusion {
        guard !expected.isEmpty else {
            return Conclusion(
                .undecided, .namePins,
                "the log contains neither the pins of the program nor the keys that it saw; the host's chain is trusted here"
            )
        }
        guard matches else {
            return Conclusion(
                .rotation, .refresh, "the host serves a trusted chain without a pinned key")
        }
        return Conclusion(
            .interception, .fetch,
            "the host serves a pinned key here, so the program saw another chain, if it has these pins")
    }

    private var onPinsWithoutHost: Conclusion {
        if let chain = evidence.chain { return onUntrusted(chain) }
        if let authority = seenAuthority {
            return Conclusion(
                .undecided, .connect,
                "the log contains a key of the public CA \(authority), as after a rotation; but the name of an interceptor's certificate can"
                    + " contain such a line, so compare with the host")
        }
        return onMissingHost("the log alone does not show whether the keys belong to the host")
    }

    // MARK: Validity

    var onValidity: Conclusion {
        guard let chain = evidence.chain else {
            return Conclusion(
                .expiredCertificate, failure.host == nil ? .nameHost : .connect,
                failure.kind == .expired
                    ? "the program found that a certificate of the chain has expired"
                    : "the program found that a certificate of the chain is not valid yet, or the clock of the device is wrong"
            )
        }
        if let failed = chain.failures.first, failed.code == "expired" || failed.code == "not-yet-valid" {
            return Conclusion(.expiredCertificate, .inspect, "the same certificate fails here: \(failed.reason)")
        }
        guard chain.isTrusted else { return onUntrusted(chain) }
        let until = chain.entries.first?.certificate.notAfter.map { " until \($0.date)" } ?? ""
        return Conclusion(
            .expiredCertificate, .inspect,
            "the host serves a certificate that is valid\(until): it was renewed since, or the clock of the device is wrong"
        )
    }

    // MARK: Trust

    var onTrust: Conclusion {
        guard let chain = evidence.chain else {
            return onMissingHost("the program does not trust the chain, and the log does not show why")
        }
        guard chain.isTrusted else { return onUntrusted(chain) }
        let names = failure.seen.compactMap(\.subject).map(Self.commonName)
        let live = chain.entries.compactMap {
            $0.certificate.subject?.commonName ?? $0.certificate.subject?.displayName
        }
        if let first = names.first, let leaf = chain.entries.first?.certificate {
            let isForHost = first == live.first || leaf.dnsNames.contains(first)
            guard isForHost else {
                return Conclusion(
                    .interception, .fetch,
                    "the program saw a certificate for \(first), and the host serves a trusted chain for \(live.first ?? "other names")"
                        + " here: a captive portal, a proxy, or another server answered")
            }
            let issuer = failure.seen.first?.issuer.map(Self.commonName) ?? names.dropFirst().first
            if let issuer, !live.dropFirst().contains(issuer) {
                return Conclusion(
                    .interception, .fetch,
                    "the program saw a certificate that \(issuer) issued, and the host serves a trusted chain of another CA here"
                )
            }
            if onApple, !expected.isEmpty, expected.isDisjoint(with: chain.entries.map(\.certificate.pin)) {
                return Conclusion(
                    .rotation, .refresh,
                    "the host serves a trusted chain without a pinned key, and the program saw the names of this chain")
            }
            return Conclusion(
                .undecided, .fetch,
                "the program saw the names of the chain that is trusted here: its trust store lacks the CA, its pins do not match, or an"
                    + " interceptor used the same names")
        }
        if onApple, !expected.isEmpty, expected.isDisjoint(with: chain.entries.map(\.certificate.pin)) {
            return Conclusion(.rotation, .refresh, "the host serves a trusted chain without a pinned key")
        }
        return Conclusion(
            .undecided, .fetch,
            "the host's chain is trusted here: the program's trust store lacks the CA, the server omits an intermediate certificate for some"
                + " clients, or the connection was intercepted")
    }

    /// Whether the system reports a pin of NSPinnedDomains that does not match like an untrusted chain.
    private var onApple: Bool { failure.source == .urlsession }

    var onCancellation: Conclusion {
        guard let live else {
            guard let chain = evidence.chain else {
                return onMissingHost("the program cancelled the connection and did not log why")
            }
            return onUntrusted(chain)
        }
        guard !expected.isEmpty else {
            return Conclusion(
                .undecided, .namePins,
                "the program cancelled the connection: its pin check refused the chain, or it stopped the request; the host's chain is"
                    + " trusted here")
        }
        guard expected.isDisjoint(with: live) else {
            return Conclusion(
                .undecided, .fetch,
                "the program cancelled the connection, and the host serves a pinned key here: the program saw another chain, or it stopped"
                    + " the request for another reason")
        }
        return Conclusion(
            .rotation, .refresh,
            "the program cancelled the connection, and the host serves a trusted chain without a pinned key")
    }

    // MARK: Shared

    /// The host serves a chain that does not validate here.
    private func onUntrusted(_ chain: CertificateChain) -> Conclusion {
        let reason = chain.failures.first
        switch reason?.code {
        case "expired", "not-yet-valid":
            return Conclusion(
                .expiredCertificate, .inspect, "the host's chain is not trusted here either: \(chain.reasonText)")
        case "missing-intermediate", "name-mismatch", "weak-key", "weak-signature", "wrong-purpose", "revoked",
            "bad-signature":
            return Conclusion(
                .serverError, .inspect, "the host's chain is not trusted here either: \(chain.reasonText)")
        default:
            return Conclusion(
                .undecided, .fetch,
                "the host's chain is not trusted here either: \(chain.reasonText); it has a private CA, or this connection is intercepted"
                    + " too")
        }
    }

    private func onMissingHost(_ sentence: String) -> Conclusion {
        if case .unreachable(let reason) = evidence.live {
            return Conclusion(.undecided, .connect, "\(sentence), and the host does not answer: \(reason)")
        }
        return Conclusion(.undecided, failure.host == nil ? .nameHost : .connect, sentence)
    }

    /// The common name in the text of a subject, or the whole text.
    private static func commonName(_ subject: String) -> String {
        guard let start = subject.firstRange(of: "CN=")?.upperBound ?? subject.firstRange(of: "CN = ")?.upperBound
        else {
            return subject
        }
        return String(subject[start...].prefix { $0 != "," })
    }
}

extension CertificateChain {
    /// The reasons why the chain does not validate, in one line.
    fileprivate var reasonText: String { failures.map(\.reason).joined(separator: "; ") }
}
