import Encodings
import Testing

struct UserInfoTests {
    @Test(arguments: [
        ("see https://a:b@h/x and http://c@h2", "see https://…@h/x and http://…@h2"),
        ("\"ftp://a:b/c@h/\" failed", "\"ftp://…@h/\" failed"), ("https://h/@scope", "https://h/@scope"),
        ("https://h:443/x@y", "https://h:443/x@y"), ("https://[::1]/x@y", "https://[::1]/x@y"),
        ("https://…@h/", "https://…@h/"), ("https://@h/", "https://@h/"), ("a@b", "a@b"), ("://", "://"), ("", ""),
        ("https://a:b@c@h?x", "https://…@h?x"),
    ])
    func urlsInATextLoseUserAndPassword(text: String, expected: String) {
        #expect(text.withoutUserInfoInURLs == expected)
        #expect(expected.withoutUserInfoInURLs == expected)
    }
}
