/// An object identifier, kept as DER writes it (X.690, section 8.19).
public struct OID: Hashable, Sendable {
    /// The contents of the OBJECT IDENTIFIER element, tag and length left out.
    public let encoded: [UInt8]

    package init(encoded: some Collection<UInt8>) {
        self.encoded = Array(encoded)
    }

    /// The numbers joined by dots: `2.5.4.3`. Encodings that mean no numbers come out as `#` and their bytes in hex.
    public var dotted: String {
        var numbers: [UInt64] = []
        var number: UInt64 = 0
        var isInside = false
        for byte in encoded {
            // A number of more than 63 bits: UUIDs under 2.25 have them, names of algorithms and attributes do not.
            guard number < 1 << 56 else { return opaque }
            number = number << 7 | UInt64(byte & 0x7F)
            isInside = byte & 0x80 != 0
            if !isInside {
                numbers.append(number)
                number = 0
            }
        }
        guard let first = numbers.first, !isInside else { return opaque }
        // The first two numbers share one: X * 40 + Y, where only X = 2 leaves Y unbounded.
        let root = min(first / 40, 2)
        // Many are made for each certificate, and bytes are made faster than strings are joined.
        var text: [UInt8] = []
        Self.append(root, to: &text)
        text.append(UInt8(ascii: "."))
        Self.append(first - root * 40, to: &text)
        for number in numbers.dropFirst() {
            text.append(UInt8(ascii: "."))
            Self.append(number, to: &text)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func append(_ number: UInt64, to text: inout [UInt8]) {
        if number >= 10 { append(number / 10, to: &text) }
        text.append(UInt8(ascii: "0") + UInt8(number % 10))
    }

    private var opaque: String { "#" + Hex.encode(encoded) }
}

extension OID: CustomStringConvertible {
    public var description: String { dotted }
}

extension DERReader {
    /// The next element, which must be an object identifier.
    package mutating func nextOID() throws(DERError) -> OID {
        OID(encoded: bytes[try next(.objectIdentifier).contents])
    }
}
