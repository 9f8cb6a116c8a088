internal import Encodings
internal import Pinning

/// The rules for a chain that the program does not trust.
extension ConclusionRules {
    var onTrust: Conclusion {
        guard let chain = evidence.chain else {
            switch failure.kind {
            case .nameMismatch:
                return onMissingHost(
                    "the program received a certificate for other names: another server, a captive portal or a proxy answered, or the"
                        + " host has a wrong certificate")
            case .handshake: return onMissingHost("the handshake failed, and the log does not show why")
            default: return onMissingHost(UntrustedReason(in: failure).sentence)
            }
        }
        guard chain.isTrusted, evidence.unlistedAnchor == nil else { return onUntrusted(chain) }
        let names = failure.seen.compactMap(\.subject).map(Self.commonName)
        let live = chain.entries.map { $0.certificate.subject?.commonName ?? $0.certificate.subject?.displayName }
        if let leaf = chain.entries.first?.certificate, seen.first == leaf.pin {
            return Conclusion(
                .undecided, .fetch,
                "the program saw the key of the certificate that the host serves here, with a chain that is trusted here: it connected with"
                    + " another name, its trust store lacks the CA, or the host changed the certificate since")
        }
        if let first = names.first, let leaf = chain.entries.first?.certificate {
            let leafName = live.first ?? nil
            let isForHost =
                first == leafName || leaf.dnsNames.contains(first) || failure.isSeen(forHostOf: leaf)
            let issuer = failure.seen.first?.issuer.map(Self.commonName) ?? names.dropFirst().first
            guard isForHost else {
                if let known = onKnownAuthority { return known }
                // Another server of the host's CA can answer. Most programs compare the name only with a trusted chain, so without an issuer in
                // the log, the CA can be a public one.
                let canBeTrusted = issuer.map { live.dropFirst().contains($0) } ?? (failure.kind == .nameMismatch)
                if canBeTrusted { return onOtherNames(chain) }
                return Conclusion(
                    .interception, .fetch,
                    "the program saw a certificate for \(first), and the host serves a trusted chain for \(leafName ?? "other names")"
                        + " here: a captive portal, a proxy, or a server with a wrong configuration answered")
            }
            if let issuer, !live.dropFirst().contains(issuer) {
                if let known = onKnownAuthority { return known }
                let start =
                    "the program saw a certificate that \(issuer) issued, and the host serves a trusted chain of another CA here"
                // Public CAs issue through intermediates with many names, which change with a renewal.
                guard seenTopIsPrivate else {
                    return Conclusion(
                        .undecided, .fetch,
                        "\(start): the host changed its CA since, another server of the host has another one, or the connection was"
                            + " intercepted")
                }
                return Conclusion(.interception, .fetch, start)
            }
            if let refused = onRefusal() { return refused }
            if onApple, !expected.isEmpty, expected.isDisjoint(with: chain.entries.map(\.certificate.pin)) {
                return Conclusion(
                    .rotation, .refresh,
                    "the host serves a trusted chain without a pinned key, and the program saw the names of this chain\(cause)"
                )
            }
            if failure.kind == .nameMismatch { return onOtherNames(chain) }
            return Conclusion(
                .undecided, .fetch,
                "the program saw the names of the chain that is trusted here: its trust store lacks the CA, its pins do not match, or an"
                    + " interceptor used the same names")
        }
        if let refused = onRefusal() { return refused }
        if onApple, !expected.isEmpty, expected.isDisjoint(with: chain.entries.map(\.certificate.pin)) {
            return Conclusion(
                .rotation, .refresh, "the host serves a trusted chain without a pinned key\(cause)")
        }
        if failure.kind == .nameMismatch { return onOtherNames(chain) }
        if failure.kind == .untrusted, [.expired, .notYetValid].contains(UntrustedReason(in: failure)) {
            return Conclusion(
                .undecided, .fetch,
                "the host's chain is trusted here: the certificate was renewed since, the clock of the program is wrong, or the connection was"
                    + " intercepted")
        }
        if failure.kind == .untrusted, UntrustedReason(in: failure).isDefect {
            return Conclusion(
                .undecided, .fetch,
                "the host's chain is trusted here: the host changed its chain since, another server of the host has another one, or the"
                    + " connection was intercepted")
        }
        return Conclusion(
            .undecided, .fetch,
            "the host's chain is trusted here: the program's trust store lacks the CA, the server omits an intermediate certificate for some"
                + " clients, or the connection was intercepted")
    }

    /// A certificate for other names, and a chain that is trusted here.
    private func onOtherNames(_ chain: CertificateChain) -> Conclusion {
        let leaf = chain.entries.first?.certificate
        let names = (leaf?.dnsNames ?? []) + (leaf?.ipAddresses ?? [])
        let list = names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
        return Conclusion(
            .undecided, .fetch,
            "the program received a certificate for other names, and the host serves a trusted one for \(list.isEmpty ? "its name" : list)"
                + " here: another server, a captive portal or a proxy answered, or the host changed the certificate since"
        )
    }

    /// Whether the last certificate of the chain that the program saw is self-signed with a name that no public CA has.
    private var seenTopIsPrivate: Bool {
        guard let top = failure.seen.last, let subject = top.subject.map(Self.commonName) else { return false }
        guard top.issuer.map(Self.commonName) == subject else { return false }
        return !KnownAuthorities.all.contains { $0.name == subject }
    }

    /// Whether the system reports a pin of NSPinnedDomains that does not match like an untrusted chain.
    var onApple: Bool { failure.source == .urlsession }

    /// The common name in the text of a subject, or the whole text.
    static func commonName(_ subject: String) -> String {
        guard
            let start = subject.firstRange(ofBytes: "CN=")?.upperBound
                ?? subject.firstRange(ofBytes: "CN = ")?.upperBound
        else {
            return subject
        }
        // Java quotes a value with special characters (RFC 1779), and curl separates the parts with semicolons.
        if let quoted = subject[start...].without(prefix: "\"") { return String(quoted.before(anyOf: "\"")) }
        return String(subject[start...].before(anyOf: ",;"))
    }
}
