/// Names of signature algorithms, as OpenSSL prints them.
enum SignatureAlgorithm {
    /// The name of an algorithm by its dotted OID; the OID if it has no name.
    ///
    /// RFC 3279, RFC 4055, RFC 5758, RFC 8410, FIPS 186-4, FIPS 204, FIPS 205.
    static func name(of type: String) -> String {
        switch type {
        case "1.2.840.113549.1.1.2": "md2WithRSAEncryption"
        case "1.2.840.113549.1.1.3": "md4WithRSAEncryption"
        case "1.2.840.113549.1.1.4": "md5WithRSAEncryption"
        case "1.2.840.113549.1.1.5": "sha1WithRSAEncryption"
        case "1.2.840.113549.1.1.10": "rsassaPss"
        case "1.2.840.113549.1.1.11": "sha256WithRSAEncryption"
        case "1.2.840.113549.1.1.12": "sha384WithRSAEncryption"
        case "1.2.840.113549.1.1.13": "sha512WithRSAEncryption"
        case "1.2.840.113549.1.1.14": "sha224WithRSAEncryption"
        case "1.2.840.113549.1.1.15": "sha512-224WithRSAEncryption"
        case "1.2.840.113549.1.1.16": "sha512-256WithRSAEncryption"
        case "2.16.840.1.101.3.4.3.13": "RSA-SHA3-224"
        case "2.16.840.1.101.3.4.3.14": "RSA-SHA3-256"
        case "2.16.840.1.101.3.4.3.15": "RSA-SHA3-384"
        case "2.16.840.1.101.3.4.3.16": "RSA-SHA3-512"
        case "1.3.14.3.2.29": "sha1WithRSA"
        case "1.3.14.3.2.3": "md5WithRSA"
        case "1.3.36.3.3.1.2": "ripemd160WithRSA"
        case "1.2.840.10045.4.1": "ecdsa-with-SHA1"
        case "1.2.840.10045.4.3.1": "ecdsa-with-SHA224"
        case "1.2.840.10045.4.3.2": "ecdsa-with-SHA256"
        case "1.2.840.10045.4.3.3": "ecdsa-with-SHA384"
        case "1.2.840.10045.4.3.4": "ecdsa-with-SHA512"
        case "2.16.840.1.101.3.4.3.9": "ecdsa_with_SHA3-224"
        case "2.16.840.1.101.3.4.3.10": "ecdsa_with_SHA3-256"
        case "2.16.840.1.101.3.4.3.11": "ecdsa_with_SHA3-384"
        case "2.16.840.1.101.3.4.3.12": "ecdsa_with_SHA3-512"
        case "1.2.840.10040.4.3": "dsaWithSHA1"
        case "2.16.840.1.101.3.4.3.1": "dsa_with_SHA224"
        case "2.16.840.1.101.3.4.3.2": "dsa_with_SHA256"
        case "2.16.840.1.101.3.4.3.3": "dsa_with_SHA384"
        case "2.16.840.1.101.3.4.3.4": "dsa_with_SHA512"
        case "1.3.101.112": "ED25519"
        case "1.3.101.113": "ED448"
        case "1.2.156.10197.1.501": "SM2-with-SM3"
        default: KeyDescription.postQuantumName(of: type) ?? type
        }
    }
}
