internal import Encodings
internal import OpenSSL

/// An X.509 certificate (RFC 5280): its original bytes, and the positions of its parts.
///
/// Creating a certificate reads only its outer structure: it decodes no key, checks no signature and copies no text. Other parts
/// are decoded when they are used. A malformed part is nil or returned as bytes, and has no effect on the pin. Text from a
/// certificate may contain any character, including control characters.
public struct Certificate: Sendable {
    /// The whole certificate in DER.
    public var der: [UInt8] { storage.der }
    var layout: CertificateLayout { storage.layout }

    private let storage: Storage

    /// The contents of a certificate. A class, because chains, errors and results contain many copies of certificates.
    private final class Storage: Sendable {
        let der: [UInt8]
        let layout: CertificateLayout

        init(_ der: [UInt8], _ layout: CertificateLayout) { (self.der, self.layout) = (der, layout) }
    }

    /// Reads a certificate.
    ///
    /// - Parameter der: the certificate, without trailing bytes.
    /// - Throws: ``CertificateError``. BER that is not DER is an error too, because a library that encodes it again computes
    ///   another hash.
    public init(der: [UInt8]) throws(CertificateError) {
        storage = Storage(der, try CertificateLayout(of: der))
    }

    /// The `SubjectPublicKeyInfo` exactly as in the certificate, with tag and length.
    public var subjectPublicKeyInfo: ArraySlice<UInt8> { der[layout.subjectPublicKeyInfo] }

    /// The pin of the certificate's key. It is computed at each access.
    public var pin: Pin { Pin(subjectPublicKeyInfo: subjectPublicKeyInfo) }

    /// The fingerprint: the SHA-256 of the whole certificate, 32 bytes. It is not the pin.
    public var sha256: [UInt8] { Digest.sha256(der) }

    /// The subject's Name in DER, with tag and length.
    package var subjectName: ArraySlice<UInt8> { der[layout.subject] }

    /// The issuer's Name in DER, with tag and length.
    package var issuerName: ArraySlice<UInt8> { der[layout.issuer] }
}

extension Certificate: Hashable {
    /// Whether two certificates consist of the same bytes.
    public static func == (left: Certificate, right: Certificate) -> Bool {
        left.storage === right.storage || left.der.hasSameBytes(as: right.der)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(der) }
}
