import Encodings
import TestSupport
import Testing

struct UserInfoTests {
    @Test(arguments: [
        ("see https://a:b@h/x and http://c@h2", "see https://…@h/x and http://…@h2"),
        ("\"ftp://a:b/c@h/\" failed", "\"ftp://…@h/\" failed"), ("https://h/@scope", "https://h/@scope"),
        ("https://h:443/x@y", "https://h:443/x@y"), ("https://[::1]/x@y", "https://[::1]/x@y"),
        ("https://…@h/", "https://…@h/"), ("https://@h/", "https://@h/"), ("a@b", "a@b"), ("://", "://"), ("", ""),
        ("https://a:b@c@h?x", "https://…@h?x"), (#"{"u":"https:\/\/a:b@h\/x"}"#, #"{"u":"https:\/\/…@h\/x"}"#),
        (#"http://CORP\a:b@h/"#, #"http://…@h/"#), (#"https:\/\/h:443\/x@y"#, #"https:\/\/h:443\/x@y"#),
        (#"https:\\/\\/a:b@h"#, #"https:\\/\\/…@h"#), (#"C:\a:b/@c"#, #"C:\a:b/@c"#),
    ])
    func urlsInATextLoseUserAndPassword(text: String, expected: String) {
        #expect(text.withoutUserInfoInURLs == expected)
        #expect(expected.withoutUserInfoInURLs == expected)
    }

    @Test(arguments: [("\"a:b@c\"", "\"…@c\""), ("\"a@b\"", "\"a@b\""), ("\"https://a@h\"", "\"https://…@h\"")])
    func aQuotedTargetLosesUserAndPassword(text: String, expected: String) {
        #expect(text.withoutUserInfo == expected)
    }

    /// A quotation may end before the @.
    @Test(arguments: [20, 200]) func quotationsHaveNoPassword(length: Int) {
        let url = "see https://alice:\(String(repeating: "secret", count: length))@host.test/"
        #expect(url.quotedExcerpt == "\"see https://…@host.test/\"")
    }

    @Test(
        arguments: [
            ("host \"a:b@c\" is wrong", "a:b@c", "host \"…@c\" is wrong"),
            ("host 'a:b@c', https://d:e@f", "a:b@c", "host '…@c', https://…@f"),
            ("a:b@c", "x.test", "…@c"), ("a:b@c", nil, "…@c"),
            ("x a:b@c, <d:e@f> g@h 1:2", nil, "x …@c, <…@f> g@h 1:2"),
            ("https://h:443/x@y z", nil, "https://h:443/x@y z"),
            ("a:b@h/?n=https://x", nil, "…@h/?n=https://x"),
        ] as [(String, String?, String)])
    func messagesAboutAHostLoseItsPassword(text: String, host: String?, expected: String) {
        #expect(text.withoutUserInfo(of: host) == expected)
    }

    @Test func longHostsInMessagesLoseTheirPassword() {
        let host = "alice:\(String(repeating: "secret", count: 30))@host.test"
        #expect(
            "the host \(host.quotedExcerpt) is wrong".withoutUserInfo(of: host) == "the host \"…@host.test\" is wrong")
    }

    /// A log can be one word of many URLs.
    @Test(.notWithSanitizer, arguments: ["://", "://a:b/", "https://a:b@c/", #":\"#])
    func theWorkIsLinear(url: String) {
        func remove(_ count: Int) -> () -> Void {
            let text = String(repeating: url, count: count)
            return { _ = text.withoutUserInfoInURLs }
        }
        let growth = Work.growth(small: remove(1000), large: remove(8000))
        #expect(growth < 20)
    }
}
