import Pinning

// Seeds: *.der

/// A certificate with all its fields.
enum CertificateTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        guard let certificate = try? Certificate(der: bytes) else { return }
        precondition(certificate.der == bytes)
        precondition(certificate.pin.bytes.count == 32)
        _ = (certificate.subject?.description, certificate.issuer?.displayName, certificate.serialNumber)
        _ = (certificate.notBefore?.description, certificate.notAfter?.date, certificate.version, certificate.isCA)
        _ = (certificate.dnsNames, certificate.ipAddresses, certificate.key.description)
        _ = (certificate.signatureAlgorithm, certificate.subjectKeyIdentifier, certificate.authorityKeyIdentifier)
    }
}
