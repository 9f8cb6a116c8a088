import CertificateDetails
import Pinning

// Seeds: *.der

/// A certificate with all its fields, extensions and problems.
enum CertificateTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        guard let certificate = try? Certificate(der: bytes) else { return }
        precondition(certificate.der == bytes)
        precondition(certificate.pin.bytes.count == 32)
        _ = (certificate.subject?.description, certificate.issuer?.displayName, certificate.serialNumber)
        _ = (certificate.notBefore?.description, certificate.notAfter?.date, certificate.version, certificate.isCA)
        _ = (certificate.dnsNames, certificate.ipAddresses, certificate.key.description)
        _ = (certificate.signatureAlgorithm, certificate.subjectKeyIdentifier, certificate.authorityKeyIdentifier)
        let extensions = certificate.extensions
        precondition(extensions.count <= Certificate.maximumExtensions)
        for problem in certificate.problems(in: extensions, at: Timestamp(secondsSince1970: 1_795_305_600)) {
            if case .extension(let index) = problem.field { precondition(extensions.indices.contains(index)) }
        }
        for case .subjectAlternativeNames(let names) in extensions.map(\.content) { _ = names.map(\.text) }
    }
}
