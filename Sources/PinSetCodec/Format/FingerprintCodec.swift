package import Encodings
package import Pinning

/// A format whose pins are hashes of certificates. Reading needs the certificates, to convert the hashes to pins of keys; lint does
/// not.
package protocol FingerprintCodec: PinSetCodec {
    /// Returns the fingerprints of the file in its order. The caller checks each of them.
    static func fingerprints(in bytes: [UInt8]) throws(PinSetFormatError) -> [CertificateFingerprint]
}

/// A fingerprint of a certificate as a file contains it.
package struct CertificateFingerprint: Hashable, Sendable {
    package let host: String
    package let spelling: String
    /// The end of the certificate, if the file contains it.
    package let expires: Timestamp?
    package let position: SourcePosition?

    package init(host: String, spelling: String, expires: Timestamp? = nil, position: SourcePosition?) {
        (self.host, self.spelling, self.expires, self.position) = (host, spelling, expires, position)
    }
}
