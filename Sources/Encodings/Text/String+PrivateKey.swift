extension String {
    /// The text with `…` in place of all but the first four characters of each private key in base64 or hexadecimal digits.
    ///
    /// A message that quotes a wrong value must not show a key. A key is recognized by its start: the header of a structure with a
    /// version number in DER (RFC 5208, section 5; RFC 5915, section 3; RFC 8017, appendix A.1.2), or base64 of PEM.
    package var withoutPrivateKeys: String {
        let bytes = Array(utf8)
        var output: [UInt8] = []
        var index = 0
        var previous: UInt8?
        while index < bytes.count {
            let byte = bytes[index]
            let isStart = previous.map { !Self.isLetterOrDigit($0) } ?? true
            if isStart, let digits = Self.privateKey(at: bytes[index...]) {
                output += digits.prefix(4) + Array("…".utf8)
                index = digits.endIndex
            } else {
                output.append(byte)
                index += 1
            }
            previous = byte
        }
        return output.count == bytes.count ? self : String(decoding: output, as: UTF8.self)
    }

    /// The digits of a private key at the start of a text; nil if there is no key.
    private static func privateKey(at text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        switch text.first {
        case UInt8(ascii: "L"):
            // "-----BEGIN " in base64, without the last character, which also depends on the next letter.
            return text.starts(with: "LS0tLS1CRUdJTi".utf8) ? text.prefix(while: isBase64) : nil
        case UInt8(ascii: "M"):
            guard let header = try? Base64.decode(text.prefix(12)), isHeader(header) else { return nil }
            return text.prefix(while: isBase64)
        case UInt8(ascii: "3"):
            guard let header = try? Hex.decode(text.prefix(16)), isHeader(header) else { return nil }
            return text.prefix { Hex.value(of: $0) != nil }
        default: return nil
        }
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || "+/-_=".utf8.contains(byte)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        byte.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    /// Whether bytes are the header of a SEQUENCE, and then an INTEGER of one byte from 0 to 3, the version of a key or of PKCS #12.
    private static func isHeader(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        guard rest.popFirst() == 0x30, let length = rest.popFirst() else { return false }
        switch length {
        case 0x20...0x80: break
        case 0x81...0x83: rest = rest.dropFirst(Int(length - 0x80))
        default: return false
        }
        return rest.starts(with: [0x02, 0x01]) && rest.dropFirst(2).first.map { $0 < 4 } ?? false
    }
}
