internal import Encodings
internal import Pinning

/// The type of a DER structure, recognized by the tags of its first elements, which are different for all types.
enum DERStructure {
    /// RFC 5280, section 4.1.
    case certificate
    /// RFC 2986, section 4.
    case certificateRequest
    /// RFC 5280, section 5.1.
    case revocationList
    /// RFC 5280, section 4.1.2.7.
    case subjectPublicKeyInfo
    /// RFC 8017, appendix A.1.1.
    case rsaPublicKey
    /// RFC 5208, section 5, and RFC 5958, section 2.
    case privateKeyInfo
    /// RFC 5958, section 3.
    case encryptedPrivateKeyInfo
    /// RFC 8017, appendix A.1.2.
    case rsaPrivateKey
    /// RFC 5915.
    case ecPrivateKey
    /// OpenSSL's structure: version, p, q, g, public and private value.
    case dsaPrivateKey
    /// Domain parameters of DH or DSA (RFC 3279, section 2.3).
    case parameters
    /// RFC 2315, section 7.
    case pkcs7
    /// RFC 7292, section 4.
    case pkcs12
    case unknown

    /// Recognizes a structure.
    ///
    /// - Parameter contents: a reader at the first element inside the outermost SEQUENCE.
    init(_ contents: DERReader) {
        var reader = contents
        guard let first = try? reader.next() else {
            self = .unknown
            return
        }
        let inner = reader.reader(of: first)
        switch first.tag {
        case .objectIdentifier:
            // An AlgorithmIdentifier begins with an OID, too.
            let isContentInfo = inner.bytes[first.contents].starts(with: Self.pkcs7Types) || reader.hasContent
            self = isContentInfo ? .pkcs7 : .unknown
        case .integer: self = Self.afterInteger(reader.bytes[first.contents], reader)
        case .sequence: self = Self.afterSequence(inner, reader)
        default: self = .unknown
        }
    }

    /// Recognizes a container in BER by its first bytes: after a length in any form, there is an OID or the version 3.
    init(ber bytes: [UInt8]) {
        var contents = bytes.dropFirst(2)
        if bytes.count > 1, bytes[1] > 0x80 { contents = contents.dropFirst(Int(bytes[1] & 0x7F)) }
        if contents.starts(with: [0x02, 0x01, 0x03, 0x30]) {
            self = .pkcs12
        } else if contents.popFirst() == 0x06, let length = contents.popFirst(), length < 0x80,
            contents.starts(with: Self.pkcs7Types) || contents.dropFirst(Int(length)).first == 0xA0
        {
            self = .pkcs7
        } else {
            self = .unknown
        }
    }

    /// The first bytes of the OIDs 1.2.840.113549.1.7.1 to 1.2.840.113549.1.7.6, the types of a PKCS#7 message (RFC 2315, section 14).
    private static let pkcs7Types: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07]

    private static func afterInteger(_ first: ArraySlice<UInt8>, _ reader: DERReader) -> DERStructure {
        var reader = reader
        // The rest of a PKCS#12 file may be BER, so the version determines the type.
        if first == [3], reader.position < reader.end, reader.bytes[reader.position] == 0x30 { return .pkcs12 }
        guard let second = try? reader.next() else { return .unknown }
        switch second.tag {
        case .sequence:
            let third = try? reader.next(.octetString)
            return third == nil ? .unknown : .privateKeyInfo
        case .octetString:
            return .ecPrivateKey
        case .integer:
            var count = 2
            while count < 10, (try? reader.next(.integer)) != nil { count += 1 }
            let isVersion = first == [0] || first == [1]
            switch (count, isVersion) {
            // DH parameters are two integers too. Their second integer, the generator, is 2 or 5; a public exponent is odd and
            // greater.
            case (2, false): return isPublicExponent(reader.bytes[second.contents]) ? .rsaPublicKey : .parameters
            case (3, false): return .parameters
            case (6, true): return .dsaPrivateKey
            case (9..., true): return .rsaPrivateKey
            default: return .unknown
            }
        default:
            return .unknown
        }
    }

    private static func isPublicExponent(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let last = bytes.last, last & 1 == 1 else { return false }
        return bytes != [1] && bytes != [5]
    }

    private static func afterSequence(_ first: DERReader, _ reader: DERReader) -> DERStructure {
        var reader = reader
        guard let second = try? reader.next() else { return .unknown }
        switch second.tag {
        case .bitString:
            var first = first
            return (try? first.next(.objectIdentifier)) == nil ? .unknown : .subjectPublicKeyInfo
        case .octetString: return .encryptedPrivateKeyInfo
        case .sequence: return (try? reader.next(.bitString)) == nil ? .unknown : signed(first)
        default: return .unknown
        }
    }

    /// Distinguishes signed structures: a request has its key at the position of a certificate's validity.
    private static func signed(_ contents: DERReader) -> DERStructure {
        var reader = contents
        var tags: [DERTag] = []
        while tags.count < 4, let element = try? reader.next() { tags.append(element.tag) }
        switch tags {
        case [.integer, .sequence, .sequence, .wrapper(0)], [.integer, .sequence, .sequence]: return .certificateRequest
        case [.integer, .sequence, .sequence, .utcTime], [.integer, .sequence, .sequence, .generalizedTime]:
            return .revocationList
        case _ where tags.starts(with: [.sequence, .sequence, .utcTime]),
            _ where tags.starts(with: [.sequence, .sequence, .generalizedTime]):
            return .revocationList
        default: return .certificate
        }
    }
}

extension DERReader {
    /// Whether the next element is `[0]`, the content of a ContentInfo (RFC 2315, section 7).
    fileprivate var hasContent: Bool { position < end && bytes[position] == 0xA0 }

    /// The first error that shows that bytes are BER; nil if there is no such error.
    var firstBERError: DERError? {
        var levels = [self]
        while var level = levels.popLast() {
            do throws(DERError) {
                while !level.isAtEnd {
                    let element = try level.next()
                    let isString =
                        element.tag.class == .universal && element.tag.number != 16 && element.tag.number != 17
                    if isString, element.tag.isConstructed {
                        throw DERError(offset: element.start, .constructedString(element.tag))
                    }
                    if element.tag.isConstructed { levels.append(level.reader(of: element)) }
                }
            } catch {
                if error.isBER { return error }
            }
        }
        return nil
    }
}
