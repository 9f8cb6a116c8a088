internal import Encodings

/// What a file is that is neither DER nor PEM.
struct KeyFileText {
    /// Why it cannot be read as it stands.
    let problem: KeyFileError.Problem
    /// What it is the base64 of, if that may be something with a key.
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

    /// Whether bytes are meant to be DER: a SEQUENCE, which everything with a key is.
    ///
    /// Its first byte is also the digit 0, but its length, or what follows, is never all text. A digest may begin with any
    /// byte, so bytes as long as one must be a SEQUENCE to the last.
    static func isDER(_ bytes: [UInt8]) -> Bool {
        guard bytes.first == 0x30, !bytes.prefix(24).allSatisfy({ (0x20..<0x7F).contains($0) || isWhite($0) }) else {
            return false
        }
        guard digestSizes.contains(bytes.count) else { return true }
        var reader = DERReader(bytes)
        return (try? reader.next(.sequence)) != nil && reader.isAtEnd
    }

    /// Bytes in a digest of SHA-1 or SHA-2.
    private static let digestSizes = [20, 32, 48, 64]

    /// Whether these are the bytes of a digest, as they are, in base64 or in hex, or a pin in any spelling.
    private static func isDigest(_ bytes: [UInt8]) -> Bool {
        guard bytes.allSatisfy({ (0x20..<0x7F).contains($0) || isWhite($0) }) else {
            return digestSizes.contains(bytes.count)
        }
        let words = bytes.split(maxSplits: 1, whereSeparator: isWhite)
        guard let word = words.first, word.count < 256 else { return false }
        // `sha256sum` writes the file's name after the digits.
        if let digest = try? Hex.decode(word.filter { $0 != UInt8(ascii: ":") }) {
            return digestSizes.contains(digest.count)
        }
        // One line of folded base64 may be as long as a digest: only a word that is alone is one.
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
