package import Pinning

extension ConnectionFailure {
    /// Whether a chain that does not validate can cause this failure. A message about a date, a name or a CA says which.
    package func isExplained(by chain: CertificateChain) -> Bool { chain.failures.contains(where: isExplained) }

    /// Whether the first certificate in the log, if there is one, has the key or the names of a chain's leaf.
    package func canBeAbout(_ chain: CertificateChain) -> Bool {
        guard let leaf = chain.entries.first?.certificate, let first = seen.first else { return true }
        if let pin = first.pin { return pin == leaf.pin }
        let subject = first.subject.map(ConclusionRules.commonName)
        let issuer = first.issuer.map(ConclusionRules.commonName)
        return (subject.map { $0 == leaf.subject?.commonName || leaf.dnsNames.contains($0) } ?? true)
            && (issuer.map { $0 == leaf.issuer?.commonName } ?? true)
    }

    /// Whether a program that finds this reason in a chain can write the message of this failure.
    func isExplained(by reason: TrustFailure) -> Bool {
        switch (kind, reason) {
        case (.pinMismatch, _), (.cancelled, _), (.handshake, _): true
        case (.expired, .expired), (.notYetValid, .notYetValid), (.nameMismatch, .nameMismatch): true
        // .NET has one status for both dates.
        case (.expired, .notYetValid): source == .dotnet
        case (.expired, _), (.notYetValid, _), (.nameMismatch, _): false
        case (.untrusted, .expired(_, let position)), (.untrusted, .notYetValid(_, let position)):
            switch UntrustedReason(in: self) {
            case .unknown, .otherTime: true
            // Go and Java do not build a path with an expired CA certificate.
            case .missingIssuer: position > 0
            case .unknownRoot, .selfSigned: false
            }
        case (.untrusted, .nameMismatch): UntrustedReason(in: self) == .unknown
        case (.untrusted, _): UntrustedReason(in: self) != .otherTime
        }
    }
}
