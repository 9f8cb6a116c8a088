internal import Encodings

/// The promises of the functions that prepare outside text for messages.
package enum MessageTextPromise {
    /// The promise that does not hold for `bytes`; nil if all hold.
    package static func violation(in bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        for (name, shown) in [("escaped", text.escaped), ("quotedExcerpt", text.quotedExcerpt)] {
            guard !shown.unicodeScalars.contains(where: \.isInvisible) else {
                return "\(name) has an invisible character"
            }
            guard !["##[", "##vso[", "##teamcity["].contains(where: { shown.contains($0) }) else {
                return "\(name) has the mark of a command"
            }
        }
        return secretProblem(text) ?? shellProblem(text)
    }

    /// A private key of P-256 in PKCS #8 (RFC 5958): the structure in DER up to the private key, and bytes that stand for the rest.
    private static let key: [UInt8] =
        [
            0x30, 0x81, 0x87, 0x02, 0x01, 0x00, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06,
            0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x04, 0x6d, 0x30, 0x6b, 0x02, 0x01, 0x01, 0x04, 0x20,
        ]
        + (0..<102).map { 200 &+ $0 &* 7 }

    private static let keys = [
        Base64.encode(key), Hex.encode(key), key.map { String($0) }.joined(separator: ", "),
        key.map { "0x" + Hex.encode([$0]) }.joined(separator: ","),
    ]

    private static func secretProblem(_ text: String) -> String? {
        let key = keys[text.utf8.count % keys.count]
        let hidden = (text + "\"" + key + "\" " + text).withoutPrivateKeys
        if hidden.contains(key.dropFirst(4).prefix(40)) || hidden.contains(key.suffix(40)) {
            return "withoutPrivateKeys keeps a key"
        }
        let whole = text + " https://user:S3cret.4711@h.test/ " + text
        let url = whole.withoutUserInfoInURLs
        if url.contains("S3cret.4711"), !text.contains("S3cret.4711") {
            return "withoutUserInfoInURLs keeps a password"
        }
        // What is left of a key can be recognized as a part of another one.
        if !whole.containsPrivateKey, url.withoutUserInfoInURLs != url {
            return "withoutUserInfoInURLs changes its result"
        }
        return nil
    }

    private static func shellProblem(_ text: String) -> String? {
        let words = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        // A word of a command line cannot contain NUL.
        guard !text.utf8.contains(0) else { return nil }
        let line = ShellCommand.line(words)
        guard !line.unicodeScalars.contains(where: \.isInvisible) else {
            return "a command line has an invisible character"
        }
        return Self.words(of: Array(line.utf8)) == words.map { Array($0.utf8) }
            ? nil : "a shell reads other words: \(line)"
    }

    /// The words that a shell reads (POSIX, XCU, section 2.2): quotes, backslashes, and octal escapes in `$'…'`.
    private static func words(of line: [UInt8]) -> [[UInt8]] {
        var words: [[UInt8]] = [[]]
        func append(_ byte: UInt8) { words[words.count - 1].append(byte) }
        var index = 0
        while index < line.count {
            let byte = line[index]
            index += 1
            switch byte {
            case UInt8(ascii: " "): words.append([])
            case UInt8(ascii: "\\"):
                append(line[index])
                index += 1
            case UInt8(ascii: "'"):
                while line[index] != UInt8(ascii: "'") {
                    append(line[index])
                    index += 1
                }
                index += 1
            case UInt8(ascii: "$"):
                // The opening quote follows.
                index += 1
                while line[index] != UInt8(ascii: "'") {
                    let digits = String(decoding: line[(index + 1)...].prefix(3), as: UTF8.self)
                    if line[index] != UInt8(ascii: "\\") {
                        append(line[index])
                        index += 1
                    } else if let value = UInt8(digits, radix: 8), digits.utf8.count == 3 {
                        append(value)
                        index += 4
                    } else {
                        append(line[index + 1])
                        index += 2
                    }
                }
                index += 1
            default: append(byte)
            }
        }
        return words
    }
}
