package import Pinning

extension ConnectionFailure {
    /// Whether a chain that does not validate can cause this failure. Most messages say which reason they are about.
    package func isExplained(by chain: CertificateChain) -> Bool { chain.failures.contains(where: isExplained) }

    /// Whether what the log shows of the first certificate, if anything, is that of a chain's leaf: its key, or its names, and a date of the
    /// chain.
    package func canBeAbout(_ chain: CertificateChain) -> Bool {
        guard hasTexts(of: chain) else { return false }
        guard let leaf = chain.entries.first?.certificate, let first = seen.first else { return true }
        if let pin = first.pin { return pin == leaf.pin }
        let subject = first.subject.map(ConclusionRules.commonName)
        let issuer = first.issuer.map(ConclusionRules.commonName)
        return (subject.map { $0 == leaf.subject?.commonName || leaf.dnsNames.contains($0) } ?? true)
            && (issuer.map { $0 == leaf.issuer?.commonName } ?? true)
    }

    /// Whether the names and the date in the message, if any, are those of a chain.
    func hasTexts(of chain: CertificateChain) -> Bool {
        let certificates = chain.entries.map(\.certificate)
        if let names = certificateNames, let leaf = certificates.first {
            guard [leaf.dnsNames, leaf.ipAddresses].contains(where: { $0.joined(separator: ", ") == names }) else {
                return false
            }
        }
        guard let date = certificateDate else { return true }
        return certificates.contains { $0.notBefore == date || $0.notAfter == date }
    }

    /// Whether a program that finds this reason in a chain can write the message of this failure.
    func isExplained(by reason: TrustFailure) -> Bool {
        switch (kind, reason) {
        case (.pinMismatch, _), (.cancelled, _), (.handshake, _): true
        case (.expired, .expired), (.notYetValid, .notYetValid), (.nameMismatch, .nameMismatch): true
        // .NET has one status for both dates.
        case (.expired, .notYetValid): source == .dotnet
        case (.expired, _), (.notYetValid, _), (.nameMismatch, _): false
        case (.untrusted, _): UntrustedReason(in: self).canMean(reason)
        }
    }
}
