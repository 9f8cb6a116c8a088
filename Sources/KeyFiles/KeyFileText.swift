internal import Encodings
internal import Pinning

/// Examines a file that is neither DER nor PEM.
struct KeyFileText {
    /// The reason why the file cannot be read directly.
    let problem: KeyFileError.Problem
    /// The decoded bytes, if the file is base64 and not a digest.
    let decoded: [UInt8]?

    init(_ bytes: [UInt8]) {
        let text = bytes.drop { Self.isWhite($0) }
        let decoded = try? Base64.decodeSkippingWhiteSpace(text)
        if text.isEmpty {
            self.init(.whiteSpace)
        } else if let format = UnsupportedFileType(signatureOf: bytes)
            ?? UnsupportedFileType(signatureOf: Array(text.prefix(32)))
        {
            self.init(.unsupportedFileType(format))
        } else if Self.isUTF16(bytes) {
            self.init(.unsupportedFileType(.utf16))
        } else if Self.isDigest(bytes) {
            self.init(.unsupportedFileType(.digest))
        } else {
            self.init(.unrecognized, decoded: decoded)
        }
    }

    private init(_ problem: KeyFileError.Problem, decoded: [UInt8]? = nil) {
        self.problem = problem
        self.decoded = decoded
    }

    /// Whether bytes are probably DER that begins with a SEQUENCE, as all objects with a key do.
    ///
    /// The tag of a SEQUENCE is also the digit 0, so bytes that begin with text only are not DER. A digest can begin with any byte,
    /// so bytes that have the length of a digest must be exactly one SEQUENCE.
    static func isDER(_ bytes: [UInt8]) -> Bool {
        guard DERReader.isSequence(bytes) else { return false }
        guard digestSizes.contains(bytes.count) else { return true }
        var reader = DERReader(bytes)
        return (try? reader.next(.sequence)) != nil && reader.isAtEnd
    }

    /// Lengths in bytes of SHA-1 and SHA-2 digests.
    private static let digestSizes = [20, 32, 48, 64]

    /// Whether these bytes are a digest, raw, in base64 or in hex, or a pin in any form.
    private static func isDigest(_ bytes: [UInt8]) -> Bool {
        guard bytes.allSatisfy({ (0x20..<0x7F).contains($0) || isWhite($0) }) else {
            return digestSizes.contains(bytes.count)
        }
        let words = bytes.split(maxSplits: 1, whereSeparator: isWhite)
        guard let word = words.first, word.count < 256 else { return false }
        // `sha256sum` writes the file name after the digits.
        if let digest = try? Hex.decode(word.filter { $0 != UInt8(ascii: ":") }) {
            return digestSizes.contains(digest.count)
        }
        // A line of wrapped base64 may have the length of a digest. So a digest must be the only word.
        guard words.count == 1 else { return false }
        if (try? Pin(spelling: String(decoding: word, as: UTF8.self))) != nil { return true }
        guard let decoded = try? Base64.decode(word) else { return false }
        return digestSizes.contains(decoded.count) && !isDER(decoded)
    }

    private static func isUTF16(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 4 else { return false }
        let start = (bytes[0], bytes[1], bytes[2], bytes[3])
        return switch start {
        case (0x09..<0x7F, 0, 0x09..<0x7F, 0), (0, 0x09..<0x7F, 0, 0x09..<0x7F): true
        default: false
        }
    }

    private static func isWhite(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
