import Foundation
import TestSupport
import Testing

@testable import Encodings

/// Keys whose characters are escaped or divided by others, so that only a decoded text has a key.
struct EscapedKeyTests {
    @Test(arguments: ["\\u%04x", "\\\\u%04X", "\\u{%x}", "\\x%02x", "&#%d;", "&#x%x;", "%%%02X", "\\%03d"])
    func escapedDigits(format: String) throws {
        for spelling in try DividedKeyTests.spellings(["genpkey", "-algorithm", "ed25519"]).prefix(2) {
            let pieces = DividedKeyTests.pieces(spelling, 40)
            let escaped = pieces.map { piece in piece.utf8.map { String(format: format, UInt32($0)) }.joined() }
            #expect(
                DividedKeyTests.error("a\nb\n" + escaped.joined(separator: "\n\"}, {\""))
                    == ScatteredPrivateKey(.divided, line: 3)
            )
            let decoded = try #require(UnescapedText.texts(of: Array("<\(escaped[0])>".utf8)).first)
            #expect(String(decoding: decoded, as: UTF8.self) == "<\(pieces[0])>")
            // A whole key, of which each second digit is escaped.
            let mixed = spelling.utf8.enumerated().map {
                $0.offset % 2 == 0 ? String(format: format, UInt32($0.element)) : String(UnicodeScalar($0.element))
            }
            #expect(DividedKeyTests.error("a\n# \(mixed.joined())\n") == ScatteredPrivateKey(.escaped, line: 2))
            // The error names its line, and not that of a key before it.
            #expect(
                DividedKeyTests.error("# \(spelling)\n# \(mixed.joined())\n") == ScatteredPrivateKey(.escaped, line: 2))
            #expect(PrivateKeyLines.isKey(Array("host # \(mixed.joined())".utf8)[...]))
        }
    }

    /// A backslash in a string of JSON is escaped by another one.
    @Test(arguments: ["\\%03o", "\\\\%03o"]) func octalDigits(format: String) throws {
        for spelling in try DividedKeyTests.spellings(["genpkey", "-algorithm", "ed25519"]).prefix(2) {
            let escaped = spelling.utf8.map { String(format: format, UInt32($0)) }.joined()
            #expect(
                DividedKeyTests.error("a\n{\"b\": \"\(escaped)\"}\n") == ScatteredPrivateKey(.escaped, line: 2))
        }
    }

    @Test(arguments: [
        "", "a", "\\", "&", "%", "&#", "&#x", "&#65", "\\u00", "\\u{41", "%4", "\\n", "\\999", "\t\r\n", "a\t b",
        "a \tb",
    ])
    func textsWithoutEscapes(text: String) {
        #expect(UnescapedText.texts(of: Array(text.utf8)) == [])
    }

    /// The secret number of a key as JWK or XML, with its quotes or brackets as another format has them.
    @Test(arguments: [
        "{&quot;kty&quot;:&quot;OKP&quot;,&quot;d&quot;:&quot;*&quot;}",
        #"{\u0022kty\u0022:\u0022OKP\u0022,\u0022d\u0022:\u0022*\u0022}"#, "%7B%22kty%22:%22OKP%22,%22d%22:%22*%22%7D",
        "%7B%22kty%22%3A%20%22OKP%22%2C%20%22d%22%3A%20%22*%22%7D",
        "%7B%22kty%22%3A+%22OKP%22%2C+%22d%22%3A+%22*%22%7D",
        "&lt;RSAKeyValue>&lt;D>*&lt;/D>&lt;/RSAKeyValue>", "%3CRSAKeyValue%3E%3CD%3E*%3C/D%3E%3C/RSAKeyValue%3E",
    ])
    func escapedSecretMembers(form: String) throws {
        let key = try #require(try DividedKeyTests.spellings(["genpkey", "-algorithm", "ed25519"]).first)
        let secret = String(key.suffix(43))
        let text = "a\n<!-- \(form.replacing("*", with: secret)) -->\n"
        #expect(DividedKeyTests.error(text) == ScatteredPrivateKey(.escaped, line: 2), "\(text)")
    }

    /// No message shows more than four characters of a key, also if it is encoded once more as in the URL of a redirect.
    @Test(arguments: [
        "&quot;kty&quot;:&quot;OKP&quot;,&quot;d&quot;:&quot;*&quot;",
        #"\u0022kty\u0022:\u0022OKP\u0022,\u0022d\u0022:\u0022*\u0022"#,
        "%7B%22kty%22:%22OKP%22,%22d%22:%22*%22%7D", "%257B%2522kty%2522:%2522OKP%2522,%2522d%2522:%2522*%2522%257D",
        "%5C%22kty%5C%22:%5C%22OKP%5C%22,%5C%22d%5C%22:%5C%22*%5C%22",
        "%3CRSAKeyValue%3E%3CD%3E*%3C/D%3E%3C/RSAKeyValue%3E",
        "-----BEGIN%20PRIVATE%20KEY-----%5CnMC4CAQAwBQYDK2VwBCIEI%5Cn*%5Cn-----END%20PRIVATE%20KEY-----",
    ])
    func escapedKeysInMessages(form: String) throws {
        let key = try #require(try DividedKeyTests.spellings(["genpkey", "-algorithm", "ed25519"]).first)
        let secret = String(key.suffix(43))
        let text = "/é?k=\(form.replacing("*", with: secret))&end"
        for shown in [text.escaped, text.quotedExcerpt, text.withoutPrivateKeys, text.bounded, text.inJSON] {
            #expect(!DividedKeyTests.pieces(secret, 5).contains { shown.contains($0) }, "\(shown)")
            #expect(shown.contains("/é?k=") && shown.contains("…"), "\(shown)")
        }
        #expect(text.escaped.hasSuffix("&end"), "\(text.escaped)")
    }

    /// The digits are divided by white space that is a control character, also as an escape of JSON; those of a JWK also by a blank.
    @Test(arguments: ["\t", "\u{B}", "\u{C}", "\\t", "\\f", "\\\\v", "\u{1}", " "], [0, 14])
    func dividedSecrets(separator: String, offset: Int) throws {
        let age = "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7LQPZRY9X8GF2TVDW0S3JN54KHCE"
        let jwk = String(
            try #require(try DividedKeyTests.spellings(["genpkey", "-algorithm", "ed25519"]).first).suffix(43))
        for (secret, form) in [(age, "AGE-SECRET-KEY-1*"), (jwk, #"{"kty":"OKP","d":"*","x":"AAAA"}"#)] {
            // An age key ends at a blank.
            if secret == age, separator == " " || offset == 0 { continue }
            let divided = "\(secret.prefix(offset))\(separator)\(secret.dropFirst(offset))"
            let text = "see \(form.replacing("*", with: divided)) end"
            for shown in [text.escaped, text.quotedExcerpt, text.withoutPrivateKeys, text.bounded, text.inJSON] {
                #expect(!DividedKeyTests.pieces(secret, 5).contains { shown.contains($0) }, "\(text): \(shown)")
            }
        }
    }

    /// The URL of a redirect encodes the backslash of `\n`, so only a part of the key is recognized without it.
    @Test(arguments: ["\\n", "%5Cn", "%5C%6E", "%0A", "%250A", "\\r\\n", "%5Cr%5Cn"], [16, 64])
    func keysWithEscapedLineEnds(separator: String, width: Int) throws {
        let key = try Vectors.bytes("private-rsa2048-traditional.der")
        let base64 = Data(key).base64EncodedString()
        let lines =
            ["-----BEGIN RSA PRIVATE KEY-----"] + DividedKeyTests.pieces(base64, width) + [
                "-----END RSA PRIVATE KEY-----"
            ]
        let text = "/?k=\(lines.joined(separator: separator))&end"
        for shown in [text, text.replacing(" ", with: "%20")].flatMap({
            [$0.escaped, $0.withoutPrivateKeys, $0.inJSON]
        }) {
            #expect(!DividedKeyTests.pieces(base64, 5).contains { shown.contains($0) }, "\(shown)")
            #expect(shown.contains("/?k=-----BEGIN"), "\(shown)")
        }
    }

    @Test(arguments: ["/a%20b?c=%7B%22kty%22:%22d%22%7D", "50% of \\d and &amp;", "C:\\data\\é"])
    func escapedTextsWithoutKeys(text: String) {
        let long = String(repeating: text, count: 4)
        #expect(long.escaped == long)
    }

    /// The members of a JWK can have any order, so the type that tells that it is one can be after the cut.
    @Test func aJWKWhoseTypeIsAfterTheCut() {
        let secret = "zQ7xK2mV9pLw4tRb8nYc3hJs6gFd1aEu5oIzQ8kXy0W"
        let text = #"{"d":"\#(secret)","n":"\#(String(repeating: "A", count: 5000))","kty":"RSA"}"#
        for shown in [text.bounded, text.boundedWithoutPrivateKeys, text.quotedExcerpt] {
            #expect(!shown.contains("zQ7xK") && shown.contains("zQ7x…"), "\(shown)")
        }
    }

    @Test(arguments: [
        ("a%0Ab", "a\rb"), ("a&#10;b", "a\rb"), ("a&#xD;b", "a\rb"), ("a\\u000ab", "a\rb"), ("a%20%09b", "a  b"),
        ("a\\u200bb&#8203;c%E2%80%8Bd", "abcd"), ("a\u{200B}b\0c\u{7F}d", "abcd"), ("\\300", ""), ("é\\x", "\\x"),
    ])
    func lineEndsAndInvisibleCharacters(text: String, expected: String) throws {
        let decoded = try #require(UnescapedText.texts(of: Array(text.utf8)).first)
        #expect(String(decoding: decoded, as: UTF8.self) == expected)
    }

    /// Writers leave out characters that hide a text.
    @Test(arguments: ["\u{200B}", "\u{7}", "\u{FEFF}", "\u{202E}", "\\u200b", "&#8203;", "\\x07", "\0"])
    func invisibleCharactersBetweenDigits(separator: String) throws {
        for spelling in try DividedKeyTests.spellings(["genpkey", "-algorithm", "ed25519"]) {
            let text = DividedKeyTests.pieces(spelling, 10).joined(separator: separator)
            #expect(DividedKeyTests.error("a\n# \(text)\n") == ScatteredPrivateKey(.escaped, line: 2))
            #expect("x=\(text)".privateKeyKindOfArgument != nil)
        }
    }

    /// What openssl and puttygen print, in one line.
    @Test(arguments: ["&#10;", "&#xA;", "%0A", "\\u000a"]) func textFormsInOneLine(lineEnd: String) throws {
        let key = try ChildProcess.output(of: ["openssl", "genpkey", "-algorithm", "ed25519"])
        let text = try ChildProcess.output(of: ["openssl", "pkey", "-text", "-noout"], input: key)
        let structure = try ChildProcess.output(of: ["openssl", "asn1parse"], input: key)
        let putty = """
            PuTTY-User-Key-File-3: ssh-ed25519
            Encryption: none
            Comment: x
            Private-Lines: 1
            AAAAIFv3fS5k8xJcH0d4Jm2o7TtW1yqvKc0pXnq9Vb3rLr2Q
            """
        for form in [text, structure, Array(putty.utf8)] {
            let lines = String(decoding: form, as: UTF8.self).replacing("\n", with: lineEnd)
            if form == structure, lineEnd == "\\u000a" {
                // A backslash can follow the numbers in these lines, so the key is recognized without decoding.
                let secret = Hex.encode(
                    try Array(
                        ChildProcess.output(
                            of: ["openssl", "pkey", "-outform", "DER"], input: key
                        ).suffix(32))
                ).uppercased()
                #expect(lines.contains(secret) && !lines.withoutPrivateKeys.contains(secret.suffix(8)), "\(lines)")
            } else {
                #expect(DividedKeyTests.error("a\n\(lines)\n") == ScatteredPrivateKey(.escaped, line: 2), "\(lines)")
            }
        }
    }

    /// The same keys in plain text are no error, because all of their characters can be told from other text.
    @Test func aKeyBesideOtherEscapes() throws {
        let key = try #require(try DividedKeyTests.spellings(["genpkey", "-algorithm", "ed25519"]).first)
        #expect(DividedKeyTests.error("é &#10; %20\n\(key)\n# \\u0041\n") == nil)
    }
}
