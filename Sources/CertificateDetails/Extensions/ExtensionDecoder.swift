internal import Encodings
internal import Pinning

/// Decodes the values of extensions (RFC 5280, section 4.2). It reads each byte at most twice, and its depth is fixed.
enum ExtensionDecoder {
    /// The decoded value of an extension of this type.
    static func content(of type: OID, _ value: [UInt8]) -> CertificateExtension.Content {
        do throws(DERError) {
            return try decode(ObjectName.ofExtension(type), value)
        } catch {
            return .malformed(error)
        }
    }

    private static func decode(_ name: String?, _ value: [UInt8]) throws(DERError) -> CertificateExtension.Content {
        var outer = DERReader(value)
        switch name {
        case "subjectAltName": return .subjectAlternativeNames(try names(&outer))
        case "issuerAltName": return .issuerAlternativeNames(try names(&outer))
        case "basicConstraints": return try basicConstraints(&outer)
        case "keyUsage":
            let bits = try outer.next(.bitString)
            try outer.finish()
            return .keyUsage(keyUsage(value[bits.contents]))
        case "extKeyUsage":
            return .extendedKeyUsage(try list(&outer) { reader throws(DERError) in try reader.nextOID() })
        case "nameConstraints": return try nameConstraints(&outer)
        case "certificatePolicies":
            return .policies(try list(&outer) { reader throws(DERError) in try policy(&reader) })
        case "policyMappings":
            return .policyMappings(
                try list(&outer) { reader throws(DERError) in
                    var fields = reader.reader(of: try reader.next(.sequence))
                    return PolicyMapping(issuer: try fields.nextOID(), subject: try fields.nextOID())
                })
        case "policyConstraints":
            var fields = outer.reader(of: try outer.next(.sequence))
            let explicit = try fields.nextIfPresent(.implicit(0))
            let mapping = try fields.nextIfPresent(.implicit(1))
            return .policyConstraints(
                requireExplicit: explicit.flatMap { number(value[$0.contents]) },
                inhibitMapping: mapping.flatMap { number(value[$0.contents]) })
        case "inhibitAnyPolicy":
            let element = try outer.next(.integer)
            guard let count = number(value[element.contents]) else {
                throw DERError(offset: element.start, .invalidContents(.integer))
            }
            return .inhibitAnyPolicy(count)
        case "authorityInfoAccess", "subjectInfoAccess":
            return .access(
                try list(&outer) { reader throws(DERError) in
                    var fields = reader.reader(of: try reader.next(.sequence))
                    let method = try fields.nextOID()
                    return AccessDescription(method: method, location: GeneralName(try fields.next(), in: fields))
                })
        case "cRLDistributionPoints", "freshestCRL":
            return .distributionPoints(try list(&outer) { reader throws(DERError) in try distributionPoint(&reader) })
        case "subjectKeyIdentifier":
            return .subjectKeyIdentifier(Array(value[try outer.next(.octetString).contents]))
        case "authorityKeyIdentifier": return try authorityKeyIdentifier(&outer)
        case "signedCertificateTimestampList":
            let element = try outer.next(.octetString)
            guard let timestamps = SignedTimestamp.list(Array(value[element.contents])) else {
                throw DERError(offset: element.start, .invalidContents(.octetString))
            }
            return .signedTimestamps(timestamps)
        case "precertificatePoison": return .precertificatePoison
        case "tlsFeature":
            return .tlsFeatures(
                try list(&outer) { reader throws(DERError) in
                    let element = try reader.next(.integer)
                    guard let feature = number(reader.bytes[element.contents]) else {
                        throw DERError(offset: element.start, .invalidContents(.integer))
                    }
                    return feature
                })
        case "ocspNoCheck": return .noRevocationCheck
        default: return .unknown
        }
    }

    // MARK: Parts

    /// Reads a SEQUENCE OF, to its end.
    private static func list<Element>(
        _ reader: inout DERReader, _ read: (inout DERReader) throws(DERError) -> Element
    ) throws(DERError) -> [Element] {
        var items = reader.reader(of: try reader.next(.sequence))
        try reader.finish()
        return try elements(&items, read)
    }

    private static func elements<Element>(
        _ reader: inout DERReader, _ read: (inout DERReader) throws(DERError) -> Element
    ) throws(DERError) -> [Element] {
        var found: [Element] = []
        while !reader.isAtEnd { found.append(try read(&reader)) }
        return found
    }

    /// Reads GeneralNames: a SEQUENCE OF GeneralName.
    private static func names(_ reader: inout DERReader) throws(DERError) -> [GeneralName] {
        try list(&reader) { reader throws(DERError) in GeneralName(try reader.next(), in: reader) }
    }

    /// Reads GeneralNames whose tag was replaced, so that the names are directly in the element.
    private static func names(in element: DERElement?, _ reader: DERReader) throws(DERError) -> [GeneralName] {
        guard let element else { return [] }
        var names = reader.reader(of: element)
        return try elements(&names) { reader throws(DERError) in GeneralName(try reader.next(), in: reader) }
    }

    private static func basicConstraints(
        _ reader: inout DERReader
    ) throws(DERError) -> CertificateExtension.Content {
        var fields = reader.reader(of: try reader.next(.sequence))
        try reader.finish()
        let flag = try fields.nextIfPresent(.boolean)
        let length = try fields.nextIfPresent(.integer)
        try fields.finish()
        return .basicConstraints(
            isAuthority: flag.map { reader.bytes[$0.contents].contains { $0 != 0 } } ?? false,
            maximumBelow: length.flatMap { number(reader.bytes[$0.contents]) })
    }

    /// The set bits of a BIT STRING. The first byte is the number of unused bits; the first bit is the highest.
    private static func keyUsage(_ contents: ArraySlice<UInt8>) -> [KeyUsage] {
        let bits = contents.dropFirst()
        return KeyUsage.allCases.filter { usage in
            let byte = bits.dropFirst(usage.rawValue / 8).first ?? 0
            return byte & 0x80 >> UInt8(usage.rawValue % 8) != 0
        }
    }

    private static func nameConstraints(_ reader: inout DERReader) throws(DERError) -> CertificateExtension.Content {
        var fields = reader.reader(of: try reader.next(.sequence))
        try reader.finish()
        let permitted = try subtrees(try fields.nextIfPresent(.wrapper(0)), fields)
        let excluded = try subtrees(try fields.nextIfPresent(.wrapper(1)), fields)
        try fields.finish()
        return .nameConstraints(permitted: permitted, excluded: excluded)
    }

    private static func subtrees(_ element: DERElement?, _ reader: DERReader) throws(DERError) -> [NameSubtree] {
        guard let element else { return [] }
        var items = reader.reader(of: element)
        return try elements(&items) { reader throws(DERError) in
            var fields = reader.reader(of: try reader.next(.sequence))
            return NameSubtree(base: GeneralName(try fields.next(), in: fields))
        }
    }

    private static let practiceStatement = "1.3.6.1.5.5.7.2.1"
    private static let userNotice = "1.3.6.1.5.5.7.2.2"

    private static func policy(_ reader: inout DERReader) throws(DERError) -> CertificatePolicy {
        var fields = reader.reader(of: try reader.next(.sequence))
        let type = try fields.nextOID()
        var statements: [String] = []
        var notices: [String] = []
        if let qualifiers = try fields.nextIfPresent(.sequence) {
            var items = fields.reader(of: qualifiers)
            while !items.isAtEnd {
                var qualifier = items.reader(of: try items.next(.sequence))
                switch try qualifier.nextOID().dotted {
                case practiceStatement:
                    statements.append(String(decoding: qualifier.bytes[try qualifier.next().contents], as: UTF8.self))
                case userNotice:
                    var notice = qualifier.reader(of: try qualifier.next(.sequence))
                    // The reference to a numbered notice of an organization comes first, and is optional.
                    _ = try notice.nextIfPresent(.sequence)
                    if !notice.isAtEnd { notices.append(text(try notice.next(), notice)) }
                default: continue
                }
            }
        }
        return CertificatePolicy(type: type, statements: statements, notices: notices)
    }

    /// The text of a DisplayText (RFC 5280, section 4.2.1.4): BMPString is UTF-16, the other types are read as UTF-8.
    private static func text(_ element: DERElement, _ reader: DERReader) -> String {
        let bytes = reader.bytes[element.contents]
        guard element.tag == .bmpString else { return String(decoding: bytes, as: UTF8.self) }
        let pairs = zip(
            bytes.enumerated().filter { $0.offset % 2 == 0 }, bytes.enumerated().filter { $0.offset % 2 == 1 })
        return String(decoding: pairs.map { UInt16($0.element) << 8 | UInt16($1.element) }, as: UTF16.self)
    }

    private static func distributionPoint(_ reader: inout DERReader) throws(DERError) -> DistributionPoint {
        var fields = reader.reader(of: try reader.next(.sequence))
        var names: [GeneralName] = []
        if let point = try fields.nextIfPresent(.wrapper(0)) {
            var choice = fields.reader(of: point)
            names = try Self.names(in: try choice.nextIfPresent(.wrapper(0)), choice)
        }
        // The reasons for which the list applies; pinctl does not show them.
        _ = try fields.nextIfPresent(.implicit(1))
        let issuer = try Self.names(in: try fields.nextIfPresent(.wrapper(2)), fields)
        return DistributionPoint(names: names, issuer: issuer)
    }

    private static func authorityKeyIdentifier(
        _ reader: inout DERReader
    ) throws(DERError) -> CertificateExtension.Content {
        var fields = reader.reader(of: try reader.next(.sequence))
        let key = try fields.nextIfPresent(.implicit(0))
        let issuer = try names(in: try fields.nextIfPresent(.wrapper(1)), fields)
        let serialNumber = try fields.nextIfPresent(.implicit(2))
        return .authorityKeyIdentifier(
            key: key.map { Array(reader.bytes[$0.contents]) }, issuer: issuer,
            serialNumber: serialNumber.map { magnitude(reader.bytes[$0.contents]) })
    }

    /// The bytes of an INTEGER without the zero byte that marks a positive number.
    private static func magnitude(_ contents: ArraySlice<UInt8>) -> [UInt8] {
        contents.count > 1 && contents.first == 0 ? Array(contents.dropFirst()) : Array(contents)
    }

    /// A number that is not negative and has at most 4 bytes; nil for other contents.
    private static func number(_ contents: ArraySlice<UInt8>) -> Int? {
        guard let first = contents.first, first < 0x80, contents.count <= 4 else { return nil }
        return contents.reduce(0) { $0 << 8 | Int($1) }
    }
}
