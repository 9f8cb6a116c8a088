extension CertificateChain {
    /// A certificate that the server sent and that no valid path contains, although it has the name and the key of one in a path. Its issuer is
    /// unknown here, so clients that trust this issuer build another path. Nil without such a certificate, or if it has expired.
    package func crossCertificate(at now: Timestamp) -> Certificate? {
        guard isTrusted, let paths = validPaths?.paths else { return nil }
        let known = paths.joined().map(\.certificate)
        return unused.first { certificate in
            certificate.notAfter.map { $0 > now } ?? true
                && known.contains { $0.pin == certificate.pin && $0.subjectName == certificate.subjectName }
                && !known.contains { $0.subjectName == certificate.issuerName }
        }
    }
}
