internal import Encodings

/// Where the parts of a certificate stand in its DER (RFC 5280, section 4.1).
///
/// Only what every certificate has is demanded. What the parts hold (names, algorithms, extensions) is not looked at:
/// a key of an unknown type, a negative serial number or an odd extension is no reason to have no pin.
struct CertificateLayout: Sendable {
    /// The contents of the version's INTEGER; nil for the default, v1.
    var version: Range<Int>?
    /// The contents of the serial number's INTEGER.
    var serialNumber: Range<Int>
    /// The issuer's Name, tag and length included.
    var issuer: Range<Int>
    /// The contents of Validity.
    var validity: Range<Int>
    /// The subject's Name, tag and length included.
    var subject: Range<Int>
    /// The SubjectPublicKeyInfo, tag and length included.
    var subjectPublicKeyInfo: Range<Int>
    /// The contents of `[3]`, which hold the list of extensions; nil if there is none.
    var extensions: Range<Int>?
    /// The contents of the AlgorithmIdentifier that follows the signed part.
    var signatureAlgorithm: Range<Int>

    init(of der: [UInt8]) throws(CertificateError) {
        var reader = DERReader(der)
        let certificate = try Self.outermost(&reader)
        var part = CertificateError.Part.signedPart
        do throws(DERError) {
            reader = reader.reader(of: certificate)
            let signedPart = try reader.next(.sequence)
            part = .signatureAlgorithm
            signatureAlgorithm = try reader.next(.sequence).contents
            part = .signature
            _ = try reader.next(.bitString)
            try reader.finish()

            reader = reader.reader(of: signedPart)
            part = .version
            if let wrapper = try reader.nextIfPresent(.wrapper(0)) {
                var inner = reader.reader(of: wrapper)
                version = try inner.next(.integer).contents
                try inner.finish()
            }
            part = .serialNumber
            serialNumber = try reader.next(.integer).contents
            part = .signatureAlgorithm
            _ = try reader.next(.sequence)
            part = .issuer
            issuer = try reader.next(.sequence).range
            part = .validity
            validity = try reader.next(.sequence).contents
            part = .subject
            subject = try reader.next(.sequence).range
            part = .publicKey
            let key = try reader.next(.sequence)
            subjectPublicKeyInfo = key.range
            try Self.checkPublicKey(reader.reader(of: key))
            part = .extensions
            extensions = try Self.readTail(&reader)
        } catch {
            throw .malformed(part, error)
        }
    }

    /// The certificate's own SEQUENCE, which must be all there is.
    private static func outermost(_ reader: inout DERReader) throws(CertificateError) -> DERElement {
        guard !reader.isAtEnd else { throw .empty }
        do throws(DERError) {
            let certificate = try reader.next(.sequence)
            guard reader.isAtEnd else {
                throw DERError(offset: reader.position, .trailingBytes(reader.end - reader.position))
            }
            return certificate
        } catch {
            switch error.problem {
            case .truncated(let missing): throw .truncated(missing: missing)
            case .trailingBytes(let count): throw .trailingBytes(count)
            default: throw .malformed(.certificate, error)
            }
        }
    }

    /// An algorithm and a BIT STRING, whatever they say: without them it is no SubjectPublicKeyInfo.
    static func checkPublicKey(_ reader: DERReader) throws(DERError) {
        var reader = reader
        _ = try reader.next(.sequence)
        let bits = try reader.next(.bitString)
        // The first byte counts the unused bits of the last.
        guard let unused = reader.bytes[bits.contents].first, unused < 8 else {
            throw DERError(offset: bits.start, .invalidContents(.bitString))
        }
        try reader.finish()
    }

    /// Unique identifiers `[1]` and `[2]` and the extensions `[3]`, each optional, in this order.
    private static func readTail(_ reader: inout DERReader) throws(DERError) -> Range<Int>? {
        for number: UInt32 in 1...2 where try reader.nextIfPresent(.implicit(number)) == nil {
            // A BIT STRING in parts: constructed, and not DER, but nothing here depends on it.
            _ = try reader.nextIfPresent(.wrapper(number))
        }
        let extensions = try reader.nextIfPresent(.wrapper(3))
        guard reader.isAtEnd else {
            throw DERError(offset: reader.position, .outOfPlace(try reader.next().tag))
        }
        return extensions?.contents
    }
}
