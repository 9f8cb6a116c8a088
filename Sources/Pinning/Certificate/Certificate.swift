internal import OpenSSL

/// An X.509 certificate (RFC 5280): its bytes as they came, and where its parts stand in them.
///
/// Making one costs a walk over the outer structure and nothing else: no key is decoded, no signature checked, no text
/// copied. Details are read when they are asked for, and one that is malformed is nil or comes out raw: it never takes
/// the pin away. Text from a certificate is data and may hold anything, control characters included.
public struct Certificate: Sendable {
    /// The whole certificate in DER.
    public let der: [UInt8]
    let layout: CertificateLayout

    /// Reads a certificate.
    ///
    /// - Parameter der: the certificate and nothing else. BER that is not DER is refused: what a library re-encodes from
    ///   it would have another hash than what was given.
    public init(der: [UInt8]) throws(CertificateError) {
        layout = try CertificateLayout(of: der)
        self.der = der
    }

    /// The `SubjectPublicKeyInfo` as it stands in the certificate, tag and length included.
    public var subjectPublicKeyInfo: ArraySlice<UInt8> { der[layout.subjectPublicKeyInfo] }

    /// The pin of the certificate's key, hashed anew at each call.
    public var pin: Pin { Pin(subjectPublicKeyInfo: subjectPublicKeyInfo) }

    /// SHA-256 of the whole certificate, 32 bytes: its fingerprint, which is not its pin.
    public var sha256: [UInt8] { Digest.sha256(der) }

    /// The subject's Name in DER, tag and length included.
    package var subjectName: ArraySlice<UInt8> { der[layout.subject] }

    /// The issuer's Name in DER, tag and length included.
    package var issuerName: ArraySlice<UInt8> { der[layout.issuer] }
}

extension Certificate: Hashable {
    /// Two certificates are equal if they are the same bytes.
    public static func == (left: Certificate, right: Certificate) -> Bool { left.der == right.der }

    public func hash(into hasher: inout Hasher) { hasher.combine(der) }
}
