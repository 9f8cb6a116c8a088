import Authentication
import InputPromises
import TestSupport
import Testing

struct SecretTextsTests {
    private static func masked(_ text: String, _ user: String = "al", _ password: String = "S3cret/ Pw\"") -> String {
        SecretTexts([PasswordCredential(user: user, password: Array(password.utf8))]).masking(text)
    }

    /// base64: `printf 'al:S3cret/ Pw"' | base64`. Percent-encoded: `jq -R @uri`.
    @Test(arguments: [
        ("x S3cret/ Pw\" y", "x *** y"), ("for al:S3cret/ Pw\".", "for ***."), ("s3CRET/ pW\"", "***"),
        ("Basic YWw6UzNjcmV0LyBQdyI=", "Basic ***"), ("https://h/?p=S3cret%2F%20Pw%22&q", "https://h/?p=***&q"),
        ("S3cret/ Pw\\\"", "***"), ("S3cret/ Pw\"S3cret/ Pw\"", "******"), ("S3cret/ P", "S3cret/ P"), ("", ""),
    ])
    func formsOfAPassword(text: String, expected: String) {
        #expect(Self.masked(text) == expected)
    }

    /// A message can show a part of a server's text, and that part can end within a password. base64: `printf 'al:S3cret/ Pw"' | base64`.
    @Test(arguments: [
        ("x S3cret/ P… y", "x ***… y"), ("x s3CR…", "x ***…"), ("x S3c…", "x S3c…"), ("S3cret/ Pw\"…", "***…"),
        ("Basic YWw6UzNjcmV0LyBQ…", "Basic ***…"), ("https://h/?p=S3cret%2F%20…", "https://h/?p=***…"),
        ("S3cr… S3cret/…", "***… ***…"), ("…", "…"), ("S3cretx…", "S3cretx…"),
        ("S3cret%…", "***…"), ("S3cret%2…", "***…"), ("S3cret%25…", "***…"), ("S3cret%252…", "***…"),
        ("100%…", "100%…"),
    ])
    func beginningsOfAPassword(text: String, expected: String) {
        #expect(Self.masked(text) == expected)
        #expect(Self.masked("x abc%…", "al", "abc%def") == "x ***…")
    }

    /// An excerpt can end within a character. The base64 of the user can be the start of that of the login: `printf 'robert:correct horse' | base64`.
    @Test(arguments: [
        ("Zürich-Ärger", "x Zürich-\u{FFFD}… y"), ("Zürich-Ärger", "x Zürich-\u{FFFD}\u{FFFD}… y"),
        ("Zürich-Ärger", "x Z%C3%BCrich-%C3… y"), ("Zürich-Ärger", "x Z%C3%BCrich-%C3%8… y"),
        ("Zürich-Ärger", "x Z%25C3%25BCrich-%25C3%25… y"), ("correct horse", "x cm9iZXJ0OmNvcnJlY3Qg… y"),
    ])
    func beginningsOfAPasswordOfAProxy(password: String, text: String) {
        let proxy = PasswordCredential(user: "robert", password: Array(password.utf8))
        #expect(SecretTexts([], proxies: [proxy]).masking(text) == "x ***… y")
    }

    /// The start of an answer in hexadecimal digits: `printf hunter42 | xxd -p`.
    @Test(arguments: [
        ("hunter42", "the bytes 68 75 6e 74 65 72 34 32", "the bytes ***"),
        ("hunter42", "the bytes 0a 68 75 6e 74 65 72 34 32 00", "the bytes 0a *** 00"),
        ("hunter42-and-more", "the bytes 00 68 75 6e 74 65 72 34", "the bytes 00 ***"),
        ("hunter42", "the bytes 16 03 01 00 00 00 68 75", "the bytes 16 03 01 00 00 00 68 75"),
    ])
    func dumpsOfAPassword(password: String, text: String, expected: String) {
        #expect(Self.masked(text, "al", password) == expected)
    }

    /// A proxy that writes a user of Windows into a quoted string without a second backslash (RFC 9110, section 5.6.4).
    @Test func backslashesOfAQuotedString() {
        let proxy = PasswordCredential(user: "CORP\\alicia99", password: Array("hunter22\\sekrit9".utf8))
        let secrets = SecretTexts([], proxies: [proxy])
        #expect(secrets.masking("no access for CORPalicia99, hunter22sekrit9") == "no access for ***, ***")
        #expect(secrets.masking("no access for CORP\\alicia99") == "no access for ***")
    }

    /// A message escapes invisible characters, and some characters can be percent-encoded.
    @Test(arguments: [
        "👩\\u{200D}💻👨%E2%80%8D💻pass99", "👩%E2%80%8D💻👨\\u{200D}💻pass99", "👩\\u{200D}💻👨\\u{200D}💻pass99",
    ])
    func escapedForms(text: String) {
        #expect(Self.masked("x \(text) y", "al", "👩\u{200D}💻👨\u{200D}💻pass99") == "x *** y")
    }

    /// A server can send many ellipses in one text. The time for a text is proportional to its length.
    @Test(.limit(minutes: 1)) func manyEllipses() {
        let ellipses = String(repeating: "…", count: 30_000)
        #expect(Self.masked("%41+S3cr\(ellipses)S3cret/…") == "%41+***\(ellipses)***…")
        let word = String(repeating: "S", count: 30_000)
        #expect(Self.masked("\(word)3cr…") == "\(word.dropLast())***…")
    }

    /// The longest beginning counts, also one that overlaps another.
    @Test(arguments: [
        ("ababab…", "ababac", "ab***…"), ("abcabc…", "abcabcd", "***…"), ("xabcdabcd…", "abcd", "x******…"),
        ("aaaaaaaaa…", "aaaab", "aaaaa***…"),
    ]) func overlappingBeginnings(text: String, password: String, expected: String) {
        #expect(Self.masked(text, "u", password) == expected)
    }

    @Test(arguments: [
        ("xabcxabcx", "xabcx", "***"), ("xabcxabc", "xabcx", "***abc"), ("aaaaaa", "aaaa", "***"),
        ("%78abcx%61bc%78", "xabcx", "***"),
    ]) func overlappingOccurrences(text: String, password: String, expected: String) {
        #expect(Self.masked(text, "u", password) == expected)
    }

    /// The end of the user is the start of the password.
    @Test func aUserThatOverlapsThePassword() {
        let credential = PasswordCredential(user: "userx", password: Array("xsecret".utf8))
        #expect(SecretTexts([], proxies: [credential]).masking("403 userxsecret!") == "403 ***!")
        let other = PasswordCredential(user: "al", password: Array("retort".utf8))
        #expect(SecretTexts([other], proxies: [credential]).masking("xsecretort") == "***")
    }

    /// `printf 'a:abcd' | base64 ; printf abcd | base64`, without the padding.
    @Test func encodedForms() {
        #expect(Self.masked("[YTphYmNk] [YWJjZA==] [YWJjZA]", "a", "abcd") == "[***] [***] [***]")
    }

    /// Percent-encoded: `python3 -c "print(''.join('%%%02x' % b for b in b'…'))"`.
    @Test(arguments: [
        ("%53%33%63%72%65%74%2f%20%50%77%22 x", "*** x"), ("S3cr%65t/ Pw\" S3cret/ Pw\"", "*** ***"),
        ("a S3cret%252F%2520Pw%2522 b", "a *** b"), ("q=S3cret%2F+Pw%22&r=S3cret/+Pw\"", "q=***&r=***"),
        ("YWw6UzNjcmV0LyBQdyI%3D.", "***."), ("100% S3cret", "100% S3cret"), ("%", "%"), ("a+b%2", "a+b%2"),
        ("S3cret%2F%ZZ%20Pw", "S3cret%2F%ZZ%20Pw"),
    ])
    func decodedForms(text: String, expected: String) {
        #expect(Self.masked(text) == expected)
    }

    /// Some bytes are encoded, and others not. `quote_plus` and `quote` of Python's urllib.parse, also twice, and for single bytes.
    @Test(arguments: [
        ("pass word two", "pass%252Bword%252Btwo"), ("pass word two", "pass+word%2520two"),
        ("pass word two", "pass%2Bword%20two"), ("q%20r s", "q%20r%20s"), ("q%20r s", "q%20r+s"),
        ("q%20r s", "q%2520r s"), ("100%sure%41", "%31%30%30%sure%41"), ("a+b c", "a+b+c"), ("a+b c", "a%2Bb+c"),
        ("a%2Bb", "a%252Bb"),
    ])
    func mixedForms(password: String, text: String) {
        #expect(Self.masked("x=\(text)&y", "al", password) == "x=***&y")
    }

    /// `printf 'alice' | base64` and `printf 'alice:pw' | base64`.
    @Test func usersOfProxies() {
        let proxy = PasswordCredential(user: "alice", password: Array("hunter2".utf8))
        let secrets = SecretTexts([PasswordCredential(user: "bobby", password: Array("S3cret".utf8))], proxies: [proxy])
        #expect(secrets.masking("Alice al%69ce YWxpY2U= alice:hunter2 bobby S3cret") == "*** *** *** *** bobby ***")
        let short = SecretTexts([], proxies: [PasswordCredential(user: "alice", password: Array("pw".utf8))])
        #expect(short.masking("alice pw [YWxpY2U6cHc=]") == "*** pw [***6cHc=]")
        let user = SecretTexts([], proxies: [PasswordCredential(user: "al", password: Array("hunter2".utf8))])
        #expect(user.masking("al hunter2") == "al ***")
    }

    /// The canonical form of a password can contain the character of the mask, or be short.
    @Test func canonicalFormsOfAMask() {
        #expect(Self.masked("x %2a%2a%2a%2a **** y", "u", "%2a%2a%2a%2a") == "x ### ### y")
        #expect(Self.masked("a ab %61%62", "u", "%61%62") == "a ab ***")
    }

    /// The full case mappings of Unicode (SpecialCasing.txt).
    @Test(arguments: [
        ("geheimwörtchen", "a GEHEIMWÖRTCHEN b"), ("geheimwörtchen", "a geheimw%C3%96rtchen b"),
        ("straße", "a STRASSE b"), ("stra\u{1E9E}e", "a straße b"), ("straße", "a STRA\u{1E9E}E b"),
        ("ΣΑΣ1", "a σας1 b"), ("пароль", "a ПАРОЛЬ b"), ("ıııı", "a IIII b"), ("a%41bc", "a a%41BC b"),
    ])
    func letterCaseOutsideASCII(password: String, text: String) {
        #expect(Self.masked(text, "al", password) == "a *** b")
    }

    /// `printf 'alice:<b>?~~pw>>>?' | basenc --base64url`, and of the password only.
    @Test func base64OfURLs() {
        let text = "[YWxpY2U6PGI-P35-cHc-Pj4_] [PGI-P35-cHc-Pj4_] [YWxpY2U6PGI+P35+cHc+Pj4/]"
        #expect(Self.masked(text, "alice", "<b>?~~pw>>>?") == "[***] [***] [***]")
    }

    /// A server chooses its text. No text stops pinctl, and each one that contains the password is changed.
    @Test func anyTextIsMasked() {
        var generator = SeededGenerator(seed: 5)
        let parts = ["%", "2", "5", "+", "*", " ", "ß", "S", "s", "é", "İ", "\u{FFFD}", "%C3", "abcd", "%61bcd"]
        for _ in 0..<TestEnvironment.rounds(800) {
            let text = (0..<12).map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
            for password in ["abcd", "ssss", "%%25", "++++", "****", "éİéİ"] {
                let masked = Self.masked(text, "u", password)
                #expect(!masked.lowercased().contains(password), "\(text) \(password)")
            }
        }
    }

    /// The input is a password and a text, in which bytes below 11 are forms of the password.
    @Test func noEncodingOfThePasswordRemains() {
        var generator = SeededGenerator(seed: 31)
        let characters =
            Array("%25+*#~ abA=\u{0}\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}\u{7}\u{8}\u{9}\u{A}".utf8) + Array("ßİ".utf8)
        for _ in 0..<TestEnvironment.rounds(2000) {
            let length = UInt8.random(in: 0..<6, using: &generator)
            let password = (0..<4 + Int(length)).compactMap { _ in characters[..<12].randomElement(using: &generator) }
            let text = (0..<16).compactMap { _ in characters.randomElement(using: &generator) }
            let violation = MaskingPromise.violation(in: [length] + password + text)
            #expect(violation == nil)
        }
    }

    /// A mask and the text after it would be the password again, and each search would find one more.
    @Test(arguments: [("***a", "###"), ("a***", "###"), ("*#ab", "~~~")])
    func passwordsWithTheCharacterOfTheMask(password: String, mask: String) {
        let text = String(repeating: "***aaa***#ab", count: 3)
        #expect(Self.masked("x \(password) y", "u", password) == "x \(mask) y")
        #expect(!Self.masked(text, "u", password).contains(password))
        #expect(Self.masked("x *#~a y", "u", "*#~a") == "***")
        #expect(Self.masked("x y", "u", "*#~a") == "x y")
    }

    @Test(
        .notWithSanitizer,
        arguments: [("***a", "a"), ("a***", "*"), ("%25%25", "%25"), ("++++", "+"), ("abcd", "%25"), ("abcd", "%2541")])
    func workIsLinear(password: String, part: String) {
        let texts = [2_000, 16_000].map { password + String(repeating: part, count: $0) }
        let growth = Work.growth {
            _ = Self.masked(texts[0], "u", password)
        } large: {
            _ = Self.masked(texts[1], "u", password)
        }
        #expect(growth < 24)
    }

    @Test func shortPasswordsStay() {
        #expect(Self.masked("a bad abc", "a", "abc") == "a bad abc")
        #expect(Self.masked("abc", "a", "") == "abc")
        #expect(SecretTexts([]).masking("abc") == "abc")
    }
}
