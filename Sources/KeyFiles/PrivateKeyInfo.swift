internal import Encodings
internal import Pinning

/// The parts of a private key in PKCS#8 (RFC 5208, section 5; RFC 5958, section 2, adds the public key).
struct PrivateKeyInfo {
    private let bytes: [UInt8]
    /// The AlgorithmIdentifier, with tag and length.
    private let algorithm: Range<Int>
    /// The OCTET STRING with the key, with tag and length.
    private let key: Range<Int>
    /// The contents of the BIT STRING with the public key.
    private let publicKey: Range<Int>?

    init(_ bytes: [UInt8]) throws(DERError) {
        self.bytes = bytes
        var reader = DERReader(bytes)
        reader = reader.reader(of: try reader.next(.sequence))
        _ = try reader.next(.integer)
        algorithm = try reader.next(.sequence).range
        key = try reader.next(.octetString).range
        _ = try reader.nextIfPresent(.wrapper(0))
        publicKey = try reader.nextIfPresent(.implicit(1))?.contents
        try reader.finish()
    }

    /// The key in the form of RFC 5208, because OpenSSL 3.0 does not read the form of RFC 5958.
    var withoutPublicKey: [UInt8] {
        guard publicKey != nil else { return bytes }
        return DERWriter.sequence([0x02, 0x01, 0x00], bytes[algorithm], bytes[key])
    }

    /// The SubjectPublicKeyInfo of the included public key; nil if it is not included.
    var subjectPublicKeyInfo: [UInt8]? {
        guard let publicKey, !publicKey.isEmpty else { return nil }
        return DERWriter.sequence(bytes[algorithm], DERWriter.element(0x03, bytes[publicKey])[...])
    }

    /// The algorithm with an empty key, for its description.
    var emptySubjectPublicKeyInfo: [UInt8] {
        DERWriter.sequence(bytes[algorithm], [0x03, 0x01, 0x00])
    }
}
