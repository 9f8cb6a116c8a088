internal import Encodings

/// A named curve of a key (SEC 2, RFC 5480, RFC 5639).
struct EllipticCurve {
    let name: String
    /// The size of the field in bits; nil for an unknown curve.
    let bits: Int?

    /// The curve with this dotted OID. If NIST and SEC have different names for it, NIST's name is used.
    init(_ type: String) {
        (name, bits) =
            switch type {
            case "1.2.840.10045.3.1.1": ("P-192", 192)
            case "1.3.132.0.33": ("P-224", 224)
            case "1.2.840.10045.3.1.7": ("P-256", 256)
            case "1.3.132.0.34": ("P-384", 384)
            case "1.3.132.0.35": ("P-521", 521)
            case "1.3.132.0.8": ("secp160r1", 160)
            case "1.3.132.0.9": ("secp160k1", 160)
            case "1.3.132.0.30": ("secp160r2", 160)
            case "1.3.132.0.31": ("secp192k1", 192)
            case "1.3.132.0.32": ("secp224k1", 224)
            case "1.3.132.0.10": ("secp256k1", 256)
            case "1.3.132.0.26": ("K-233", 233)
            case "1.3.132.0.27": ("B-233", 233)
            case "1.3.132.0.16": ("K-283", 283)
            case "1.3.132.0.17": ("B-283", 283)
            case "1.3.132.0.36": ("K-409", 409)
            case "1.3.132.0.37": ("B-409", 409)
            case "1.3.132.0.38": ("K-571", 571)
            case "1.3.132.0.39": ("B-571", 571)
            case "1.3.36.3.3.2.8.1.1.1": ("brainpoolP160r1", 160)
            case "1.3.36.3.3.2.8.1.1.3": ("brainpoolP192r1", 192)
            case "1.3.36.3.3.2.8.1.1.5": ("brainpoolP224r1", 224)
            case "1.3.36.3.3.2.8.1.1.7": ("brainpoolP256r1", 256)
            case "1.3.36.3.3.2.8.1.1.8": ("brainpoolP256t1", 256)
            case "1.3.36.3.3.2.8.1.1.9": ("brainpoolP320r1", 320)
            case "1.3.36.3.3.2.8.1.1.11": ("brainpoolP384r1", 384)
            case "1.3.36.3.3.2.8.1.1.12": ("brainpoolP384t1", 384)
            case "1.3.36.3.3.2.8.1.1.13": ("brainpoolP512r1", 512)
            case "1.3.36.3.3.2.8.1.1.14": ("brainpoolP512t1", 512)
            case "1.2.156.10197.1.301": ("SM2", 256)
            default: (type, nil)
            }
    }

    /// The size of the field in explicit parameters: the bits of the prime, or the degree of a binary field (SEC 1,
    /// appendix C.2).
    static func fieldBits(ofExplicit parameters: DERReader) throws(DERError) -> Int? {
        var parameters = parameters
        _ = try parameters.next(.integer)
        var field = parameters.reader(of: try parameters.next(.sequence))
        let type = try field.nextOID().dotted
        switch type {
        case "1.2.840.10045.1.1":
            return field.bits(of: try field.next(.integer))
        case "1.2.840.10045.1.2":
            var characteristic = field.reader(of: try field.next(.sequence))
            let degree = characteristic.bytes[try characteristic.next(.integer).contents]
            guard degree.count <= 4 else { return nil }
            return degree.reduce(0) { $0 << 8 | Int($1) }
        default:
            return nil
        }
    }
}

extension DERReader {
    /// The number of bits of an INTEGER; nil if it is negative.
    func bits(of integer: DERElement) -> Int? {
        guard let sign = bytes[integer.contents].first, sign & 0x80 == 0 else { return nil }
        let magnitude = bytes[integer.contents].drop { $0 == 0 }
        guard let leading = magnitude.first else { return 0 }
        return magnitude.count * 8 - leading.leadingZeroBitCount
    }
}
