internal import Encodings

/// Characters that a YAML text cannot contain.
extension YAMLReader {
    /// The offset of the first CR without LF (YAML 1.2.2, section 5.4) or the first NEL, LS or PS (YAML 1.1, section 4.2).
    static func otherLineBreak(in bytes: [UInt8]) -> Int? {
        bytes.indices.first { index in
            switch bytes[index] {
            case UInt8(ascii: "\r"): index + 1 == bytes.count || bytes[index + 1] != UInt8(ascii: "\n")
            case 0xc2: bytes[(index + 1)...].first == 0x85
            case 0xe2:
                bytes[index...].starts(with: [0xe2, 0x80, 0xa8]) || bytes[index...].starts(with: [0xe2, 0x80, 0xa9])
            default: false
            }
        }
    }

    /// The offset of the first character that is not printable (YAML 1.2.2, section 5.1), except U+FFFE and U+FFFF.
    static func controlCharacter(in bytes: [UInt8]) -> Int? {
        bytes.indices.first { index in
            switch bytes[index] {
            case UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): false
            case 0..<0x20, 0x7f: true
            case 0xc2: bytes[(index + 1)...].first.map { $0 < 0xa0 } ?? false
            default: false
            }
        }
    }
}
