public import Encodings

/// The name of a subject or an issuer (RFC 5280, section 4.1.2.4).
public struct DistinguishedName: Hashable, Sendable {
    /// The parts in the order of the encoding, which usually begins with the most general one (the country). Nearly every part has
    /// one attribute.
    public let relativeNames: [[Attribute]]

    /// One attribute of a name, such as `CN=ISRG Root X1`.
    public struct Attribute: Hashable, Sendable {
        /// The type of the attribute.
        public let type: OID
        /// The text; for a value that is not text, `#` and its DER in hex (RFC 4514, section 2.4).
        public let value: String
        /// Whether `value` is text, not hex.
        public let isText: Bool

        /// The short name of the type (`CN`, `O`, `emailAddress`), or its dotted OID (`1.2.3.4`) if it has no short name.
        public var name: String { Self.shortName(of: type.dotted) }
    }

    /// Whether the name has no parts. The subject of a certificate may be empty if it has alternative names.
    public var isEmpty: Bool { relativeNames.isEmpty }

    /// Reads a Name, with tag and length. No bytes may follow it.
    package init(_ reader: DERReader) throws(DERError) {
        var reader = reader
        var parts = reader.reader(of: try reader.next(.sequence))
        try reader.finish()
        var relativeNames: [[Attribute]] = []
        while !parts.isAtEnd {
            var attributes = parts.reader(of: try parts.next(.set))
            var relativeName: [Attribute] = []
            while !attributes.isAtEnd {
                var attribute = attributes.reader(of: try attributes.next(.sequence))
                let type = try attribute.nextOID()
                let value = try attribute.next()
                try attribute.finish()
                let text = DirectoryString.text(of: value, in: attribute.bytes)
                relativeName.append(
                    Attribute(
                        type: type,
                        value: text ?? "#" + Hex.encode(attribute.bytes[value.range]).uppercased(),
                        isText: text != nil
                    )
                )
            }
            relativeNames.append(relativeName)
        }
        self.relativeNames = relativeNames
    }

    /// Reads a Name in DER; nil if it is malformed.
    package init?(der: [UInt8]) {
        guard let name = try? DistinguishedName(DERReader(der)) else { return nil }
        self = name
    }

    /// The last common name, which is the most specific one.
    public var commonName: String? { last("2.5.4.3") }

    /// A short name: the common name, otherwise unit and organization, otherwise the whole name.
    ///
    /// It has at most ``maximumDisplayLength`` Unicode scalars, because the names in a certificate can have any length.
    public var displayName: String {
        let parts = [last("2.5.4.11"), last("2.5.4.10")].compactMap(\.self)
        let name = commonName ?? (parts.isEmpty ? description : parts.joined(separator: ", "))
        return name.shortened(to: Self.maximumDisplayLength)
    }

    /// Maximum length of ``displayName``: twice the limit for a common name (RFC 5280, appendix A.1, ub-common-name).
    package static let maximumDisplayLength = 128

    private func last(_ type: String) -> String? {
        for relativeName in relativeNames.reversed() {
            for attribute in relativeName.reversed() where attribute.isText && attribute.type.dotted == type {
                return attribute.value
            }
        }
        return nil
    }
}

extension DistinguishedName: CustomStringConvertible {
    /// The name in the form of RFC 4514, the most specific part first, with a space after each comma and around each plus sign:
    /// `CN=ISRG Root X1, O=Internet Security Research Group, C=US`.
    ///
    /// The output is identical to that of `openssl x509 -nameopt sep_comma_plus_space,dn_rev,esc_2253,utf8,sname,dump_der`, so
    /// the attributes within a part are also in reverse order. But of a private key, only the first four characters are shown.
    public var description: String {
        relativeNames.reversed().map { attributes in
            attributes.reversed().map(\.description).joined(separator: " + ")
        }.joined(separator: ", ")
    }
}

extension DistinguishedName.Attribute: CustomStringConvertible {
    public var description: String { "\(name)=\(isText ? escapedValue : value)" }

    /// The value with the escapes of RFC 4514, section 2.4, and without private keys, which are not recognized after an escape.
    private var escapedValue: String {
        var output: [UInt8] = []
        let bytes = Array(value.withoutWholePrivateKeys.utf8)
        for (index, byte) in bytes.enumerated() {
            let isEdgeSpace = byte == UInt8(ascii: " ") && (index == 0 || index == bytes.count - 1)
            switch byte {
            case _ where isEdgeSpace, UInt8(ascii: "#") where index == 0,
                UInt8(ascii: ","), UInt8(ascii: "+"), UInt8(ascii: "\""), UInt8(ascii: "\\"),
                UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: ";"):
                output.append(UInt8(ascii: "\\"))
                output.append(byte)
            case 0:
                output.append(contentsOf: "\\00".utf8)
            default:
                output.append(byte)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
