package import Encodings

/// The type and size of the key in a `SubjectPublicKeyInfo`.
public struct KeyDescription: Hashable, Sendable {
    /// The algorithm: `RSA`, `RSA-PSS`, `EC`, `Ed25519`, `Ed448`, `X25519`, `X448`, `DSA`, `DH`, `ML-DSA-44` and similar; the
    /// dotted OID of another algorithm; `unknown` if the OID is malformed.
    public let type: String
    /// The size in bits: of the modulus for RSA, of the field for a curve, of the prime for DSA. Nil if the type determines the
    /// size, or if the key cannot be read.
    public let bits: Int?
    /// The curve of an EC key: NIST's name (`P-256`), otherwise another name (`secp256k1`), the dotted OID of an unknown curve,
    /// or `explicit` if the key contains the curve's parameters instead of its name.
    public let curve: String?

    /// Reads a SubjectPublicKeyInfo, with tag and length.
    package init(subjectPublicKeyInfo reader: DERReader) {
        guard let key = try? Parts(reader) else {
            self.init(type: "unknown")
            return
        }
        switch key.algorithm.dotted {
        case "1.2.840.113549.1.1.1": self.init(type: "RSA", bits: key.rsaBits)
        case "1.2.840.113549.1.1.10": self.init(type: "RSA-PSS", bits: key.rsaBits)
        case "1.2.840.113549.1.1.7": self.init(type: "RSA-OAEP", bits: key.rsaBits)
        case "1.2.840.10045.2.1": self.init(ellipticCurve: key)
        case "1.2.840.10040.4.1": self.init(type: "DSA", bits: key.firstParameterBits)
        case "1.2.840.113549.1.3.1", "1.2.840.10046.2.1": self.init(type: "DH", bits: key.firstParameterBits)
        case "1.3.101.110": self.init(type: "X25519")
        case "1.3.101.111": self.init(type: "X448")
        case "1.3.101.112": self.init(type: "Ed25519")
        case "1.3.101.113": self.init(type: "Ed448")
        case let type: self.init(type: Self.postQuantumName(of: type) ?? type)
        }
    }

    private init(type: String, bits: Int? = nil, curve: String? = nil) {
        self.type = type
        self.bits = bits
        self.curve = curve
    }

    private init(ellipticCurve key: Parts) {
        var parameters = key.parameters
        if let name = try? parameters.nextOID() {
            let named = EllipticCurve(name.dotted)
            self.init(type: "EC", bits: named.bits, curve: named.name)
        } else if let explicit = try? parameters.next(.sequence) {
            let bits = try? EllipticCurve.fieldBits(ofExplicit: parameters.reader(of: explicit))
            self.init(type: "EC", bits: bits, curve: "explicit")
        } else {
            self.init(type: "EC")
        }
    }

    /// The names of algorithms that have one OID for keys and signatures (FIPS 203, 204 and 205).
    static func postQuantumName(of type: String) -> String? {
        switch type {
        case "2.16.840.1.101.3.4.3.17": "ML-DSA-44"
        case "2.16.840.1.101.3.4.3.18": "ML-DSA-65"
        case "2.16.840.1.101.3.4.3.19": "ML-DSA-87"
        case "2.16.840.1.101.3.4.3.20": "SLH-DSA-SHA2-128s"
        case "2.16.840.1.101.3.4.3.21": "SLH-DSA-SHA2-128f"
        case "2.16.840.1.101.3.4.3.22": "SLH-DSA-SHA2-192s"
        case "2.16.840.1.101.3.4.3.23": "SLH-DSA-SHA2-192f"
        case "2.16.840.1.101.3.4.3.24": "SLH-DSA-SHA2-256s"
        case "2.16.840.1.101.3.4.3.25": "SLH-DSA-SHA2-256f"
        case "2.16.840.1.101.3.4.3.26": "SLH-DSA-SHAKE-128s"
        case "2.16.840.1.101.3.4.3.27": "SLH-DSA-SHAKE-128f"
        case "2.16.840.1.101.3.4.3.28": "SLH-DSA-SHAKE-192s"
        case "2.16.840.1.101.3.4.3.29": "SLH-DSA-SHAKE-192f"
        case "2.16.840.1.101.3.4.3.30": "SLH-DSA-SHAKE-256s"
        case "2.16.840.1.101.3.4.3.31": "SLH-DSA-SHAKE-256f"
        case "2.16.840.1.101.3.4.4.1": "ML-KEM-512"
        case "2.16.840.1.101.3.4.4.2": "ML-KEM-768"
        case "2.16.840.1.101.3.4.4.3": "ML-KEM-1024"
        default: nil
        }
    }
}

extension KeyDescription: CustomStringConvertible {
    /// A short description: `RSA 2048`, `EC P-256`, `Ed25519`.
    public var description: String {
        switch (curve, bits) {
        case ("explicit", let bits?): "\(type) explicit \(bits)"
        case (let curve?, _): "\(type) \(curve)"
        case (nil, let bits?): "\(type) \(bits)"
        case (nil, nil): type
        }
    }
}

/// The parts of a SubjectPublicKeyInfo (RFC 5280, section 4.1.2.7).
private struct Parts {
    let algorithm: OID
    /// The parameters after the OID of the algorithm.
    let parameters: DERReader
    /// The contents of the BIT STRING.
    let key: DERReader

    init(_ reader: DERReader) throws(DERError) {
        var outer = reader
        var reader = outer.reader(of: try outer.next(.sequence))
        var parameters = reader.reader(of: try reader.next(.sequence))
        algorithm = try parameters.nextOID()
        self.parameters = parameters
        let bits = try reader.next(.bitString)
        key = DERReader(reader.bytes, in: bits.contents.dropFirst())
    }

    /// The size of the modulus in bits (RFC 8017, appendix A.1.1).
    var rsaBits: Int? {
        var outer = key
        guard let numbers = try? outer.next(.sequence) else { return nil }
        return Self.bits(ofFirstIn: outer.reader(of: numbers))
    }

    /// The size in bits of the prime at the start of the parameters (RFC 3279, sections 2.3.2 and 2.3.3).
    var firstParameterBits: Int? {
        var outer = parameters
        guard let numbers = try? outer.next(.sequence) else { return nil }
        return Self.bits(ofFirstIn: outer.reader(of: numbers))
    }

    private static func bits(ofFirstIn reader: DERReader) -> Int? {
        var reader = reader
        guard let number = try? reader.next(.integer) else { return nil }
        return reader.bits(of: number)
    }
}
