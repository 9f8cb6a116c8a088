package import Encodings

/// A certificate that chains may end in, with the trust settings that OpenSSL stores after it.
package struct TrustAnchor: Hashable, Sendable {
    package let certificate: Certificate
    /// OpenSSL's `X509_CERT_AUX` in DER (openssl-x509(1), "Trust settings"). It lists the purposes for which the certificate is
    /// trusted or rejected. It is empty if there are no settings.
    package let trustSettings: [UInt8]

    /// An anchor without settings.
    package init(_ certificate: Certificate) { (self.certificate, trustSettings) = (certificate, []) }

    /// - Throws: ``CertificateError`` if the settings are not one DER element.
    package init(_ certificate: Certificate, trustSettings: [UInt8]) throws(CertificateError) {
        if !trustSettings.isEmpty {
            var reader = DERReader(trustSettings)
            do throws(DERError) {
                _ = try reader.next(.sequence)
                try reader.finish()
            } catch {
                throw .malformed(.trustSettings, error)
            }
        }
        (self.certificate, self.trustSettings) = (certificate, trustSettings)
    }

    /// A certificate in which no chain of a TLS server ends.
    package static func rejected(_ certificate: Certificate) -> TrustAnchor {
        TrustAnchor(certificate: certificate, trustSettings: rejection)
    }

    private init(certificate: Certificate, trustSettings: [UInt8]) {
        (self.certificate, self.trustSettings) = (certificate, trustSettings)
    }

    /// Settings that contain only `reject` with id-kp-serverAuth (RFC 5280, section 4.2.1.12).
    private static let rejection: [UInt8] = [
        0x30, 0x0C, 0xA0, 0x0A, 0x06, 0x08, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01,
    ]
}

extension PEMBlock {
    /// The certificate in this block, with its trust settings.
    ///
    /// - Returns: nil if the block has other contents.
    package func trustAnchor() throws(CertificateError) -> TrustAnchor? {
        guard let der = certificateBytes else { return nil }
        return try TrustAnchor(try Certificate(der: der), trustSettings: Array(bytes.dropFirst(der.count)))
    }
}
