import Authentication
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

    /// `printf 'a:abcd' | base64 ; printf abcd | base64`, without the padding.
    @Test func encodedForms() {
        #expect(Self.masked("[YTphYmNk] [YWJjZA==] [YWJjZA]", "a", "abcd") == "[***] [***] [***]")
    }

    @Test func shortPasswordsStay() {
        #expect(Self.masked("a bad abc", "a", "abc") == "a bad abc")
        #expect(Self.masked("abc", "a", "") == "abc")
        #expect(SecretTexts([]).masking("abc") == "abc")
    }
}
