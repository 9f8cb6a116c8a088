extension String {
    /// The text with `…` in place of all but the first four characters of each private key in base64 or hexadecimal digits.
    ///
    /// A message that quotes a wrong value must not show a key. A key is recognized by its start: the header of a structure with a
    /// version number in DER (RFC 5208, section 5; RFC 5915, section 3; RFC 8017, appendix A.1.2), the magic bytes of an OpenSSH key, or
    /// base64 of PEM. It can have several lines, and their ends can be escaped.
    package var withoutPrivateKeys: String {
        let bytes = Array(utf8)
        var output: [UInt8] = []
        var index = 0
        var canStart = true
        while index < bytes.count {
            if canStart, let digits = Self.privateKey(at: bytes[index...]) {
                output += digits.prefix(4) + Array("…".utf8)
                // A key of base64 can follow hexadecimal digits.
                index = digits.endIndex
            } else if let end = Self.endOfLineEnd(at: bytes[index...]) {
                output += bytes[index..<end]
                index = end
                canStart = true
            } else {
                output.append(bytes[index])
                canStart = !Self.isLetterOrDigit(bytes[index])
                index += 1
            }
        }
        return output.count == bytes.count ? self : String(decoding: output, as: UTF8.self)
    }

    /// The index after a line end at the start of a text, also after an escaped one (`\n`); nil if the text does not begin with one.
    private static func endOfLineEnd(at text: ArraySlice<UInt8>) -> Int? {
        switch text.first {
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"): text.startIndex + 1
        case UInt8(ascii: "\\"):
            text.dropFirst().first.flatMap { "nrt".utf8.contains($0) ? text.startIndex + 2 : nil }
        default: nil
        }
    }

    /// The characters that `isDigit` accepts, and line ends between them.
    private static func lines(_ text: ArraySlice<UInt8>, of isDigit: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        var end = text.startIndex
        var next = end
        while next < text.endIndex {
            if isDigit(text[next]) {
                next += 1
                end = next
            } else if let start = endOfLineEnd(at: text[next...]) {
                next = start
            } else {
                break
            }
        }
        return text[..<end]
    }

    /// The digits of a private key at the start of a text, with its line ends; nil if there is no key.
    private static func privateKey(at text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        switch text.first {
        case UInt8(ascii: "L"):
            // "-----BEGIN " in base64, without the last character, which also depends on the next letter.
            return text.starts(with: "LS0tLS1CRUdJTi".utf8) ? lines(text, of: isBase64) : nil
        case UInt8(ascii: "b"):
            // "openssh-key" in base64 (PROTOCOL.key of OpenSSH), without the last character.
            return text.starts(with: "b3BlbnNzaC1rZX".utf8) ? lines(text, of: isBase64) : nil
        case UInt8(ascii: "M"):
            guard let header = try? Base64.decode(text.prefix(12)), isHeader(header) else { return nil }
            return lines(text, of: isBase64)
        case UInt8(ascii: "3"):
            guard let header = try? Hex.decode(text.prefix(16)), isHeader(header) else { return nil }
            return lines(text) { Hex.value(of: $0) != nil }
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
