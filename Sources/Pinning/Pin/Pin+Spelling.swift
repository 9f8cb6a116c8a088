internal import Encodings

extension Pin {
    /// Reads a pin in any of the usual forms:
    ///
    /// - `C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=`, 44 characters of base64;
    /// - `sha256/…` (OkHttp), `sha256//…` (curl), `pin-sha256="…"` (RFC 7469, section 2.1), `pin-sha256:…`;
    /// - `SHA256:…`, in which the `=` at the end may be missing, because `ssh-keygen` writes digests without it;
    /// - 64 hexadecimal digits, with or without a colon between bytes.
    ///
    /// Each prefix is accepted before base64 and before hexadecimal digits, in upper and lower case.
    ///
    /// - Throws: ``PinSpellingError``.
    public init(spelling: String) throws(PinSpellingError) {
        do throws(PinSpellingError.Reason) {
            let bytes = try Self.digest(spelling: Array(spelling.utf8))
            guard bytes.count == 32 else { throw PinSpellingError.Reason.length(bytes.count) }
            guard bytes != Self.digestOfNothing else { throw PinSpellingError.Reason.digestOfNothing }
            self.bytes = bytes
        } catch {
            throw PinSpellingError(spelling: spelling, reason: error)
        }
    }

    /// The SHA-256 of empty input (FIPS 180-4), in base64 `47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=`. A shell pipeline prints
    /// it if the command that should print the key fails.
    private static let digestOfNothing: [UInt8] = [
        0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9, 0x24,
        0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55,
    ]

    private static func digest(spelling: [UInt8]) throws(PinSpellingError.Reason) -> [UInt8] {
        guard !spelling.isEmpty else { throw .empty }
        let (text, prefix) = try withoutPrefix(spelling)
        guard !text.isEmpty else { throw .length(0) }
        if isHex(text) { return try digest(hex: text) }
        return try digest(base64: text, allowsMissingPadding: prefix == "sha256:")
    }

    /// If one prefix begins with another, the longer one is first.
    private static let prefixes = ["sha256//", "sha256/", "sha256:", "pin-sha256=", "pin-sha256:"]

    private static let otherAlgorithms = ["sha1", "md5", "sha224", "sha384", "sha512"]

    private static func withoutPrefix(
        _ spelling: [UInt8]
    ) throws(PinSpellingError.Reason) -> (text: ArraySlice<UInt8>, prefix: String?) {
        // All prefixes begin with one of these letters: they are `pin-` and the names of algorithms.
        guard let first = spelling.first, "spmSPM".utf8.contains(first) else { return (spelling[...], nil) }
        if var prefix = prefixes.first(where: { starts(spelling[...], with: $0) }) {
            // One pin in 64 begins with a slash. So `sha256/` followed by such a pin looks like curl's `sha256//`.
            if prefix == "sha256//", spelling.count == prefix.utf8.count + 43 { prefix = "sha256/" }
            let text = spelling.dropFirst(prefix.utf8.count)
            return (prefix == "pin-sha256=" ? try unquoted(text) : text, prefix)
        }
        // One pin in four million begins with "MD5/". So a text with the length of a pin is read as a pin.
        if (try? Base64.decode(spelling[...]))?.count == 32 { return (spelling[...], nil) }
        let name = starts(spelling[...], with: "pin-") ? spelling.dropFirst("pin-".utf8.count) : spelling[...]
        for algorithm in otherAlgorithms where starts(name, with: algorithm) {
            guard let separator = name.dropFirst(algorithm.utf8.count).first, "/:=".utf8.contains(separator) else {
                break
            }
            throw .algorithm(algorithm)
        }
        return (spelling[...], nil)
    }

    private static func starts(_ text: ArraySlice<UInt8>, with prefix: String) -> Bool {
        guard text.count >= prefix.utf8.count else { return false }
        return zip(text, prefix.utf8).allSatisfy { byte, wanted in
            byte == wanted || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) && byte | 0x20 == wanted
        }
    }

    private static func unquoted(_ text: ArraySlice<UInt8>) throws(PinSpellingError.Reason) -> ArraySlice<UInt8> {
        let quote = UInt8(ascii: "\"")
        guard text.first == quote else { return text }
        guard text.count > 1, text.last == quote else { throw .unclosedQuote }
        return text.dropFirst().dropLast()
    }

    /// Whether `text` is probably hexadecimal. If so, a wrong digit is reported as such, and not as base64 with a wrong length.
    ///
    /// In 40 and more characters of base64, it is practically impossible that seven of eight are hexadecimal digits.
    private static func isHex(_ text: ArraySlice<UInt8>) -> Bool {
        let colon = UInt8(ascii: ":")
        guard text.count >= 40, text.last != UInt8(ascii: "=") else { return false }
        let digits = text.count { $0 == colon || Hex.value(of: $0) != nil }
        return digits >= text.count - text.count / 8
    }

    private static func digest(hex text: ArraySlice<UInt8>) throws(PinSpellingError.Reason) -> [UInt8] {
        let colon = UInt8(ascii: ":")
        let hasColons = text.dropFirst(2).first == colon
        var digits: [UInt8] = []
        for (index, byte) in text.enumerated() {
            let isColonPlace = hasColons && index % 3 == 2
            if isColonPlace {
                guard byte == colon else { throw .missingColon(offset: text.startIndex + index) }
            } else {
                guard Hex.value(of: byte) != nil else { throw .hexDigit(offset: text.startIndex + index) }
                digits.append(byte)
            }
        }
        do {
            return try Hex.decode(digits)
        } catch {
            throw .oddHexDigits(digits.count)
        }
    }

    private static func digest(
        base64 text: ArraySlice<UInt8>, allowsMissingPadding: Bool
    ) throws(PinSpellingError.Reason) -> [UInt8] {
        let start = text.startIndex
        do {
            return try Base64.decode(text)
        } catch {
            switch error {
            case .missingPadding where allowsMissingPadding && text.last != UInt8(ascii: "="):
                return try digest(base64: text + [UInt8(ascii: "=")], allowsMissingPadding: false)
            case .missingPadding where text.count == 43 && text.last != UInt8(ascii: "="):
                throw .missingPadding
            case .missingPadding, .truncated:
                throw .length(text.count { $0 != UInt8(ascii: "=") } * 6 / 8)
            case .character(let byte, _) where byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_"):
                throw .urlAlphabet(offset: start + error.offset)
            case .character:
                throw .character(offset: start + error.offset)
            case .misplacedPadding:
                throw .misplacedPadding(offset: start + error.offset)
            case .trailingBits:
                throw .trailingBits(offset: start + error.offset)
            }
        }
    }
}
