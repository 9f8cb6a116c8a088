/// Base 16 (RFC 4648, section 8). Writes lower case and reads both cases.
package enum Hex {
    /// `bytes` as two lower-case digits for each byte.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count * 2)
        append(bytes, to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    /// Appends `bytes` to `output` as two lower-case digits for each byte.
    package static func append(_ bytes: some Collection<UInt8>, to output: inout [UInt8]) {
        for byte in bytes {
            output.append(digit(byte >> 4))
            output.append(digit(byte & 15))
        }
    }

    /// Decodes pairs of digits without separators.
    package static func decode(_ text: some Collection<UInt8>) throws(HexError) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.count / 2)
        var high: UInt8?
        var offset = 0
        for byte in text {
            guard let value = value(of: byte) else { throw .character(byte, offset: offset) }
            if let first = high {
                output.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
            offset += 1
        }
        guard high == nil else { throw .oddLength(offset) }
        return output
    }

    /// The value of a digit; nil for other bytes.
    package static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
    }
}

/// An error in base 16.
package enum HexError: Error, Hashable, Sendable {
    /// A byte at this offset that is not a digit.
    case character(UInt8, offset: Int)
    /// An odd number of digits; the value is their number.
    case oddLength(Int)
}
