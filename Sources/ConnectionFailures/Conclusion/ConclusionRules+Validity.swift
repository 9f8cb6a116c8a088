internal import Pinning

/// The rules for a certificate that has expired or is not valid yet.
extension ConclusionRules {
    var onValidity: Conclusion {
        guard let chain = evidence.chain else {
            return Conclusion(
                .expiredCertificate, failure.host == nil ? .nameHost : .connect,
                failure.kind == .expired && failure.source != .dotnet
                    ? "the program found that a certificate of the chain has expired"
                    : failure.kind == .expired
                        ? "the program found that a certificate of the chain has expired or is not valid yet"
                        : "the program found that a certificate of the chain is not valid yet, or the clock of the device is wrong"
            )
        }
        if let failed = chain.failures.first(where: failure.isExplained) {
            if showsOtherCertificate(than: chain) { return onOtherCertificate(chain) }
            return Conclusion(
                .expiredCertificate, .inspect, "the host's chain is not valid here either: \(failed.reason)")
        }
        guard chain.isTrusted else { return onUntrusted(chain) }
        if evidence.unlistedAnchor == nil, showsOtherAuthority(than: chain) {
            return onKnownAuthority
                ?? Conclusion(
                    .undecided, .fetch,
                    "the log shows a certificate of another CA than that of the host's chain, which is trusted here: the host changed its CA"
                        + " since, another server of the host has another CA, or the connection was intercepted")
        }
        let leaf = chain.entries.first?.certificate
        guard failure.kind == .expired else {
            let start = leaf?.notBefore.map { " since \($0.date)" } ?? ""
            return Conclusion(
                .expiredCertificate, .inspect,
                "the host serves a certificate that is valid\(start): the clock of the device is wrong, or the message is older than that"
            )
        }
        let until = leaf?.notAfter.map { " until \($0.date)" } ?? ""
        return Conclusion(
            .expiredCertificate, .inspect,
            "the host serves a certificate that is valid\(until): it was renewed since, the clock of the device is wrong, or the program"
                + " uses an expired certificate of a CA")
    }

    /// Whether the log shows a certificate that no CA of a chain issued. A renewed certificate can have another key, but not another CA.
    private func showsOtherAuthority(than chain: CertificateChain) -> Bool {
        guard let first = failure.seen.first, first.pin == nil || first.pin != chain.entries.first?.certificate.pin
        else {
            return false
        }
        let keys = failure.seen.dropFirst().compactMap(\.pin)
        guard keys.isEmpty else { return hostAuthorities.isDisjoint(with: keys) }
        let names = chain.entries.dropFirst().map(\.certificate.subject?.commonName)
        guard !names.contains(nil), let issuer = first.issuer ?? failure.seen.dropFirst().first?.subject else {
            return false
        }
        return !names.contains(Self.commonName(issuer))
    }
}
