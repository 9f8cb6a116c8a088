import Encodings
import Foundation
import TestSupport
import Testing

struct UserInfoTests {
    @Test(arguments: [
        ("see https://a:b@h/x and http://c@h2", "see https://…@h/x and http://…@h2"),
        ("\"ftp://a:b/c@h/\" failed", "\"ftp://…@h/\" failed"), ("https://h/@scope", "https://h/@scope"),
        ("https://h:443/x@y", "https://h:443/x@y"), ("https://[::1]/x@y", "https://[::1]/x@y"),
        ("https:///a:b@h/x", "https:///…@h/x"), ("u=https:////a:b@h", "u=https:////…@h"),
        (#"https:\/\/\/a:b@h"#, #"https:\/\/\/…@h"#), ("file:///C:/x@y", "file:///C:/x@y"),
        ("file:///var/x@y", "file:///var/x@y"), ("https://…@h/", "https://…@h/"), ("https://@h/", "https://@h/"),
        ("a@b", "a@b"), ("://", "://"), ("", ""),
        ("https://a:b@c@h?x", "https://…@h?x"), (#"{"u":"https:\/\/a:b@h\/x"}"#, #"{"u":"https:\/\/…@h\/x"}"#),
        (#"http://CORP\a:b@h/"#, #"http://…@h/"#), (#"https:\/\/h:443\/x@y"#, #"https:\/\/h:443\/x@y"#),
        ("https://a:b%40h/x", "https://…%40h/x"), ("https://a%3Ab%2540h", "https://…%2540h"),
        ("https://a%2Fb:c@h/x", "https://…@h/x"), ("https://h/%40scope", "https://h/%40scope"),
        ("https://h/?u=https://a:b@i/", "https://h/?u=https://…@i/"), ("https://h%3A443/@x", "https://h%3A443/@x"),
        ("https://h/?u=https%3A%2F%2Fa:b%40i%2F&v=x@y", "https://h/?u=https%3A%2F%2F…%40i%2F&v=x@y"),
        ("https://h/?u=https%3A%2F%2Fi&v=x%40y", "https://h/?u=https%3A%2F%2Fi&v=x%40y"),
        ("https://h/?u=https%3A%2F%2Fa%252Fb%3Ac%40i", "https://h/?u=https%3A%2F%2F…%40i"),
        ("https://[fe80::1%40]:443/ 100%", "https://[fe80::1%40]:443/ 100%"), ("https://h/%4", "https://h/%4"),
        ("https://a:b\u{FF20}h/x", "https://…\u{FF20}h/x"), ("https://h/\u{FF20}scope", "https://h/\u{FF20}scope"),
        ("https://a\u{FE6B}h \u{FF21}", "https://…\u{FE6B}h \u{FF21}"),
        ("https://o'b:it's@h/k", "https://…@h/k"), ("'https://o'b:c@h' isn't 'x'", "'https://…@h' isn't 'x'"),
        ("get('https://a:b@h','ftp://c@i')", "get('https://…@h','ftp://…@i')"),
        ("'https://h/x' and 'https://a:b@i'", "'https://h/x' and 'https://…@i'"),
        ("https://h/?u=https://o'b:c@i", "https://h/?u=https://…@i"), ("https://a:(b)*!$&',;=+~@h", "https://…@h"),
        ("'https://h:443'", "'https://h:443'"), ("https://o%27b:c@h's", "https://…@h's"),
        (#"https:\\/\\/a:b@h"#, #"https:\\/\\/…@h"#), (#"C:\a:b/@c"#, #"C:\a:b/@c"#),
    ])
    func urlsInATextLoseUserAndPassword(text: String, expected: String) {
        #expect(text.withoutUserInfoInURLs == expected)
        #expect(expected.withoutUserInfoInURLs == expected)
    }

    @Test(arguments: [
        ("a=b@c", "…@c"), ("--connect-to a,b@c", "--connect-to …@c"), ("\"a@c\"", "\"…@c\""), ("a%40c", "…%40c"),
        ("a%3Ab%2540c", "…%2540c"), ("https://a%40c", "https://…%40c"), ("fe80::1%40", "fe80::1%40"), ("c%41", "c%41"),
        ("a:b%EF%BC%A0c", "…%EF%BC%A0c"), ("a:b%25ef%25b9%25abc", "…%25ef%25b9%25abc"), ("c%EF%BC%A1", "c%EF%BC%A1"),
        ("a:b\u{FF20}c", "…\u{FF20}c"), ("b\u{FE6B}c", "…\u{FE6B}c"), ("\u{FF21}b", "\u{FF21}b"),
    ])
    func targetsLoseUserAndPassword(text: String, expected: String) { #expect(text.targetWithoutUserInfo == expected) }

    @Test(arguments: [("\"a:b@c\"", "\"…@c\""), ("\"a@b\"", "\"a@b\""), ("\"https://a@h\"", "\"https://…@h\"")])
    func aQuotedTargetLosesUserAndPassword(text: String, expected: String) {
        #expect(text.withoutUserInfo == expected)
    }

    /// The characters of the first two planes that NFKC, as Foundation implements it, replaces by `@`, and no others.
    @Test func atSignsAreThoseOfNFKC() {
        for scalar in (0x80...0x1FFFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init) {
            let text = "a:b\(String(scalar))c"
            let hasAtSign = String(scalar).precomposedStringWithCompatibilityMapping.unicodeScalars.contains("@")
            guard hasAtSign || text.utf8.hasAtSign else { continue }
            #expect(hasAtSign && text.utf8.hasAtSign && !text.targetWithoutUserInfo.hasPrefix("a"), "\(scalar.value)")
        }
    }

    /// A quotation may end before the @.
    @Test(arguments: [20, 200]) func quotationsHaveNoPassword(length: Int) {
        let url = "see https://alice:\(String(repeating: "secret", count: length))@host.test/"
        #expect(url.quotedExcerpt == "\"see https://…@host.test/\"")
    }

    /// Other URLs stay, because other secrets in them are replaced later.
    @Test(arguments: [
        ("x https://a:b", "x https://…"), ("https://a:b@c", "https://…"), ("https://a:b@c/", "https://a:b@c/…"),
        ("https://a:b%4", "https://…"), ("https://h/x", "https://h/x…"), ("https://h x", "https://h x…"),
        ("https://", "https://…"), ("https", "https…"), ("", "…"), ("a@b", "a@b…"),
        ("https://h:443/x", "https://h:443/x…"),
    ])
    func startsOfATextHideWhatCanBeAUser(text: String, expected: String) {
        #expect(text.asStart == expected)
    }

    @Test(
        arguments: [
            ("host \"a:b@c\" is wrong", "a:b@c", "host \"…@c\" is wrong"),
            ("host 'a:b@c', https://d:e@f", "a:b@c", "host '…@c', https://…@f"),
            ("a:b@c", "x.test", "…@c"), ("a:b@c", nil, "…@c"),
            ("x a:b@c, <d:e@f> g@h 1:2", nil, "x …@c, <…@f> g@h 1:2"),
            ("https://h:443/x@y z", nil, "https://h:443/x@y z"),
            ("a:b@h/?n=https://x", nil, "…@h/?n=https://x"),
            ("o'brien:it's@h, x's", nil, "…@h, x's"), ("'o'brien:b@h' isn't 'x'", nil, "'…@h' isn't 'x'"),
            ("Pool(host='a:b@c', x='y')", nil, "Pool(host='…@c', x='y')"),
            ("'https://h/x','a:b@c'", nil, "'https://h/x','…@c'"), ("the cert's a@b", nil, "the cert's a@b"),
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
    @Test(
        .notWithSanitizer,
        arguments: [
            "://", "://a:b/", "https://a:b@c/", #":\"#, "%25", "::1%40", "%3A//", "a:b\u{FF20}", "://'", "'a:b@c",
        ])
    func theWorkIsLinear(url: String) {
        func remove(_ count: Int) -> () -> Void {
            let text = String(repeating: url, count: count)
            return { _ = text.withoutUserInfoInURLs }
        }
        let growth = Work.growth(small: remove(1000), large: remove(8000))
        #expect(growth < 20)
    }
}
