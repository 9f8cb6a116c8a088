internal import Encodings

/// A search for lines of key files in a list of hosts or URLs.
///
/// Lines of a key file that is given as a list by mistake can look like names. After the first line that ``kind(of:)`` recognizes, a
/// reader of the list must neither use nor show any line.
package struct KeyFileLines {
    package enum Kind: Equatable, Sendable {
        /// The begin of a block in PEM, or of an SSH key.
        case pem
        /// Base64 or hexadecimal digits of a key or a certificate.
        case encoded
        /// Control characters, as in DER.
        case binary
    }

    /// The first characters of the list, if all lines until now consist of base64; otherwise nil.
    private var start: [UInt8]? = []
    private var privateKeys = PrivateKeyLines()

    /// Number of characters at which the start of a key in base64 is recognized, in lines of any length.
    private static let maximumStart = 32
    /// Minimum number of characters without a separator that are a part of a key. The longest usual wrapped line is 76 characters.
    private static let minimumPart = 32
    /// Minimum number of hexadecimal digits without a separator that are a part of a key. `xxd -p` prints 60 digits on a line, and a
    /// host with the digits of a SHA-1 hash has 40.
    private static let minimumHexPart = 48
    /// Minimum number of bytes in hexadecimal digits with colons that are a part of a key. An IPv6 address has at most eight parts.
    private static let minimumBytes = 9
    /// The end of the title of a private key that `openssl pkey -text` prints.
    private static let title = Array("Private-Key:".utf8)

    package init() {}

    /// Recognizes a line of a key file; nil for any other line.
    ///
    /// - Parameter line: a line without its line feed, in the order of the list. Blank lines, and comments after a `#`, have no effect
    ///   unless a comment contains the begin of a block or of a private key.
    package mutating func kind(of line: ArraySlice<UInt8>) -> Kind? {
        if line.contains(where: Self.isBinary) { return .binary }
        if Self.begins(line) { return .pem }
        let text = line.prefix { $0 != UInt8(ascii: "#") }
        // A comment can have the start of a key, and the next line more of it.
        let isPrivate = privateKeys.containsKey(text) || PrivateKeyLines.isKey(line)
        return isPrivate || continuesFile(text) || Self.containsPart(text) || Self.isDump(text) ? .encoded : nil
    }

    /// The text of a line for a message; `…` if the line alone is recognized as that of a key file.
    package static func shown(_ line: [UInt8]) -> String {
        var lines = KeyFileLines()
        return lines.kind(of: line[...]) == nil ? String(decoding: line, as: UTF8.self) : "…"
    }

    /// Control characters but tab, line feed, vertical tab, form feed, carriage return and escape, which texts can contain. The header
    /// of each structure with a key in DER contains one: the tag of INTEGER is 0x02, and that of an object identifier is 0x06.
    private static func isBinary(_ byte: UInt8) -> Bool {
        byte < 0x09 || (0x0E..<0x20).contains(byte) && byte != 0x1B
    }

    private static func begins(_ line: ArraySlice<UInt8>) -> Bool {
        // Each of these marks contains a space, and hosts contain none.
        guard line.contains(0x20) else { return false }
        if case .puttyKey? = UnsupportedFileType(signatureOf: Array(line.prefix(32))) { return true }
        return line.indices.contains { index in
            line[index...].starts(with: "-----BEGIN ".utf8) || line[index...].starts(with: "---- BEGIN ".utf8)
        }
    }

    /// Whether this line and all lines before it are the start of a file that `hash` reads, also without a private key: base64 of DER or of
    /// PEM.
    private mutating func continuesFile(_ line: ArraySlice<UInt8>) -> Bool {
        guard var text = start else { return false }
        let characters = line.filter { $0 != 0x20 && !(0x09...0x0D).contains($0) }
        guard characters.allSatisfy({ Self.isBase64($0) || $0 == UInt8(ascii: "=") }) else {
            start = nil
            return false
        }
        text += characters.prefix(Self.maximumStart - text.count)
        start = text.count < Self.maximumStart ? text : nil
        let whole = text.prefix(text.count & ~3)
        guard let bytes = try? Base64.decode(whole) else { return false }
        return bytes.starts(with: "-----B".utf8) || Self.isHeader(bytes)
    }

    /// Whether a line is the title of a private key as `openssl pkey -text` prints it, or bytes in hexadecimal digits with colons.
    private static func isDump(_ line: ArraySlice<UInt8>) -> Bool {
        // The title contains a space, and hosts contain none.
        if line.contains(0x20), line.indices.contains(where: { line[$0...].starts(with: title) }) { return true }
        let text = line.trimmed
        guard text.count >= 3 * minimumBytes - 1 else { return false }
        return text.enumerated().allSatisfy { index, byte in
            index % 3 == 2 ? byte == UInt8(ascii: ":") : Hex.value(of: byte) != nil
        }
    }

    /// Whether bytes are the header of a SEQUENCE of at least 32 bytes, and then the start of its first element: an INTEGER of one
    /// byte, a SEQUENCE or an object identifier, as in all structures of a key file.
    private static func isHeader(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        guard rest.popFirst() == 0x30, let length = rest.popFirst() else { return false }
        switch length {
        case 0x20...0x7F, 0x80: break
        case 0x81...0x83:
            let count = Int(length - 0x80)
            guard rest.count > count, rest.first != 0 else { return false }
            rest = rest.dropFirst(count)
        default: return false
        }
        switch rest.popFirst() {
        case 0x02: return rest.popFirst() == 0x01
        case 0x06, 0x30: return length != 0x80 && !rest.isEmpty
        default: return false
        }
    }

    /// Whether a line contains a long text in base64 or hexadecimal digits that is not a part of a host name or a URL.
    private static func containsPart(_ line: ArraySlice<UInt8>) -> Bool {
        guard line.count >= minimumPart else { return false }
        var index = line.startIndex
        while index < line.endIndex {
            let part = line[index...].prefix(while: isBase64)
            guard !part.isEmpty else {
                index += 1
                continue
            }
            index = part.endIndex
            if isKey(part), !isName(part, in: line) { return true }
        }
        return false
    }

    /// Random bytes in base64 have digits and letters of both cases. So do few names of hosts.
    private static func isKey(_ part: ArraySlice<UInt8>) -> Bool {
        guard part.count >= minimumPart else { return false }
        if part.count >= minimumHexPart, part.allSatisfy({ Hex.value(of: $0) != nil }) { return true }
        return part.contains { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
            && part.contains { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
            && part.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "+/".utf8.contains($0) }
    }

    /// Whether a part belongs to a host name, or to the path of a URL.
    private static func isName(_ part: ArraySlice<UInt8>, in line: ArraySlice<UInt8>) -> Bool {
        let before = line[..<part.startIndex]
        guard !before.contains(UInt8(ascii: "\"")) else { return false }
        let next = line[part.endIndex...].first
        return next == UInt8(ascii: ".") || next == UInt8(ascii: ":") || before.contains(UInt8(ascii: "."))
            || before.indices.contains { before[$0...].starts(with: "://".utf8) }
    }

    /// Whether a byte is a digit of base64 in one of the alphabets of RFC 4648.
    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
