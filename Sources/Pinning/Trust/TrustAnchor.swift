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
