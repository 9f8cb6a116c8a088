package import Encodings

/// A certificate that chains may end in, with the trust settings that OpenSSL stores after it.
package struct TrustAnchor: Hashable, Sendable {
    package let certificate: Certificate
    /// OpenSSL's `X509_CERT_AUX` in DER (openssl-x509(1), "Trust settings"). It lists the purposes for which the certificate is
    /// trusted or rejected. It is empty if there are no settings.
    package let trustSettings: [UInt8]

    /// An anchor without settings.
    package init(_ certificate: Certificate) { (self.certificate, trustSettings) = (certificate, []) }

    /// - Throws: ``CertificateError`` if the settings are not an `X509_CERT_AUX` in DER.
    package init(_ certificate: Certificate, trustSettings: [UInt8]) throws(CertificateError) {
        if !trustSettings.isEmpty {
            do throws(DERError) {
                try Self.check(trustSettings)
            } catch {
                throw .malformed(.trustSettings, error)
            }
        }
        (self.certificate, self.trustSettings) = (certificate, trustSettings)
    }

    /// Reads all fields, because a rejection in a field that is not where OpenSSL expects it would have no effect:
    ///
    ///     SEQUENCE {
    ///         trust SEQUENCE OF OBJECT IDENTIFIER OPTIONAL, reject [0] IMPLICIT SEQUENCE OF OBJECT IDENTIFIER OPTIONAL,
    ///         alias UTF8String OPTIONAL, keyid OCTET STRING OPTIONAL,
    ///         other [1] IMPLICIT SEQUENCE OF AlgorithmIdentifier OPTIONAL }
    private static func check(_ settings: [UInt8]) throws(DERError) {
        var outer = DERReader(settings)
        var fields = outer.reader(of: try outer.next(.sequence))
        try outer.finish()
        for tag in [DERTag.sequence, .wrapper(0)] {
            guard let list = try fields.nextIfPresent(tag) else { continue }
            var purposes = fields.reader(of: list)
            while !purposes.isAtEnd { try checkIdentifier(in: &purposes) }
        }
        _ = try fields.nextIfPresent(.utf8String)
        _ = try fields.nextIfPresent(.octetString)
        if let other = try fields.nextIfPresent(.wrapper(1)) {
            var algorithms = fields.reader(of: other)
            while !algorithms.isAtEnd {
                var algorithm = algorithms.reader(of: try algorithms.next(.sequence))
                try checkIdentifier(in: &algorithm)
                if !algorithm.isAtEnd { _ = try algorithm.next() }
                try algorithm.finish()
            }
        }
        try fields.finish()
    }

    /// Reads an object identifier, whose numbers must be complete and have no leading zeros (X.690, section 8.19.2).
    private static func checkIdentifier(in reader: inout DERReader) throws(DERError) {
        let start = reader.position
        var isFirstByteOfNumber = true
        for byte in try reader.nextOID().encoded {
            guard !isFirstByteOfNumber || byte != 0x80 else {
                throw DERError(offset: start, .invalidContents(.objectIdentifier))
            }
            isFirstByteOfNumber = byte < 0x80
        }
        // The contents are not empty: their last byte ends a number.
        guard isFirstByteOfNumber, reader.position > start + 2 else {
            throw DERError(offset: start, .invalidContents(.objectIdentifier))
        }
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
