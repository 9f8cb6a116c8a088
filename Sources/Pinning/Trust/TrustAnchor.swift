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

    /// Whether no chain of a TLS server ends in the anchor: its settings reject servers, or they list what it is trusted for, and servers
    /// are not in the list (`obj_trust` in OpenSSL's crypto/x509/x509_trust.c).
    var rejectsServers: Bool {
        guard !trustSettings.isEmpty else { return false }
        do throws(DERError) {
            // SEQUENCE { trust SEQUENCE OF OBJECT IDENTIFIER OPTIONAL, reject [0] IMPLICIT SEQUENCE OF OBJECT IDENTIFIER OPTIONAL, … }
            let outer = DERReader(trustSettings)
            var level = outer
            var settings = outer.reader(of: try level.next(.sequence))
            let trusted = try settings.nextIfPresent(.sequence)
            let rejected = try settings.nextIfPresent(.wrapper(0))
            if let rejected, try Self.containsServers(outer.reader(of: rejected)) { return true }
            guard let trusted else { return false }
            return try !Self.containsServers(outer.reader(of: trusted))
        } catch {
            return true
        }
    }

    /// - Parameter purposes: a list of OBJECT IDENTIFIER.
    private static func containsServers(_ purposes: DERReader) throws(DERError) -> Bool {
        var purposes = purposes
        while !purposes.isAtEnd {
            let purpose = try purposes.nextOID().encoded
            if purpose == serverAuth || purpose == anyExtendedKeyUsage { return true }
        }
        return false
    }

    /// id-kp-serverAuth and anyExtendedKeyUsage (RFC 5280, section 4.2.1.12).
    private static let serverAuth: [UInt8] = [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01]
    private static let anyExtendedKeyUsage: [UInt8] = [0x55, 0x1D, 0x25, 0x00]

    /// A certificate in which no chain of a TLS server ends.
    package static func rejected(_ certificate: Certificate) -> TrustAnchor {
        TrustAnchor(certificate: certificate, trustSettings: rejection)
    }

    private init(certificate: Certificate, trustSettings: [UInt8]) {
        (self.certificate, self.trustSettings) = (certificate, trustSettings)
    }

    /// Settings that contain only `reject` with id-kp-serverAuth.
    private static let rejection: [UInt8] = [0x30, 0x0C, 0xA0, 0x0A, 0x06, 0x08] + serverAuth
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
