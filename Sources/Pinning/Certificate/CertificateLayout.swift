internal import Encodings

/// The positions of a certificate's parts in its DER (RFC 5280, section 4.1).
///
/// Reading it requires only the parts that every certificate has, and does not check their contents (names, algorithms, extensions).
/// So a certificate with an unknown type of key, a negative serial number or an unusual extension also has a pin.
struct CertificateLayout: Sendable {
    /// The contents of the version's INTEGER; nil for the default, v1.
    var version: Range<Int>?
    /// The contents of the serial number's INTEGER.
    var serialNumber: Range<Int>
    /// The issuer's Name, with tag and length.
    var issuer: Range<Int>
    /// The contents of Validity.
    var validity: Range<Int>
    /// The subject's Name, with tag and length.
    var subject: Range<Int>
    /// The SubjectPublicKeyInfo, with tag and length.
    var subjectPublicKeyInfo: Range<Int>
    /// The contents of `[3]`, the list of extensions; nil if the certificate has no extensions.
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
            signatureAlgorithm = try Self.algorithm(&reader)
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
            _ = try Self.algorithm(&reader)
            part = .issuer
            issuer = try Self.elements(&reader, .set).range
            part = .validity
            validity = try Self.times(&reader)
            part = .subject
            subject = try Self.elements(&reader, .set).range
            part = .publicKey
            let key = try reader.next(.sequence)
            subjectPublicKeyInfo = key.range
            try SubjectPublicKeyInfo.check(reader.reader(of: key))
            part = .extensions
            extensions = try Self.readTail(&reader)
        } catch {
            throw .malformed(part, error)
        }
    }

    /// Reads the certificate's SEQUENCE. No bytes may follow it.
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

    /// Reads an AlgorithmIdentifier: an OID and optional parameters (RFC 5280, section 4.1.1.2).
    ///
    /// - Returns: the range of its contents.
    static func algorithm(_ reader: inout DERReader) throws(DERError) -> Range<Int> {
        let algorithm = try reader.next(.sequence)
        var fields = reader.reader(of: algorithm)
        _ = try fields.next(.objectIdentifier)
        if !fields.isAtEnd { _ = try fields.next() }
        try fields.finish()
        return algorithm.contents
    }

    /// Reads Validity, which consists of two elements. Their types are not checked.
    ///
    /// - Returns: the range of its contents.
    private static func times(_ reader: inout DERReader) throws(DERError) -> Range<Int> {
        let validity = try reader.next(.sequence)
        var fields = reader.reader(of: validity)
        for _ in 0..<2 {
            guard !fields.isAtEnd else { throw DERError(offset: fields.position, .missing(.utcTime)) }
            _ = try fields.next()
        }
        try fields.finish()
        return validity.contents
    }

    /// Reads a SEQUENCE whose elements all have the same tag. The contents of the elements are not checked.
    private static func elements(_ reader: inout DERReader, _ tag: DERTag) throws(DERError) -> DERElement {
        let list = try reader.next(.sequence)
        var items = reader.reader(of: list)
        while !items.isAtEnd { _ = try items.next(tag) }
        return list
    }

    /// Reads the unique identifiers `[1]` and `[2]` and the extensions `[3]`, each optional, in this order.
    private static func readTail(_ reader: inout DERReader) throws(DERError) -> Range<Int>? {
        for number: UInt32 in 1...2 where try reader.nextIfPresent(.implicit(number)) == nil {
            // A constructed BIT STRING is not DER. It is accepted, because the identifiers are not used.
            _ = try reader.nextIfPresent(.wrapper(number))
        }
        let extensions = try reader.nextIfPresent(.wrapper(3))
        guard reader.isAtEnd else {
            throw DERError(offset: reader.position, .outOfPlace(try reader.next().tag))
        }
        if let extensions {
            var inner = reader.reader(of: extensions)
            _ = try elements(&inner, .sequence)
            try inner.finish()
        }
        return extensions?.contents
    }
}
