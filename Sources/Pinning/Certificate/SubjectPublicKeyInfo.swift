package import Encodings

/// The ASN.1 type of a public key with its algorithm (RFC 5280, section 4.1).
package enum SubjectPublicKeyInfo {
    /// Checks that a SubjectPublicKeyInfo consists of an algorithm and a BIT STRING.
    package static func check(_ reader: DERReader) throws(DERError) {
        var reader = reader
        _ = try CertificateLayout.algorithm(&reader)
        let bits = try reader.next(.bitString)
        // The first byte is the number of unused bits in the last byte.
        guard let unused = reader.bytes[bits.contents].first, unused < 8 else {
            throw DERError(offset: bits.start, .invalidContents(.bitString))
        }
        try reader.finish()
    }
}
