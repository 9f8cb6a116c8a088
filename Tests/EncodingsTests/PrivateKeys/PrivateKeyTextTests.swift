import Encodings
import TestSupport
import Testing

/// Keys and certificates of openssl, given by mistake in place of pins.
struct PrivateKeyTextTests {
    @Test(arguments: [
        ["genpkey", "-algorithm", "ed25519"], ["genpkey", "-algorithm", "RSA"],
        ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"],
        ["ecparam", "-name", "secp384r1", "-genkey", "-noout"],
    ])
    func aKeyIsNotQuoted(arguments: [String]) throws {
        let pem = try ChildProcess.output(of: ["openssl"] + arguments)
        let text = String(decoding: pem, as: UTF8.self)
        let base64 = text.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
        let der = try Base64.decode(base64)
        let hex = Hex.encode(der)
        for (key, start) in [(base64, "M"), (hex, "30"), (Base64.encode(pem), "LS0t")] {
            let shown = String(key.prefix(4))
            #expect(shown.hasPrefix(start))
            #expect(key.quotedExcerpt == "\"\(shown)…\"")
            #expect("{\"pin\":\"sha256/\(key)\"}".quotedExcerpt.hasPrefix(#""{\"pin\":\"sha256/\#(shown)…"#))
            let lines = stride(from: 0, to: key.count, by: 16).map { key.dropFirst($0).prefix(16) }
            for end in ["\n", "\r\n", "\\n"] {
                let text = "-----BEGIN PRIVATE KEY-----" + end + lines.joined(separator: end) + end + "|"
                #expect(text.withoutPrivateKeys == "-----BEGIN PRIVATE KEY-----\(end)\(shown)…\(end)|")
                let excerpt = "-----BEGIN\(end)\(lines.joined(separator: end))".quotedExcerpt
                #expect(excerpt.hasSuffix("\(shown)…\""), "\(excerpt)")
            }
            #expect("a \(key.prefix(60)) b".quotedExcerpt == "\"a \(shown)… b\"")
        }
    }

    /// Texts that a search for the header of a key does not find.
    @Test(arguments: [
        ["genpkey", "-algorithm", "ed25519"], ["genpkey", "-algorithm", "RSA"],
        ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"],
        ["ecparam", "-name", "prime256v1", "-genkey", "-noout"],
    ])
    func aPartOfAKeyIsNotQuoted(arguments: [String]) throws {
        let pem = try ChildProcess.output(of: ["openssl"] + arguments)
        let lines = String(decoding: pem, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("-") }
        let base64 = lines.joined()
        let der = try Base64.decode(base64)
        let hex = Hex.encode(der)
        let part = base64.dropFirst(4)
        for separator in [":", " ", ","] {
            let pairs = der.map { Hex.encode([$0]) }.joined(separator: separator)
            #expect(pairs.quotedExcerpt == "\"\(pairs.prefix(4))…\"")
            let noStart = pairs.dropFirst(12)
            #expect("sha256:\(noStart)".quotedExcerpt == "\"sha256:\(noStart.prefix(4))…\"")
        }
        for prefix in ["", "sha256/", "sha512/", "pin-sha256:", "pin-sha256=\"", "--pinnedpubkey=sha256/", "key: "] {
            #expect((prefix + part).withoutPrivateKeys.hasPrefix("\(prefix)\(part.prefix(4))…"), "\(prefix)")
            if hex.count > 76 {
                let digits = hex.dropFirst(12)
                #expect((prefix + digits).withoutPrivateKeys == "\(prefix)\(digits.prefix(4))…", "\(prefix)")
            }
        }
        #expect("-\(part)".withoutPrivateKeys.hasPrefix("-\(part.prefix(4))…"))
        #expect("sha256//\(part)".withoutPrivateKeys.hasPrefix("sha256//\(part.prefix(3))…"))
        #expect("{}\\n\(part)".withoutPrivateKeys.hasPrefix("{}\\n\(part.prefix(4))…"))
        let short = stride(from: 4, to: base64.count, by: 10).map { base64.dropFirst($0).prefix(10) }
        #expect(short.joined(separator: "\n").withoutPrivateKeys.hasPrefix("\(part.prefix(4))…"))
        // A name follows.
        #expect(
            "\(part.prefix(64))\na.example.com".withoutPrivateKeys == "\(part.prefix(4))…\na.example.com")
    }

    /// The first bytes of the second key could be the rest of the first one.
    @Test func aKeyAfterOneThatIsCutIsHidden() throws {
        let key = try Vectors.bytes("private-p256-pkcs8.der")
        let numbers = key.map { String($0) }.joined(separator: ", ")
        let hex = key.map { "0x" + Hex.encode([$0]) }.joined(separator: ",")
        for second in [numbers, hex, Hex.encode(key), Base64.encode(key)] {
            let shown = "\(Base64.encode(key).prefix(60))\n\(second)\n".withoutPrivateKeys
            #expect(!shown.contains(second.dropFirst(10).prefix(30)), "\(shown)")
            #expect(!shown.contains(second.suffix(30)), "\(shown)")
        }
        // A dash is a digit of base64url, so words could belong to a key that is damaged.
        let damaged = "MIG2AgEBSuBBAAiBIGeMIGbAgEBBDBZ5YKKRkyAKEcUAMD7iyWSo-----END PRIVATE KEY-----\n"
        #expect(!(damaged + Hex.encode(key)).withoutPrivateKeys.contains(Hex.encode(key).suffix(30)))
    }

    /// The pins of curl: the two slashes before a key are digits of base64, too.
    @Test func aKeyWithEscapesIsNotQuoted() throws {
        let key = Base64.encode(try Vectors.bytes("private-p256-pkcs8.der"))
        for (plus, slash) in [("%2B", "%2F"), ("\\u002b", "\\/"), ("%2b", "\\u002F")] {
            let escaped = key.replacing("+", with: plus).replacing("/", with: slash)
            #expect("sha256//\(escaped);".withoutPrivateKeys.hasSuffix("…;"))
            #expect(!"sha256//\(escaped);".withoutPrivateKeys.contains(escaped.suffix(20)))
        }
    }

    /// A byte, or an escape, can be at the end of a group.
    @Test(
        arguments: ["private-p256-traditional.der", "private-rsa2048-traditional.der"], [" ", "\t", ", ", "\n", " \\n"])
    func aKeyInGroupsIsNotQuoted(name: String, separator: String) throws {
        let key = try Vectors.bytes(name)
        func groups(_ text: String, _ size: Int) -> [String] {
            stride(from: 0, to: text.count, by: size).map { String(text.dropFirst($0).prefix(size)) }
        }
        for size in [2, 3, 4, 5, 7, 12, 13, 15, 17, 21, 31, 34, 64] {
            let hex = groups(Hex.encode(key), size).joined(separator: separator)
            #expect(hex.containsPrivateKey, "\(size)")
            #expect(hex.withoutPrivateKeys == "\(hex.prefix(4))…", "\(size)")
            for (plus, slash) in [("%2B", "%2F"), ("\\u002b", "\\/"), ("+", "\\\\/")] {
                let base64 = groups(Base64.encode(key), size).map {
                    $0.replacing("+", with: plus).replacing("/", with: slash)
                }.joined(separator: separator)
                #expect(base64.containsPrivateKey, "\(size) \(slash)")
                // A last group of one character is left, as a word is.
                let shown = base64.withoutPrivateKeys
                let start = shown.prefix { $0 != "…" }
                // Tabs are left out before the digits are counted.
                #expect(
                    base64.hasPrefix(start) && start.count { $0 != "\t" } <= 4 && start != shown && shown.count < 14,
                    "\(size) \(slash): \(shown)")
            }
        }
    }

    /// A text of any length is searched only at its start.
    @Test(.notWithSanitizer) func shorteningTakesLinearTime() {
        let (small, large) = (String(repeating: #"g\n"#, count: 1000), String(repeating: #"g\n"#, count: 16_000))
        let growth = Work.growth {
            _ = small.boundedWithoutPrivateKeys
        } large: {
            _ = large.boundedWithoutPrivateKeys
        }
        #expect(growth < 20)
        #expect(large.boundedWithoutPrivateKeys == String(repeating: #"g\n"#, count: 20) + "…")
        // A line end is not a digit, also as an escape.
        #expect(String(repeating: #"a\n"#, count: 64).withoutPrivateKeys == String(repeating: #"a\n"#, count: 64))
        #expect(String(repeating: #"a\n"#, count: 65).withoutPrivateKeys == #"a\na…\n"#)
    }

    private static func digits(after start: String) -> String {
        String(repeating: start + "aZ4kWq8yTn0vXc2Rf7sHj5d", count: 4)
    }

    @Test(
        .notWithSanitizer,
        arguments: [
            "33:", "30 30 ", "LS0tLS1CRUdJTi", "MHcC", "MC4CAQAw\n", "M \n\n", "48, 46, 2, 1, 0, 48, ", "0x30, 0x2e",
            "\\x30\\x2e",
            "0000: 302e ", "060 056 ", "2e30 0102 ", "-----BEGIN PRIVATE KEY-----\n", "priv: 00:",
            "d=0 cons: SEQUENCE ",
            "\"d\":\"", "<D>kty", "sha256/Aa1\n", "a\n", ".", "{\"kty\":\"d\"", "0", "b3BlbnNzaC1rZXktdjEA",
            "AGE-SECRET-KEY-1", "seed: 0a:1b:2c:3d:4e:5f:6a:7b:8c:9d:0e:1f:2a:3b:4c:5d\n", "Private-Lines: 1\n",
            "d=0 cons: SEQUENCE OBJECT :", "PRIVATE KEY-----a:", "UFJJVkFURSBLRV ", "M%0A", "\\u002B", "Aa1\n", "307 ",
            "MHcC \\", "\\/",
            ".Aa1\n", #"a\n"#, #"+\n"#, #"/\u000a"#,
            // Starts of keys in one long line of digits.
            digits(after: "+MII"), digits(after: "/b3Bl"), digits(after: "+LS0t"),
        ])
    func theSearchForAKeyTakesLinearTime(part: String) {
        let (small, large) = (String(repeating: part, count: 100) + "a.", String(repeating: part, count: 800) + "a.")
        let growth = Work.growth {
            _ = small.containsPrivateKey
            _ = small.withoutPrivateKeys
        } large: {
            _ = large.containsPrivateKey
            _ = large.withoutPrivateKeys
        }
        #expect(growth < 20)
    }

    /// The private key of RFC 7517, appendix A.2, and the symmetric key of appendix A.3.
    @Test(arguments: [
        ("d", "870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE"), ("k", "GawgguFyGrWKav7AX4VKUg"),
    ])
    func aMemberOfAJWKIsNotQuoted(name: String, value: String) {
        let text = #"{"kty":"EC", "\#(name)" : "\#(value)", "kid":"1"}"#
        let shown = #"{"kty":"EC", "\#(name)" : "\#(value.prefix(4))…", "kid":"1"}"#
        #expect(text.withoutPrivateKeys == shown)
        #expect(text.quotedExcerpt == "\"\(shown.replacing("\"", with: "\\\""))\"")
        #expect(text.quotedExcerpt.withoutPrivateKeys == text.quotedExcerpt)
        #expect(#"{"d":"example.com"}"#.withoutPrivateKeys == #"{"d":"example.com"}"#)
        let nested = text.replacing("\"", with: "\\\"")
        #expect(nested.withoutPrivateKeys == shown.replacing("\"", with: "\\\""))
        // Without the type of the key, as an argument.
        let member = "\"\(name)\" : \"\(value)\""
        #expect(member.quoted == "\"\"\(name)\" : \"\(value.prefix(4))…\"\"")
    }

    /// The first digit can be one that joins strings elsewhere.
    @Test(arguments: ["+", "/", "-", "_", "++"]) func aMemberOfAJWKWithAnotherFirstDigit(digit: String) {
        let rest = "jGN5xtwMP8HVSdvduOIAYkp8YqKoc9Iq4DcVDa9Kw"
        let shown = #"{"kty":"OKP","d":"\#(digit)\#(rest)"}"#.withoutPrivateKeys
        #expect(!shown.contains(rest.dropFirst(4).prefix(8)), "\(shown)")
    }

    @Test func aMemberOfAKeyInXMLIsNotQuoted() {
        #expect(
            "<D xmlns=\"urn:x\">870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4B</D>".withoutPrivateKeys
                == "<D xmlns=\"urn:x\">870M…</D>")
        #expect("<P>a paragraph of some words</P>".withoutPrivateKeys == "<P>a paragraph of some words</P>")
    }

    @Test(arguments: [
        "", "M", "30", "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "MIIB", "LS0tLS1CRUdJT",
        // The start of a certificate, and of a public key.
        "MIIBszCCAVmgAwIBAgIUZ", "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE", "30820122300d06092a864886f70d01010105",
        // Pins with a mistake, and in all forms.
        "--pinnedpubkey=sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
        "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFUUU=",
        "pin-sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU",
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "https://A1.example.com/Releases/2026/Android/Certificates/Production/pins",
        "/srv/Releases/2026/Android/Certificates/Production/pins.json",
        "this-is-a-long-name-with-the-number-1-and-more-words-after-it",
    ])
    func otherTextsAreQuotedWhole(text: String) {
        #expect(text.quotedExcerpt == "\"\(text)\"")
    }
}
