import Fetching
import Testing

@testable import HTTPSession

@Suite struct RequestURLTests {
    @Test(arguments: [
        ("https://www.example.com", "https://www.example.com/"),
        ("www.example.com/a?b#c", "https://www.example.com/a?b"),
        ("HTTP://Example.COM:80/x", "http://example.com/x"),
        ("http://[2001:DB8::1]:8080", "http://[2001:db8::1]:8080/"),
        ("https://example.com?q", "https://example.com/?q"), ("ftp://h", "ftp://h/"),
        ("https://h/a b\u{E4}\"<", "https://h/a%20b%C3%A4%22%3C"), ("https://h:8443/#f", "https://h:8443/"),
        ("localhost:8443/a", "https://localhost:8443/a"),
    ])
    func reads(text: String, expected: String) throws { #expect(try RequestURL(text).description == expected) }

    @Test(arguments: [
        "gopher://h/", "https://user@h/", "https://u:p@h/", "https://", "https://h:0/", "https://h:x/", "",
    ])
    func refuses(text: String) { #expect(throws: RequestURL.Failure.self) { try RequestURL(text) } }

    /// The examples of RFC 3986, sections 5.4.1 and 5.4.2, for the schemes that the session supports.
    @Test(arguments: [
        ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
        ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"),
        ("g#s", "http://a/b/c/g"), (";x", "http://a/b/c/;x"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
        ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"),
        ("../..", "http://a/"), ("../../", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"),
        ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
        ("g..", "http://a/b/c/g.."), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
        ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"), ("https://h:1/x", "https://h:1/x"),
    ])
    func resolves(reference: String, expected: String) throws {
        #expect(try RequestURL("http://a/b/c/d;p?q").resolving(reference).description == expected)
    }

    /// RFC 6874, sections 2 and 4: "%25" precedes the zone in a URL, and a request does not contain it.
    @Test(arguments: ["http://[fe80::1%25lo]:9/a", "http://[fe80::1%lo]:9/a"]) func zones(text: String) throws {
        let url = try RequestURL(text)
        #expect(url.target.hostText == "fe80::1%lo")
        #expect(url.description == "http://[fe80::1%25lo]:9/a")
        #expect(url.authority == "[fe80::1]:9" && url.requestTarget == "http://[fe80::1]:9/a")
        #expect(try RequestURL("http://[fe80::1%25lo]/").authority == "[fe80::1]")
    }

    @Test func otherSchemesAreNotResolved() throws {
        let base = try RequestURL("https://a/b")
        for reference in ["mailto:x@y", "javascript:alert(1)", "gopher://h/", "http://u:p@h/", "g:h"] {
            #expect(throws: RequestURL.Failure.self) { try base.resolving(reference) }
        }
        #expect(base.hasSameOrigin(as: try RequestURL("https://a:443/other")))
        for other in ["http://a/b", "https://a:8443/b", "https://b/b"] {
            #expect(!base.hasSameOrigin(as: try RequestURL(other)))
        }
    }
}
