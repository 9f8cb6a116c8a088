package import Encodings
package import Pinning

/// One extension of a certificate (RFC 5280, section 4.2).
package struct CertificateExtension: Hashable, Sendable {
    package let type: OID
    package let isCritical: Bool
    /// The contents of the OCTET STRING.
    package let value: [UInt8]
    package let content: Content

    /// The name of the type as RFC 5280 or the defining document spells it; nil for an unknown type.
    package var name: String? { ObjectName.ofExtension(type) }

    /// The decoded value of an extension.
    package enum Content: Hashable, Sendable {
        case subjectAlternativeNames([GeneralName])
        case issuerAlternativeNames([GeneralName])
        /// `maximumBelow` is the maximum number of CA certificates between this one and the leaf.
        case basicConstraints(isAuthority: Bool, maximumBelow: Int?)
        case keyUsage([KeyUsage])
        case extendedKeyUsage([OID])
        case nameConstraints(permitted: [NameSubtree], excluded: [NameSubtree])
        case policies([CertificatePolicy])
        /// Each issuer's policy with the equivalent policy of the subject.
        case policyMappings([PolicyMapping])
        case policyConstraints(requireExplicit: Int?, inhibitMapping: Int?)
        case inhibitAnyPolicy(Int)
        case access([AccessDescription])
        case distributionPoints([DistributionPoint])
        case subjectKeyIdentifier([UInt8])
        case authorityKeyIdentifier(key: [UInt8]?, issuer: [GeneralName], serialNumber: [UInt8]?)
        case signedTimestamps([SignedTimestamp])
        /// The certificate must not be used: it is the input of a transparency log (RFC 6962, section 3.1).
        case precertificatePoison
        /// The TLS extensions that the server must support (RFC 7633); 5 is `status_request`.
        case tlsFeatures([Int])
        /// The certificate of an OCSP responder is not checked for revocation (RFC 6960, section 4.2.2.2.1).
        case noRevocationCheck
        /// The value does not have the form that its type requires.
        case malformed(DERError)
        /// pinctl does not know the type.
        case unknown
    }
}

extension Certificate {
    /// Maximum number of extensions that are decoded. Certificates have about ten.
    package static let maximumExtensions = 256

    /// The extensions in the order of the certificate, at most ``maximumExtensions``. An element that is no extension ends the list.
    package var extensions: [CertificateExtension] { extensionList.map(Self.extensions) ?? [] }

    /// Number of elements in the list of extensions, with those that ``extensions`` leaves out.
    package var extensionCount: Int {
        guard var reader = extensionList else { return 0 }
        var count = 0
        while (try? reader.next()) != nil { count += 1 }
        return count
    }

    /// The elements of the list of extensions; nil if there is no list.
    private var extensionList: DERReader? {
        var outer = DERReader(der)
        guard let certificate = try? outer.next(.sequence) else { return nil }
        var parts = outer.reader(of: certificate)
        guard let signedPart = try? parts.next(.sequence) else { return nil }
        var fields = parts.reader(of: signedPart)
        while let field = try? fields.next() {
            guard field.tag == .wrapper(3) else { continue }
            var wrapper = fields.reader(of: field)
            guard let list = try? wrapper.next(.sequence) else { return nil }
            return wrapper.reader(of: list)
        }
        return nil
    }

    private static func extensions(in reader: DERReader) -> [CertificateExtension] {
        var reader = reader
        var found: [CertificateExtension] = []
        while found.count < maximumExtensions, let item = try? reader.next(.sequence) {
            var fields = reader.reader(of: item)
            guard let type = try? fields.nextOID() else { break }
            let flag = (try? fields.nextIfPresent(.boolean)).flatMap { $0 }
            guard let value = try? fields.next(.octetString) else { break }
            let bytes = Array(fields.bytes[value.contents])
            found.append(
                CertificateExtension(
                    type: type, isCritical: flag.map { fields.bytes[$0.contents].contains { $0 != 0 } } ?? false,
                    value: bytes, content: ExtensionDecoder.content(of: type, bytes)))
        }
        return found
    }
}
