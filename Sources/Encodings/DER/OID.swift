/// An object identifier in its DER encoding (X.690, section 8.19).
public struct OID: Hashable, Sendable {
    /// The contents of the OBJECT IDENTIFIER element, without tag and length.
    public let encoded: [UInt8]

    package init(encoded: some Collection<UInt8>) {
        self.encoded = Array(encoded)
    }

    /// The numbers separated by dots: `2.5.4.3`. For an invalid encoding, `#` and the bytes in hexadecimal.
    public var dotted: String {
        var numbers: [UInt64] = []
        var number: UInt64 = 0
        var isInside = false
        for byte in encoded {
            // The number has more than 63 bits. UUIDs under 2.25 have such numbers, but algorithms and attributes do not.
            guard number < 1 << 56 else { return opaque }
            number = number << 7 | UInt64(byte & 0x7F)
            isInside = byte & 0x80 != 0
            if !isInside {
                numbers.append(number)
                number = 0
            }
        }
        guard let first = numbers.first, !isInside else { return opaque }
        // The first two numbers X and Y are encoded as one value: X * 40 + Y. Y can be 40 or more only if X is 2.
        let root = min(first / 40, 2)
        // Each certificate needs many of these texts, and a byte array is faster than joined strings.
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
    /// Reads the next element, which must be an object identifier.
    package mutating func nextOID() throws(DERError) -> OID {
        OID(encoded: bytes[try next(.objectIdentifier).contents])
    }
}
