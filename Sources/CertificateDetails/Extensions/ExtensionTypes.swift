package import Encodings

/// A use of a key (RFC 5280, section 4.2.1.3). The raw value is the number of the bit.
package enum KeyUsage: Int, CaseIterable, Sendable {
    case digitalSignature, nonRepudiation, keyEncipherment, dataEncipherment, keyAgreement, keyCertSign, cRLSign
    case encipherOnly, decipherOnly

    /// The name of the bit in ASN.1.
    package var name: String { "\(self)" }
}

/// A subtree of names that a CA may or may not certify (RFC 5280, section 4.2.1.10).
package struct NameSubtree: Hashable, Sendable {
    package let base: GeneralName
}

/// A certificate policy with its qualifiers (RFC 5280, section 4.2.1.4).
package struct CertificatePolicy: Hashable, Sendable {
    package let type: OID
    /// URLs of certification practice statements.
    package let statements: [String]
    /// Texts of user notices.
    package let notices: [String]
}

/// A pair of equivalent policies (RFC 5280, section 4.2.1.5).
package struct PolicyMapping: Hashable, Sendable {
    package let issuer: OID
    package let subject: OID
}

/// A location of information about the issuer or the subject (RFC 5280, sections 4.2.2.1 and 4.2.2.2).
package struct AccessDescription: Hashable, Sendable {
    package let method: OID
    package let location: GeneralName
}

/// A location of revocation lists (RFC 5280, section 4.2.1.13).
package struct DistributionPoint: Hashable, Sendable {
    package let names: [GeneralName]
    /// The names of the CRL's issuer, if that is not the certificate's issuer.
    package let issuer: [GeneralName]
}
