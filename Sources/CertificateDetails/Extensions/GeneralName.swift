package import Encodings
package import Pinning

/// A name in an extension (RFC 5280, section 4.2.1.6).
package enum GeneralName: Hashable, Sendable {
    case dns(String)
    case email(String)
    case url(String)
    /// 4 or 16 bytes; in name constraints 8 or 32, of which the second half is the mask.
    case address([UInt8])
    case directory(DistinguishedName)
    case registeredIdentifier(OID)
    case other(OID, der: [UInt8])
    /// A type that certificates do not use: `x400Address` or `ediPartyName`, or a value that is malformed.
    case opaque(tag: DERTag, der: [UInt8])

    /// Reads one name. A name of a known type with a malformed value is ``opaque(tag:der:)``.
    init(_ element: DERElement, in reader: DERReader) {
        let contents = reader.bytes[element.contents]
        self = .opaque(tag: element.tag, der: Array(reader.bytes[element.range]))
        switch element.tag {
        case .implicit(1): self = .email(Self.text(contents))
        case .implicit(2): self = .dns(Self.text(contents))
        case .implicit(6): self = .url(Self.text(contents))
        case .implicit(7) where [4, 8, 16, 32].contains(contents.count): self = .address(Array(contents))
        case .implicit(8): self = .registeredIdentifier(OID(encoded: contents))
        case .wrapper(4):
            // The Name is a CHOICE, so its tag is explicit.
            if let name = try? DistinguishedName(reader.reader(of: element)) { self = .directory(name) }
        case .wrapper(0):
            var fields = reader.reader(of: element)
            guard let type = try? fields.nextOID(), let value = try? fields.next(.wrapper(0)) else { return }
            self = .other(type, der: Array(reader.bytes[value.contents]))
        default: break
        }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    /// The type of the name in one word, as JSON output names it.
    package var kind: String {
        switch self {
        case .dns: "dns"
        case .email: "email"
        case .url: "url"
        case .address: "ip"
        case .directory: "directory"
        case .registeredIdentifier: "oid"
        case .other: "other"
        case .opaque: "unsupported"
        }
    }

    /// The value as text. Bytes without a text form are in hexadecimal.
    package var text: String {
        switch self {
        case .dns(let text), .email(let text), .url(let text): text
        case .address(let bytes): Self.address(bytes)
        case .directory(let name): name.description
        case .registeredIdentifier(let type): type.dotted
        case .other(let type, let der): "\(type.dotted) \(Hex.encode(der))"
        case .opaque(_, let der): Hex.encode(der)
        }
    }

    private static func address(_ bytes: [UInt8]) -> String {
        guard bytes.count == 8 || bytes.count == 32 else {
            return IPAddress(bytes: bytes)?.description ?? Hex.encode(bytes)
        }
        let half = bytes.count / 2
        guard let base = IPAddress(bytes: bytes[..<half]), let mask = IPAddress(bytes: bytes[half...]) else {
            return Hex.encode(bytes)
        }
        return "\(base)/\(prefixLength(bytes[half...]).map(String.init) ?? mask.description)"
    }

    /// The number of leading one bits of a mask; nil if a one bit follows a zero bit.
    private static func prefixLength(_ mask: ArraySlice<UInt8>) -> Int? {
        var length = 0
        var hasEnded = false
        for byte in mask {
            let ones = (~byte).leadingZeroBitCount
            guard byte == (ones == 8 ? 0xFF : ~(0xFF >> UInt8(ones))), !(hasEnded && byte != 0) else { return nil }
            length += ones
            if ones < 8 { hasEnded = true }
        }
        return length
    }
}
