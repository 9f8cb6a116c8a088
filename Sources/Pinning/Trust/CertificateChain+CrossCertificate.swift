extension CertificateChain {
    /// The first of ``crossCertificates(at:)``.
    package func crossCertificate(at now: Timestamp) -> Certificate? { crossCertificates(at: now).first }

    /// The certificates with which other clients build other paths, because they trust the issuer, which is unknown here: those that the server
    /// sent and that no valid path contains, although they have the name and the key of one in a path, and trust anchors that are not
    /// self-issued; and those above them. Expired ones are left out.
    package func crossCertificates(at now: Timestamp) -> [Certificate] {
        guard isTrusted, let paths = validPaths?.paths else { return [] }
        let known = paths.joined().map(\.certificate)
        var sent = unused.filter { certificate in
            known.contains { $0.pin == certificate.pin && $0.subjectName == certificate.subjectName }
        }
        var others = unused.filter { !sent.contains($0) }
        var next = 0
        while next < sent.count {
            let issuer = sent[next].issuerName
            sent += others.filter { $0.subjectName == issuer }
            others.removeAll { $0.subjectName == issuer }
            next += 1
        }
        let anchors = paths.compactMap(\.last?.certificate).filter { $0.subjectName != $0.issuerName }
        return (sent + anchors).filter { certificate in
            certificate.notAfter.map { $0 > now } ?? true
                && !known.contains { $0.subjectName == certificate.issuerName }
        }
    }
}
