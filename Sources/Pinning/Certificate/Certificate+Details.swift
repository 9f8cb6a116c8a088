internal import Encodings

/// The contents of a certificate besides its key. Each access to a property reads the bytes again.
extension Certificate {
    /// The name of the key's owner; nil if the name is malformed.
    public var subject: DistinguishedName? { try? DistinguishedName(DERReader(der, in: layout.subject)) }

    /// The name of the issuer; nil if it is malformed. It is not verified.
    public var issuer: DistinguishedName? { try? DistinguishedName(DERReader(der, in: layout.issuer)) }

    /// Whether subject and issuer are the same bytes (RFC 5280, section 3.2). The signature is not checked.
    public var isSelfIssued: Bool { subjectName == issuerName }

    /// The X.509 version, from 1; nil if it is malformed.
    public var version: Int? {
        guard let range = layout.version else { return 1 }
        guard range.count == 1, der[range.lowerBound] < 0x7F else { return nil }
        return Int(der[range.lowerBound]) + 1
    }

    /// The serial number in upper-case hex, two digits for each byte, with a minus sign if it is negative, as
    /// `openssl x509 -serial` prints it.
    public var serialNumber: String {
        var magnitude = Array(der[layout.serialNumber])
        let isNegative = magnitude.first.map { $0 & 0x80 != 0 } ?? false
        if isNegative {
            // Two's complement: invert and add one, with the carry from the last byte to the first.
            var carry = true
            for index in magnitude.indices.reversed() {
                magnitude[index] = ~magnitude[index] &+ (carry ? 1 : 0)
                carry = carry && magnitude[index] == 0
            }
        }
        let digits = magnitude.drop { $0 == 0 }
        return (isNegative ? "-" : "") + (digits.isEmpty ? "00" : Hex.encode(digits).uppercased())
    }

    /// The first moment of the validity period; nil if it is not in the form that RFC 5280 requires.
    public var notBefore: Timestamp? { validity?.notBefore }

    /// The last moment of the validity period; nil if it is not in the form that RFC 5280 requires.
    public var notAfter: Timestamp? { validity?.notAfter }

    /// The type and size of the certified key.
    public var key: KeyDescription {
        KeyDescription(subjectPublicKeyInfo: DERReader(der, in: layout.subjectPublicKeyInfo))
    }

    /// The algorithm of the signature: the name that OpenSSL prints (`sha256WithRSAEncryption`), or the dotted OID if it has no
    /// name; nil if it is malformed.
    public var signatureAlgorithm: String? {
        var reader = DERReader(der, in: layout.signatureAlgorithm)
        return try? SignatureAlgorithm.name(of: reader.nextOID().dotted)
    }

    /// The two times of the validity period. A malformed time is nil; both are nil if they cannot be separated.
    private var validity: (notBefore: Timestamp?, notAfter: Timestamp?)? {
        var reader = DERReader(der, in: layout.validity)
        guard let first = try? reader.next(), let second = try? reader.next() else { return nil }
        return (Timestamp(first, in: der), Timestamp(second, in: der))
    }
}

extension Timestamp {
    /// Reads a UTCTime or GeneralizedTime in the form that certificates must use: with seconds, in UTC, without fractions
    /// (RFC 5280, sections 4.1.2.5.1 and 4.1.2.5.2).
    init?(_ element: DERElement, in bytes: [UInt8]) {
        var text = bytes[element.contents]
        guard text.popLast() == UInt8(ascii: "Z"), text.count.isMultiple(of: 2) else { return nil }
        var numbers: [Int] = []
        while let tens = text.popFirst(), let units = text.popFirst() {
            guard let tens = Self.digit(tens), let units = Self.digit(units) else { return nil }
            numbers.append(tens * 10 + units)
        }
        switch (element.tag, numbers.count) {
        case (.utcTime, 6):
            // A year of two digits: 50 to 99 is in the twentieth century (RFC 5280, section 4.1.2.5.1).
            numbers.insert(numbers[0] >= 50 ? 19 : 20, at: 0)
        case (.generalizedTime, 7):
            break
        default:
            return nil
        }
        self.init(
            year: numbers[0] * 100 + numbers[1], month: numbers[2], day: numbers[3],
            hour: numbers[4], minute: numbers[5], second: numbers[6]
        )
    }

    private static func digit(_ byte: UInt8) -> Int? {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        return Int(byte - UInt8(ascii: "0"))
    }
}
