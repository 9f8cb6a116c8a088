public import Encodings

/// The reason why bytes are not a certificate in DER (RFC 5280, section 4.1).
public enum CertificateError: Error, Hashable, Sendable {
    /// There are no bytes.
    case empty
    /// The number of missing bytes, according to the length of the outermost element.
    case truncated(missing: Int)
    /// The number of bytes after the certificate.
    case trailingBytes(Int)
    /// A part of the certificate is malformed.
    case malformed(Part, DERError)

    /// The parts of a certificate, in the order in which they are read.
    public enum Part: String, Sendable {
        case certificate
        case signedPart = "signed part"
        case signatureAlgorithm = "signature algorithm"
        case signature
        case version
        case serialNumber = "serial number"
        case issuer
        case validity
        case subject
        case publicKey = "public key"
        case extensions
        /// OpenSSL's settings, which follow the certificate in a block with the label `TRUSTED CERTIFICATE`.
        case trustSettings = "trust settings"
    }
}

extension CertificateError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .empty: "the certificate is empty"
        case .truncated(let missing):
            "the certificate is truncated: \(missing) more byte\(missing == 1 ? "" : "s") expected"
        case .trailingBytes(let count): "\(count) byte\(count == 1 ? "" : "s") after the end of the certificate"
        case .malformed(.certificate, let error): "not a certificate: \(error)"
        case .malformed(let part, let error): "not a certificate: in its \(part.rawValue): \(error)"
        }
    }
}
