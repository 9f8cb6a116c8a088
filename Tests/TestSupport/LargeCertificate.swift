/// Certificates of any size. They have the structure of a certificate, and no valid key and no valid signature.
package enum LargeCertificate {
    /// - Parameters:
    ///   - number: makes the certificate different from others.
    ///   - nameLength: length of the common name of the issuer, in bytes.
    ///   - extensions: the field `[3]` with the extensions, with its tag; empty for none.
    package static func der(_ number: Int, nameLength: Int, extensions: [UInt8] = []) -> [UInt8] {
        let digits = Array("\(number)".utf8)
        let commonName = digits + [UInt8](repeating: UInt8(ascii: "x"), count: nameLength - digits.count)
        // ecdsa-with-SHA256 (RFC 5758, section 3.2), commonName (RFC 5280, appendix A.1), id-ecPublicKey (RFC 5480, section 2.1.1).
        let algorithm = element(0x30, [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02])
        let issuer = element(
            0x30, element(0x31, element(0x30, [0x06, 0x03, 0x55, 0x04, 0x03] + element(0x0C, commonName))))
        let time = element(0x17, Array("260101000000Z".utf8))
        let key = element(
            0x30, element(0x30, [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]) + element(0x03, [0, 4]))
        let signedPart = element(
            0x30,
            element(0x02, [1]) + algorithm + issuer + element(0x30, time + time) + element(0x30, []) + key + extensions)
        return element(0x30, signedPart + algorithm + element(0x03, [0] + digits))
    }

    /// An element in DER (X.690, section 8.1).
    private static func element(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
        let count = contents.count
        guard count > 127 else { return [tag, UInt8(count)] + contents }
        let length = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }.drop { $0 == 0 }
        return [tag, 0x80 | UInt8(length.count)] + length + contents
    }
}
