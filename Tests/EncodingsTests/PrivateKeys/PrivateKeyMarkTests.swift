import Foundation
import TestSupport
import Testing

@testable import Encodings

/// Keys that a mark or a name tells.
struct PrivateKeyMarkTests {
    private func bytes(_ name: String) throws -> String { String(decoding: try Vectors.bytes(name), as: UTF8.self) }

    /// OpenSSL has other names for the numbers of DH.
    @Test func outputOfOpenSSLForDH() throws {
        let key = try ChildProcess.output(
            of: ["openssl", "genpkey", "-algorithm", "DH", "-pkeyopt", "group:ffdhe2048"])
        let text = String(
            decoding: try ChildProcess.output(of: ["openssl", "pkey", "-text", "-noout"], input: key), as: UTF8.self)
        let secret = try #require(text.split(separator: "private-key:").last?.split(separator: "public-key:").first)
        let lines = secret.split(separator: "\n").map { $0.trimmingPrefix(while: \.isWhitespace) }
        #expect(lines.count > 1)
        for form in [text, text.replacing("\n", with: "\\n"), "label: " + text.replacing("\n", with: " ")] {
            #expect(form.containsPrivateKey)
            let shown = form.withoutPrivateKeys
            for line in lines.dropFirst() { #expect(!shown.contains(line.prefix(15)), "\(shown)") }
            #expect(shown.contains("public-key:"))
        }
    }

    /// The output of openssl, with real line ends, with escaped ones, and in one line.
    @Test(arguments: [
        ["pkey", "-noout", "-text", "-in", "private-p256-pkcs8.pem"],
        ["pkey", "-noout", "-text", "-in", "private-rsa2048-pkcs8.pem"],
        ["pkey", "-noout", "-text", "-in", "private-ed25519-pkcs8.pem"],
        ["pkey", "-noout", "-text", "-in", "private-dsa-pkcs8.pem"],
        ["asn1parse", "-in", "private-p256-pkcs8.pem"], ["asn1parse", "-dump", "-in", "private-p256-pkcs8.pem"],
        ["asn1parse", "-in", "private-rsa2048-traditional.pem"],
        ["asn1parse", "-i", "-in", "private-ed25519-pkcs8.pem"],
        ["asn1parse", "-inform", "DER", "-in", "private-p256-traditional.der"],
        ["asn1parse", "-in", "private-rsa2048-encrypted.pem"],
    ])
    func outputOfOpenSSL(arguments: [String]) throws {
        let text = String(
            decoding: try ChildProcess.output(
                of: ["openssl"] + arguments, folder: Vectors.folder.appending(path: "material")), as: UTF8.self)
        // XML and logs can collapse blanks.
        let collapsed = text.split { $0 == "\n" || $0 == " " }.joined(separator: " ")
        let lines = text.split(separator: "\n").enumerated()
        let prefixed: [String] = ["> ", ">> ", "// ", "12| "].map { prefix in
            lines.map { prefix + $0.element + "\n" }.joined()
        }
        // asn1parse is recognized by the first characters of its lines.
        let ofPKey =
            arguments[0] == "pkey"
            ? prefixed + [lines.map { "\"\($0.element)\"\n" }.joined(), lines.map { "\($0.element)\\\n" }.joined()] : []
        for form in [text, text.replacing("\n", with: "\\n"), text.replacing("\n", with: " "), collapsed] + ofPKey {
            #expect(form.containsPrivateKey)
            #expect(form.inJSON == form.withoutPrivateKeys.inJSON)
            let shown = form.withoutPrivateKeys
            var isSecret = false
            for line in text.split(separator: "\n") {
                if !line.hasPrefix(" ") {
                    isSecret = ["priv", "prime", "exponent", "coeff"].contains { line.hasPrefix($0) }
                }
                // The last line of a number can be as short as a text that is shown.
                guard line.hasPrefix(" "), line.utf8.count > 40, isSecret || line.utf8.count > 80 else { continue }
                #expect(!shown.contains(line.suffix(30).prefix(15)), "\(shown)")
            }
            #expect(shown.withoutPrivateKeys == shown)
        }
    }

    @Test(arguments: [
        "-inform DER -in cert-p256.der", "-inform DER -in request.der", "-inform DER -in public-p256.der",
        "-inform DER -in public-rsa2048-pkcs1.der", "-inform DER -in cert-v1.der", "-inform DER -in refused-crl.der",
    ])
    func publicOutputOfOpenSSL(arguments: String) throws {
        let text = String(
            decoding: try ChildProcess.output(
                of: ["openssl", "asn1parse", "-dump"] + arguments.split(separator: " ").map(String.init),
                folder: Vectors.folder.appending(path: "material")), as: UTF8.self)
        #expect(!text.containsPrivateKey, "\(text)")
    }

    /// Encrypted PEM (RFC 1421), the keys of PuTTY and age, PGP, and XML.
    @Test(arguments: [
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: 1\n\nlQOYBGVx8q0BCADN4v3K9mPz7yT2wQ5Lc1Rj\nAbCdEf0123456789\n",
        "PuTTY-User-Key-File-3: ssh-ed25519\nPublic-Lines: 1\nAAAAC3NzaC1lZDI1NTE5\nPrivate-Lines: 1\nlQOYBGVx8q0BCADN4v3K9mPz7yT2wQ5Lc1Rj\n",
        "> PuTTY-User-Key-File-3: ssh-ed25519\n> Private-Lines: 1\n> lQOYBGVx8q0BCADN4v3K9mPz7yT2wQ5Lc1Rj\n",
        "AGE-SECRET-KEY-1GVX8Q0BCADN4V3K9MPZ7YT2WQ5LC1RJ0LQOYBGVX8Q0BCADN4V3K9MPZ7YT",
        "<RSAKeyValue><Modulus>AQAB</Modulus><D>lQOYBGVx8q0BCADN4v3K9mPz7yT2wQ5Lc1Rj</D></RSAKeyValue>",
        "<ECKeyValue><D>\n  lQOYBGVx8q0BCADN4v3K9mPz7yT2wQ5Lc1Rj\n</D></ECKeyValue>",
        "<ECKeyValue><D xmlns=\"urn:x\">lQOYBGVx8q0BCADN4v3K9mPz7yT2wQ5Lc1Rj</D></ECKeyValue>",
        "{'kty':'OKP','d':'lQOYBGVx8q0BCADN4v3K9mPz7yT2wQ5Lc1Rj'}",
        #"{"key":"{\"kty\":\"OKP\",\"d\":\"lQOYBGVx8q0BCADN4v3K9mPz7yT2wQ5Lc1Rj\"}"}"#,
        #"{"key":"{\\\"kty\\\":\\\"AKP\\\",\\\"priv\\\":\\\"lQOYBGVx8q0BCADN4v3K9mPz7yT2wQ5Lc1Rj\\\"}"}"#,
        "Private-key-format: v1.3\nAlgorithm: 8\nPrivateExponent: lQOYBGVx8q0BCADN4v3K9mPz7yT2wQ5Lc1Rj",
        // The escapes of JSON and URLs.
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\\n\\nlQOY\\/Vx8q0BCADN4v3K9mPz\\u002byT2wQ5Lc1Rj\\/CADN4v3K9mPz",
        "PuTTY-User-Key-File-3: ssh-ed25519\\nPrivate-Lines: 1\\nlQOY\\/Vx8q0BCADN4v3K9mPz7yT2wQ5Lc1Rj",
        "<RSAKeyValue><Modulus>AQAB<\\/Modulus><D>lQOY\\/Vx8q0BCADN4v3K9mPz%2ByT2wQ5Lc1Rj\\/CADN4v3K9mPz<\\/D>",
        "PrivateExponent: lQOY%2FVx8q0BCADN4v3K9mPz7yT2wQ5Lc1Rj%2FCADN4v3K9mPz",
    ])
    func otherFormats(text: String) {
        #expect(text.containsPrivateKey)
        let shown = text.withoutPrivateKeys.uppercased()
        #expect(!shown.contains("N4V3K9MPZ7YT") && !shown.contains("CADN4V3K9"), "\(shown)")
        #expect(text.withoutPrivateKeys.withoutPrivateKeys == text.withoutPrivateKeys)
        #expect(text.inJSON == text.withoutPrivateKeys.inJSON)
    }

    @Test func encryptedPEMIsHidden() throws {
        for name in [
            "private-dsa-traditional-aes.pem", "private-p256-traditional-aes.pem",
            "private-rsa2048-traditional-aes.pem",
        ] {
            let text = try bytes(name)
            let body = text.split(separator: "\n").filter { !$0.hasPrefix("-") && !$0.contains(":") }
            #expect(body.joined().count > 100)
            for end in ["\n", "\r\n", "\r", "\\n", " "] {
                let written = text.replacing("\n", with: end)
                #expect(written.containsPrivateKey)
                let shown = written.withoutPrivateKeys
                #expect(!body.contains { shown.contains($0.dropFirst(4).prefix(12)) }, "\(shown)")
                #expect(shown.contains("Proc-Type: 4,ENCRYPTED") && shown.utf8.count < 240, "\(shown)")
            }
        }
    }

    /// A file in base64 can have certificates before the key.
    @Test(arguments: [0, 1, 2]) func aKeyInABundleInBase64(offset: Int) throws {
        let certificate = try bytes("cert-p256.pem")
        let key = try bytes("private-p256-pkcs8.pem")
        let start = String(repeating: " ", count: offset) + certificate
        let base64 = Data((start + key).utf8).base64EncodedString()
        #expect(base64.containsPrivateKey && !Data(start.utf8).base64EncodedString().containsPrivateKey)
        let body = base64.dropFirst((start.utf8.count + 40) / 3 * 4).prefix(200)
        for width in [20, 64, 1000] {
            let lines = stride(from: 0, to: base64.count, by: width).map { base64.dropFirst($0).prefix(width) }
            let shown = lines.joined(separator: "\n").withoutPrivateKeys.replacing("\n", with: "")
            #expect(!shown.contains(body.prefix(12)) && !shown.contains(body.suffix(12)), "\(shown)")
        }
    }

    /// Names and numbers that look similar are no keys.
    @Test(arguments: [
        "https://a.example/callback?token=eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.MEQCIGVx8q0BCADN4v3K9mPz7yT2wQ5Lc1Rj",
        "302e0201-0030-4506-832b-657004220420", "2001:db8:302e:201:30:506:32b:6570",
        "30:2e:02:01:30:82:11:22:33:44:55:66",
        "/srv/Releases/2026/30/2e/02/01/00/30/05/06/Certificates/Production/MC4C/MHcC/pins.json",
        "48, 46, 44, 42, 40, 38, 36, 34, 32, 30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2",
        "305402010.example.com", "the private key of the server is in key.pem", "old private-key: replaced in 2026",
        "seed: the words of a long sentence that follows", "-----BEGIN PUBLIC KEY-----", "<P>internationalization</P>",
        "{\"d\":\"example.com\",\"k\":\"a.example.com/with/a/long/path\"}",
        "SHA1 30:2E:02:01:00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF",
        "sha256/MC4CAQAxBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K0=",
        // A mark without a secret.
        "from the file after \"-----BEGIN PRIVATE KEY-----\" in A1",
        "// the PEM begins with -----BEGIN EC PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY----- must be the first line of Key1.pem",
        "-----BEGIN RSA PRIVATE KEY-----: see /srv/Releases2026/Certificates/Production",
        "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n-----END RSA PRIVATE KEY-----",
        "PuTTY-User-Key-File-3: is not supported here",
        "Private-Lines: 8 lines of text that are not base64", "Private-Key: (2048 bit, 2 primes) is too short",
        // Names of files that begin as the keys of age.
        "/etc/keys/age-secret-key-for-the-production-server.txt", "age-secret-key-1-for-the-production-server",
        // Names before paths, words and numbers.
        "priv: /srv/Releases/2026/Certificates1/Production", "dk: Certificates1Production2026.example.com",
        "coefficient: 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 14, 23, 37, 61, 98, 15, 25",
        "seed: A1b2C3d4E5f6G7h8I9j0K1l2M3",
        "prime1: /srv/Releases/2026/Certificates1/Production", "coefficient: Certificates1Production2026.example.com",
        "Seed:\n    c4:9d:36:08:86:e7:04:93:6a:66:78:e1:13:9d:26:\n    b7:81:9f:7e:90\n",
        // The start of a certificate of version 1 with serial number 3 and RSA.
        "MIICjDCCAXQCAQMwDQYJKoZIhvcNAQELBQAwDDEKMAgGA1UEAwwBdDAeFw0yNjEx",
        "-----BEGIN RSA PUBLIC KEY-----\nMIIBCgKCAQEA",
        "00000000  2d 2d 2d 2d 2d 42 45 47  49 4e 20 52 53 41 20 50  |-----BEGIN RSA P|\n"
            + "00000010  55 42 4c 49 43 20 4b 45  59 2d 2d 2d 2d 2d 0a 4d  |UBLIC KEY-----.M|",
        "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p",
    ])
    func otherTextsAreNoKeys(text: String) {
        #expect(!text.containsPrivateKey)
        #expect(text.withoutWholePrivateKeys == text)
        // A list ends at a mark, because its next lines can be a key.
        let hasMark = [
            "begin private", "ec private", "rsa private", "private-lines", "putty-user", "private-key: (",
        ].contains { text.lowercased().contains($0) }
        var lines = PrivateKeyLines()
        let isKey = lines.containsKey(Array(text.utf8)[...])
        #expect(isKey == hasMark)
    }

    /// The characters of a dump can contain an `@`, before which a password is searched.
    @Test(arguments: [
        "x: 00000000: 302e020100300506032b657004220420  0.....0...+ep.\". 00000010: 11223344556677884041424344454647  .\"3DUfw.@ABCDEFG",
        "https://h.test/00000000: 302e020100300506032b657004220420  0.....0...+ep.\".\n00000010: 11223344556677884041424344454647  .\"3DUfw.@ABCDEFG\n00000020: 11223344556677884041424344454647  .\"3DUfw.@ABCDEFG",
    ])
    func aKeyWithAnAt(text: String) {
        for shown in [text.withoutUserInfo, text.withoutUserInfoInURLs, text.withoutUserInfo(of: nil)] {
            #expect(!shown.contains("40414243"), "\(shown)")
        }
    }

    /// Keys in XML: with prefixes, as .NET writes those of DSA, with comments and sections. Values with escaped line ends.
    @Test(arguments: [
        "<ds:RSAKeyValue><ds:D>*</ds:D></ds:RSAKeyValue>", "<xkms:RSAKeyPair><xkms:DP>*</xkms:DP></xkms:RSAKeyPair>",
        "<DSAKeyValue><P>x</P><X>*</X></DSAKeyValue>", "<RSAKeyValue><D><![CDATA[*]]></D></RSAKeyValue>",
        "<RSAKeyValue><D> <!-- the exponent --> *</D></RSAKeyValue>",
        "<RSAKeyValue>\\n<D>\\n  *\\n</D>\\n</RSAKeyValue>", "{\"kty\":\"OKP\",\"d\":\"q8TC\\n*\"}",
        #"{\"kty\":\t\"OKP\",\n\"d\":\r\n  \"*\"}"#,
    ])
    func members(form: String) {
        let secret = "q8TCOtXnWlcOIRaTgQ8tM0Hh4nAxzq0dKzSuNYnk1Ws="
        let text = form.replacing("*", with: secret)
        #expect(text.containsPrivateKey)
        #expect(!text.withoutPrivateKeys.contains("8TCOtXnW"))
        #expect(PrivateKeyLines.isKey(Array(text.utf8)[...]))
    }

    /// The parameters of DSA (RFC 3075, section 6.4.1) and of an elliptic curve.
    @Test(arguments: [
        "<DSAKeyValue><P>*</P><Q>*</Q><G>*</G><Y>*</Y></DSAKeyValue>",
        "<ds:DSAKeyValue><ds:P>*</ds:P><ds:Q>*</ds:Q></ds:DSAKeyValue>",
        "<ECDSAKeyValue><PublicKey><X>*</X><Y>*</Y></PublicKey></ECDSAKeyValue>",
    ])
    func publicKeysInXML(form: String) {
        let text = form.replacing("*", with: "q8TCOtXnWlcOIRaTgQ8tM0Hh4nAxzq0dKzSuNYnk1Ws=")
        #expect(!text.containsPrivateKey)
        #expect(text.withoutWholePrivateKeys == text)
    }

    /// Names before numbers as OpenSSL prints them.
    @Test func aSeedIsAKey() {
        let pairs = "c4:9d:36:08:86:e7:04:93:6a:66:78:e1:13:9d:26:\n    b7:81:9f:7e:90"
        let text = "seed:\n    \(pairs)\npriv:\n    \(pairs)\n"
        #expect(text.containsPrivateKey)
        #expect(!text.withoutPrivateKeys.contains("9d:36:08"))
        // What follows the number can begin with a digit.
        let shown = "priv:\n    \(pairs)\n5 words".withoutPrivateKeys
        #expect(shown.hasSuffix("c4:9…\n5 words") && !shown.contains("36:08"), "\(shown)")
    }
}
