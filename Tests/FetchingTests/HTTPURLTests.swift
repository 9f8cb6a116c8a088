import Testing

@testable import Fetching

@Suite struct HTTPURLTests {
    /// RFC 6874, section 4: a zone means nothing to another machine.
    @Test func requestsHaveNoZone() throws {
        let url = try #require(HTTPURL("http://[fe80::1%25lo]:81/x"))
        #expect(String(decoding: url.request, as: UTF8.self).hasPrefix("GET /x HTTP/1.1\r\nHost: [fe80::1]:81\r\n"))
        let proxied = String(decoding: url.proxyRequest(authorization: nil), as: UTF8.self)
        #expect(proxied.hasPrefix("GET http://[fe80::1]:81/x HTTP/1.1\r\nHost: [fe80::1]:81\r\n"))
    }

    @Test func readsURLs() throws {
        for (text, shown) in [
            ("http://ca.example.com/a.der", "http://ca.example.com/a.der"),
            ("HTTP://CA.example.com", "http://ca.example.com/"),
            ("http://127.0.0.1:8080/a?b#c", "http://127.0.0.1:8080/a?b"), ("http://[::1]:80?x", "http://[::1]/?x"),
            ("http://[fe80::1%25lo]/x", "http://[fe80::1%25lo]/x"),
        ] {
            let url = try #require(HTTPURL(text))
            #expect(url.description == shown)
        }
        for text in [
            "https://ca.example.com/", "ldap://ca.example.com/", "file:///etc/passwd", "http://", "http:///x",
            "http://user@host/", "http://host/a b", "http://host/\r\nX: y", "http://host:0x50/", "http://ho st/",
            "http://host/\u{E9}", "http://" + String(repeating: "a", count: 9000),
        ] {
            #expect(HTTPURL(text) == nil, "\(text)")
        }
        let url = try #require(HTTPURL("http://ca.example.com:81/a/b"))
        #expect(url.redirected(to: "/c")?.description == "http://ca.example.com:81/c")
        #expect(url.redirected(to: "//other.example/c")?.description == "http://other.example/c")
        #expect(url.redirected(to: "http://other.example")?.description == "http://other.example/")
        for location in ["https://ca.example.com/", "c", "", "/a b"] { #expect(url.redirected(to: location) == nil) }
        let request = String(decoding: url.request, as: UTF8.self)
        #expect(request.hasPrefix("GET /a/b HTTP/1.1\r\nHost: ca.example.com:81\r\n"))
        #expect(request.hasSuffix("Connection: close\r\n\r\n"))
    }
}
