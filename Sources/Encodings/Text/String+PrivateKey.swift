extension String {
    /// The text with `…` in place of all but the first four characters of each private key in base64 or hexadecimal digits.
    ///
    /// A message that quotes a wrong value must not show a key. These texts are regarded as keys, or as parts of keys:
    /// - the header of a structure with a version number in DER (RFC 5208, section 5; RFC 5915, section 3; RFC 8017,
    ///   appendix A.1.2), the magic bytes of an OpenSSH key, or base64 of PEM;
    /// - the secret members of a JWK (RFC 7518, sections 6.2.2, 6.3.2 and 6.4);
    /// - digits that are longer than any pin.
    ///
    /// A key can have several lines, and their ends can be escaped. Hexadecimal digits can have colons, commas or spaces.
    package var withoutPrivateKeys: String {
        let bytes = Array(utf8)
        var output: [UInt8] = []
        var index = 0
        var canStart = true
        while index < bytes.count {
            let rest = bytes[index...]
            if canStart, let digits = Self.privateKey(at: rest) ?? Self.longDigits(at: rest, of: bytes) {
                output += digits.prefix(4) + Array("…".utf8)
                // A key of base64 can follow hexadecimal digits.
                index = digits.endIndex
            } else if let value = Self.secretMember(at: rest) {
                output += bytes[index..<value.startIndex] + value.prefix(4) + Array("…".utf8)
                index = value.endIndex
                canStart = true
            } else if let end = Self.endOfLineEnd(at: rest) {
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

    /// Whether the text contains a private key as a whole: in PEM, in the format of PuTTY, as `openssl pkey -text` prints it, as JWK, or
    /// as DER in base64 or hexadecimal digits. A key can be encrypted.
    ///
    /// A text in base64 is no key if it is not longer than a pin.
    package var containsPrivateKey: Bool {
        let bytes = Array(utf8)
        let marks = ["private key-----", "private key ----", "private-key:", "putty-user-key-file-"]
        if marks.contains(where: { bytes[...].firstRange(ignoringCase: $0) != nil }) { return true }
        let isJWK = bytes[...].firstRange(ignoringCase: "kty") != nil
        var index = 0
        var canStart = true
        while index < bytes.count {
            let rest = bytes[index...]
            if isJWK, Self.secretMember(at: rest) != nil { return true }
            // Within other digits, the same characters are not the start of a structure.
            if canStart, let key = Self.privateKey(at: rest) {
                if Self.isWhole(key) { return true }
                index = key.endIndex
                canStart = true
            } else if let end = Self.endOfLineEnd(at: rest) {
                index = end
                canStart = true
            } else {
                // The value of a short option can follow its letter.
                canStart = !Self.isLetterOrDigit(bytes[index]) || index == 1 && bytes[0] == UInt8(ascii: "-")
                index += 1
            }
        }
        return false
    }

    /// Whether the digits of ``privateKey(at:)`` are those of a key, and not of a pin, a certificate or a public key in PEM.
    private static func isWhole(_ key: ArraySlice<UInt8>) -> Bool {
        switch key.first {
        case UInt8(ascii: "L"):
            let start = (try? Base64.decode(key.lazy.filter(isBase64).prefix(64))) ?? []
            return start[...].firstRange(ignoringCase: "private key") != nil
        case UInt8(ascii: "3"): return key.count { Hex.value(of: $0) != nil } >= shortestHexKey
        default: return key.count(where: isDigit) > longestPin
        }
    }

    /// The start of a key in hexadecimal digits can be one word of many.
    private static let shortestHexKey = 32

    /// The text, ``withoutPrivateKeys`` if it contains a whole key. Otherwise long names of files stay as they are.
    package var withoutWholePrivateKeys: String { containsPrivateKey ? withoutPrivateKeys : self }

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
            let isKey =
                (try? Base64.decode(text.prefix(12))).map(isHeader) ?? false
                || (try? Base64.decode(text.prefix(24))).map(isEncryptedHeader) ?? false
            return isKey ? lines(text, of: isBase64) : nil
        case UInt8(ascii: "3"):
            // The header first, because the pairs can be a text of any length.
            let digits = text.prefix(60).filter { Hex.value(of: $0) != nil }.prefix(40)
            guard let header = try? Hex.decode(digits.dropLast(digits.count % 2)),
                isHeader(header) || isEncryptedHeader(header)
            else { return nil }
            let pairs = hexPairs(text)
            guard !pairs.isEmpty || text.prefix(16).allSatisfy({ Hex.value(of: $0) != nil }) else { return nil }
            return pairs.isEmpty ? lines(text) { Hex.value(of: $0) != nil } : pairs
        default: return nil
        }
    }

    /// Two hexadecimal digits for each byte at the start of a text, with one separator or line end between bytes; empty if there are
    /// fewer than two bytes.
    private static func hexPairs(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var end = text.startIndex
        var next = end
        var count = 0
        while text[next...].prefix(2).count(where: { Hex.value(of: $0) != nil }) == 2 {
            end = next + 2
            next = end
            count += 1
            guard let separator = text[end...].first else { break }
            next = ": ,".utf8.contains(separator) ? end + 1 : end
            next = endOfLineEnd(at: text[next...]) ?? next
            // Digits without separators are not pairs.
            if next == end { break }
        }
        // The text can be the start of a longer one, which ends within a byte or after a separator.
        if next == text.endIndex { end = next } else if Hex.value(of: text[next]) != nil { end = next + 1 }
        return count > 1 ? text[..<end] : text[..<text.startIndex]
    }

    /// The digits at the start of a text, if there are more than in any pin: a part of a key, which has no header. nil for a pin, also
    /// for a mistyped one, and for names of files and hosts.
    private static func longDigits(at text: ArraySlice<UInt8>, of whole: [UInt8]) -> ArraySlice<UInt8>? {
        let before = whole[..<text.startIndex]
        let isAfterPrefix = isDigestPrefix(before)
        // Dashes before a key can be its first characters, or the end of a line of PEM.
        let boundary = before.suffix(16).last { $0 != UInt8(ascii: "-") }
        let isAfterLineEnd = before.suffix(2).first == UInt8(ascii: "\\") && endOfLineEnd(at: before.suffix(2)) != nil
        if let boundary, isDigit(boundary), !isAfterPrefix, !isAfterLineEnd { return nil }
        guard let first = text.first, isDigit(first), first != UInt8(ascii: "-") else { return nil }
        let pairs = hexPairs(text)
        // 32 bytes and 31 separators.
        if pairs.count > 95 { return pairs }
        let line = text.prefix(while: isDigit)
        // A line of PEM with a label does not continue.
        let isLabel = [before.suffix(2), line.suffix(2)].contains { $0.elementsEqual("--".utf8) }
        let run = isLabel ? line : lines(text, of: isDigit)
        let digits = run.filter(isDigit)
        guard digits.count > longestPin, isAfterPrefix || !isName(run, after: before, in: text) else { return nil }
        if !isAfterPrefix, let slash = run.prefix(8).firstIndex(of: UInt8(ascii: "/")), isDigestPrefix(run[...slash]) {
            return nil
        }
        if digits.allSatisfy({ Hex.value(of: $0) != nil }) { return digits.count > 64 ? run : nil }
        // Random bytes in base64 have digits and letters of both cases.
        let isRandom =
            digits.contains { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
            && digits.contains { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
            && digits.contains { $0.isDigit }
        return isRandom ? run : nil
    }

    /// Whether a byte is a digit of base64 or base64url, without the padding.
    private static func isDigit(_ byte: UInt8) -> Bool { isBase64(byte) && byte != UInt8(ascii: "=") }

    /// The characters of a pin in base64, and room for a few mistyped ones.
    private static let longestPin = 48

    /// Whether a text ends with the prefix of a pin that ends with a slash (`sha256/`, `sha256//`).
    private static func isDigestPrefix(_ text: ArraySlice<UInt8>) -> Bool {
        ["sha1/", "sha256/", "sha256//", "sha384/", "sha512/"].contains { prefix in
            text.suffix(prefix.utf8.count).map { $0 | 0x20 }.elementsEqual(prefix.utf8.map { $0 | 0x20 })
        }
    }

    /// Whether digits are a part of a host name, of a URL, or of a path with an extension.
    private static func isName(
        _ run: ArraySlice<UInt8>, after before: ArraySlice<UInt8>, in text: ArraySlice<UInt8>
    ) -> Bool {
        before.last == UInt8(ascii: ".") || text[run.endIndex...].first == UInt8(ascii: ".")
            || before.last == UInt8(ascii: ":") && run.starts(with: "//".utf8)
    }

    /// The value of a secret member of a JWK at the start of a text, which begins with the quote before the name; nil without such a member.
    private static func secretMember(at text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard text.first == UInt8(ascii: "\"") else { return nil }
        let name = text.dropFirst().prefix(while: isLetterOrDigit)
        guard ["d", "p", "q", "dp", "dq", "qi", "k"].contains(where: { name.elementsEqual($0.utf8) }) else {
            return nil
        }
        // The quotes can be escaped, because the JWK can be in a string.
        let between = text[name.endIndex...].prefix { #" "\:"#.utf8.contains($0) || $0 == 0x09 }
        guard between.contains(UInt8(ascii: ":")), between.last == UInt8(ascii: "\"") else { return nil }
        let value = text[between.endIndex...].prefix(while: isBase64)
        return value.count >= shortestSecret ? value : nil
    }

    /// The number of digits of 15 bytes: a shorter value is no key.
    private static let shortestSecret = 20

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

    /// Whether bytes are the start of an EncryptedPrivateKeyInfo (RFC 5958, section 3): in two SEQUENCEs, the object identifier of an
    /// encryption of PKCS #5 or PKCS #12.
    private static func isEncryptedHeader(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        for _ in 0..<2 {
            guard rest.popFirst() == 0x30, let length = rest.popFirst() else { return false }
            if length > 0x80 { rest = rest.dropFirst(Int(length - 0x80)) }
        }
        guard rest.popFirst() == 0x06, rest.popFirst() != nil,
            rest.starts(with: [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01])
        else { return false }
        return rest.dropFirst(7).first.map { [0x05, 0x0c].contains($0) } ?? false
    }
}
