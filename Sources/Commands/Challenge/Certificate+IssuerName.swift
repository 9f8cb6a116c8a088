internal import Encodings
internal import Pinning

extension [Certificate] {
    /// Whether a certificate has an issuer with this name. Case and the type of the strings do not count, as RFC 5280, section 7.1,
    /// requires for names of issuers.
    ///
    /// - Parameter name: a Name in DER.
    func containsIssuer(named name: [UInt8]) -> Bool {
        let key = DistinguishedName(der: name)?.description.lowercased()
        return contains { certificate in
            certificate.issuerName.elementsEqual(name)
                || key != nil && certificate.issuer?.description.lowercased() == key
        }
    }
}
