import Testing

@testable import Encodings

/// Passwords in a text that was given in place of a host.
@Suite struct PasswordParameterTests {
    @Test(arguments: [
        ("postgres://h/db?password=PW", "postgres://h/db?password=…"),
        ("jdbc:x://h/db?a=b&Password=PW&c=d", "jdbc:x://h/db?a=b&Password=…"),
        ("host=h password=PW sslmode=require", "host=h password=…"), ("Server=h;PWD=PW;", "Server=h;PWD=…"),
        ("host=h password='PW PW' user=u", "host=h password=…"), ("Password=\"PW;PW\";a=b", "Password=…"),
        ("\"h?sslpassword=PW\"", "\"h?sslpassword=…\""), ("h?passphrase=PW", "h?passphrase=…"),
        ("db_passwd=PW=2", "db_passwd=…"), ("https://h/?access_token=PW&a=b", "https://h/?access_token=…"),
        ("client_secret=PW", "client_secret=…"), ("token[]=PW", "token[]=…"),
        ("h/?u=x%3A%2F%2Fh%3Ftoken%3DPW", "h/?u=x%3A%2F%2Fh%3Ftoken%3D…"), ("pwd%25253dPW", "pwd%25253d…"),
        ("pwd%25", "pwd%25"), ("pwd%", "pwd%"), ("pwd%3D", "pwd%3D"), ("h?X-API-Key=PW", "h?X-API-Key=…"),
        ("h?X-Amz-Signature=PW", "h?X-Amz-Signature=…"), ("h?se=1&sig=PW", "h?se=1&sig=…"),
        ("a.example?SharedAccessKey=PW", "a.example?SharedAccessKey=…"), ("pass_word=PW", "pass_word=…"),
        ("h?%74oken=PW", "h?%74oken=…"), ("h?tok%2565n=PW", "h?tok%2565n=…"), ("token%00=PW", "token%00=…"),
        ("token[0]=PW", "token[0]=…"), ("token%5B%5D=PW", "token%5B%5D=…"), ("pwd = PW PW", "pwd = …"),
        ("\"password=\"", "\"password=\""), ("\"", "\""), ("]=x", "]=x"), ("=", "="), ("pwd = ", "pwd = "),
        ("password=", "password="), ("192.0.2.1:443=a.example", "192.0.2.1:443=a.example"),
        ("pass=x&word=y", "pass=x&word=y"), ("", ""),
    ])
    func nothingAfterTheNameIsShown(text: String, expected: String) {
        #expect(text.withoutPasswordParameters == expected)
        #expect(text.withoutUserInfo == expected && text.targetWithoutUserInfo == expected)
    }

    @Test(arguments: [
        ("postgres://h/db?password=PW", "postgres://h/db?password=…"),
        ("jdbc:x://h/db?a=b&Password=PW&c=d", "jdbc:x://h/db?a=b&Password=…&c=d"),
        ("host=h password=PW sslmode=require", "host=h password=… sslmode=require"),
        ("Server=h;PWD=PW;", "Server=h;PWD=…;"), ("\"h?sslpassword=PW\": no", "\"h?sslpassword=…\": no"),
        ("(h?passphrase=P'W\"PW).", "(h?passphrase=…)."), ("db_passwd=PW=2", "db_passwd=…"),
        ("see 'password=PW', 'pwd=PW'", "see 'password=…', 'pwd=…'"),
        ("host=h password='PW PW' user=u", "host=h password=… user=u"), ("pwd='PW PW", "pwd=…"),
        ("password='PW\\'PW' a", "password=… a"), ("\\\"pwd=\\\"PW PW\\\"\\\"", "\\\"pwd=…"),
        ("\"h password=\"PW PW\"\": no \"=\"", "\"h password=…"),
        ("\"password=\": it is \"empty\"", "\"password=\": it is \"empty\""), ("no password=, no", "no password=, no"),
        ("see h?u=x%3Fp%77d%3DPW%20PW&a=%3D now", "see h?u=x%3Fp%77d%3D…&a=%3D now"), ("a pwd = PW a", "a pwd = … a"),
        ("token%3DPW token%253DPW", "token%3D… token%253D…"),
        ("password=", "password="), ("pass=x&word=y", "pass=x&word=y"), ("", ""),
    ])
    func aMessageShowsTheRest(text: String, expected: String) {
        #expect(text.withoutPasswordParametersInside == expected)
        #expect(text.withoutUserInfoInURLs == expected)
    }

    @Test func alsoBesideAUser() {
        #expect("postgres://u:PW@h/db?password=PW".withoutUserInfo == "postgres://…@h/db?password=…")
        #expect(
            "see postgres://u:PW@h/db?password=PW now".withoutUserInfoInURLs == "see postgres://…@h/db?password=… now")
    }
}
