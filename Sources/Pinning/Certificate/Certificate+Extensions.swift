internal import Encodings

/// The contents of a certificate's extensions (RFC 5280, section 4.2). If a list is malformed, only the elements
/// before the error are used.
extension Certificate {
    /// The DNS names of the subject, in the order of the certificate (section 4.2.1.6).
    public var dnsNames: [String] {
        subjectAlternativeNames(.implicit(2)).map { String(decoding: der[$0], as: UTF8.self) }
    }

    /// The IP addresses of the subject as text (section 4.2.1.6), IPv6 in the form of RFC 5952. Addresses that have neither 4 nor
    /// 16 bytes are skipped.
    public var ipAddresses: [String] {
        subjectAlternativeNames(.implicit(7)).compactMap { IPAddress(bytes: der[$0])?.description }
    }

    /// Whether the basic constraints allow the key to sign certificates (section 4.2.1.9).
    public var isCA: Bool {
        guard let value = value(ofExtension: 19) else { return false }
        var outer = DERReader(der, in: value)
        guard let constraints = try? outer.next(.sequence) else { return false }
        var reader = outer.reader(of: constraints)
        guard let flag = try? reader.nextIfPresent(.boolean) else { return false }
        return der[flag.contents].first.map { $0 != 0 } ?? false
    }

    /// The subject key identifier (section 4.2.1.2).
    public var subjectKeyIdentifier: ArraySlice<UInt8>? {
        guard let value = value(ofExtension: 14) else { return nil }
        var reader = DERReader(der, in: value)
        guard let identifier = try? reader.next(.octetString) else { return nil }
        return der[identifier.contents]
    }

    /// The authority key identifier (section 4.2.1.1); nil if the extension identifies the issuer in another way.
    public var authorityKeyIdentifier: ArraySlice<UInt8>? {
        guard let value = value(ofExtension: 35) else { return nil }
        var outer = DERReader(der, in: value)
        guard let fields = try? outer.next(.sequence) else { return nil }
        var reader = outer.reader(of: fields)
        guard let identifier = try? reader.nextIfPresent(.implicit(0)) else { return nil }
        return der[identifier.contents]
    }

    /// The URLs from which the certificate of the issuer can be fetched (section 4.2.2.1).
    package var issuerURLs: [String] {
        let authorityInformationAccess: [UInt8] = [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x01, 0x01]
        let issuers: [UInt8] = [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x30, 0x02]
        guard let value = value(ofExtensionType: authorityInformationAccess) else { return [] }
        var outer = DERReader(der, in: value)
        guard let list = try? outer.next(.sequence) else { return [] }
        var reader = outer.reader(of: list)
        var urls: [String] = []
        while let description = try? reader.next(.sequence) {
            var fields = reader.reader(of: description)
            guard let method = try? fields.next(.objectIdentifier), let location = try? fields.next() else { continue }
            guard der[method.contents].elementsEqual(issuers), location.tag == .implicit(6) else { continue }
            urls.append(String(decoding: der[location.contents], as: UTF8.self))
        }
        return urls
    }

    /// The number of subject alternative names of all types.
    var subjectAlternativeNameCount: Int { subjectAlternativeNames(nil).count }

    private func subjectAlternativeNames(_ tag: DERTag?) -> [Range<Int>] {
        guard let value = value(ofExtension: 17) else { return [] }
        var outer = DERReader(der, in: value)
        guard let list = try? outer.next(.sequence) else { return [] }
        var reader = outer.reader(of: list)
        var names: [Range<Int>] = []
        while let name = try? reader.next() {
            if tag == nil || name.tag == tag { names.append(name.contents) }
        }
        return names
    }

    /// The position of the value of the first extension of a type, inside its OCTET STRING.
    ///
    /// - Parameter type: the last number of the type, which begins with 2.5.29 (section 4.2.1).
    func value(ofExtension type: UInt8) -> Range<Int>? { value(ofExtensionType: [0x55, 0x1D, type]) }

    /// - Parameter type: the contents of the OBJECT IDENTIFIER.
    private func value(ofExtensionType type: [UInt8]) -> Range<Int>? {
        guard let extensions = layout.extensions else { return nil }
        var outer = DERReader(der, in: extensions)
        guard let list = try? outer.next(.sequence) else { return nil }
        var reader = outer.reader(of: list)
        while let item = try? reader.next(.sequence) {
            var fields = reader.reader(of: item)
            guard let found = try? fields.next(.objectIdentifier).contents, der[found].elementsEqual(type) else {
                continue
            }
            // The critical flag can be between the type and the value. It is absent if it is false.
            _ = try? fields.nextIfPresent(.boolean)
            return (try? fields.next(.octetString))?.contents
        }
        return nil
    }
}
