import Authentication
import Encodings
import Pinning
import PlaintextProtocols
import TestSupport
import Testing

@testable import Fetching

/// URLs of proxies, and lists of hosts without a proxy.
@Suite struct ProxyTests {
    /// The default ports are those of curl ("-x, --proxy" in curl(1)).
    @Test(arguments: [
        ("http://proxy.example", "http://proxy.example:1080"), ("proxy.example:3128", "http://proxy.example:3128"),
        ("https://proxy.example/", "https://proxy.example:443"), ("SOCKS4://p", "socks4://p:1080"),
        ("socks4a://p:1", "socks4a://p:1"), ("socks5://192.0.2.1", "socks5://192.0.2.1:1080"),
        ("socks5h://[2001:db8::1]:9050", "socks5h://[2001:db8::1]:9050"),
        // RFC 6874, section 2; curl also accepts a percent sign alone.
        ("http://[fe80::1%25lo]:9", "http://[fe80::1%25lo]:9"), ("[fe80::1%lo]:9", "http://[fe80::1%25lo]:9"),
        ("http://m\u{FC}nchen.example:80", "http://xn--mnchen-3ya.example:80"),
    ])
    func reads(text: String, description: String) throws {
        let proxy = try Proxy(parsing: text)
        #expect(proxy.description == description)
        #expect(proxy.credential == nil)
    }

    @Test(arguments: [
        ("http://user:pass@p:1", "user", "pass"), ("u@p", "u", ""), ("socks5://us%20er:p%40ss%3A@p", "us er", "p@ss:"),
        ("http://user:p@ss:word@p:1", "user", "p@ss:word"), ("socks4://user@p", "user", ""),
        ("http://u:%C3%A4/x@p", "u", "\u{E4}/x"),
    ])
    func readsCredentials(text: String, user: String, password: String) throws {
        let proxy = try Proxy(parsing: text)
        let credential = try #require(proxy.credential)
        #expect(credential.user == user)
        #expect(credential.withPassword { $0 } == Array(password.utf8))
        var dumped = ""
        dump(proxy, to: &dumped)
        for text in [proxy.description, "\(proxy)", String(reflecting: proxy), dumped] where !password.isEmpty {
            #expect(!text.contains(password))
        }
    }

    @Test(
        arguments: [
            ("ftp://p", .scheme("ftp")), ("socks://p", .scheme("socks")), ("http://", .host(.empty)),
            ("http://p:0", .host(.port("0"))), ("http://p/path", .path), ("http://p?x", .path),
            ("http://u:%4@p", .userInfo),
            ("http://%FF:x@p", .userInfo), ("http://:secret@p", .noUser), ("socks4://u:secret@p", .password(.socks4)),
            ("socks4a://u%00:@p", .controlCharacter),
        ] as [(String, ProxyURLError)])
    func refuses(text: String, error: ProxyURLError) {
        #expect(throws: error) { try Proxy(parsing: text) }
        #expect(!error.reason.contains("secret") && !(error.hint ?? "").contains("secret"))
    }

    /// The text before an `@` is no part of an error, and a scheme is shown in lower case, so that neither shows the rest of a key.
    @Test(arguments: ["\\@\\", "://"]) func refusesAPrivateKey(separator: String) throws {
        let key = Base64.encode(try Vectors.bytes("private-p256-pkcs8.der"))
        let text = key.prefix(60) + separator + key.dropFirst(60)
        #expect(throws: ProxyURLError.privateKey) { try Proxy(parsing: String(text)) }
    }

    /// RFC 1929 has one byte for each length.
    @Test func limitsTheCredentialOfSOCKS5() throws {
        let long = String(repeating: "x", count: 256)
        #expect(throws: ProxyURLError.tooLong(.socks5, limit: 255)) { try Proxy(parsing: "socks5://u:\(long)@p") }
        #expect(throws: ProxyURLError.tooLong(.socks5h, limit: 255)) { try Proxy(parsing: "socks5h://\(long):u@p") }
        #expect(try Proxy(parsing: "http://u:\(long)@p").credential != nil)
    }

    /// The rules of curl's lib/noproxy.c; ProxyCurlTests compares them with curl itself.
    @Test(arguments: [
        ("example.com", "example.com", true), ("example.com", "www.example.com", true),
        (".example.com", "www.example.com", true), (".example.com", "example.com", true),
        ("example.com", "notexample.com", false), ("www.example.com", "example.com", false),
        ("EXAMPLE.com.", "example.com", true), ("a.example b.example,c.example", "b.example", true),
        ("*", "example.com", true), (" * ", "192.0.2.1", true), ("*,localhost", "example.com", false),
        ("*.example.com", "www.example.com", false), ("", "example.com", false), (",, ,", "example.com", false),
        ("192.0.2.0/24", "192.0.2.77", true), ("192.0.2.0/24", "192.0.3.1", false), ("192.0.2.1", "192.0.2.1", true),
        ("192.0.2.1", "192.0.2.10", false), ("0.0.0.0/0", "8.8.8.8", true), ("10.0.0.0/9", "10.127.0.1", true),
        ("10.0.0.0/9", "10.128.0.1", false), ("192.0.2.0/33", "192.0.2.0", false), ("192.0.2.0/-1", "192.0.2.0", false),
        ("2001:db8::/32", "[2001:db8:1::1]", true), ("2001:db8::/32", "[2001:db9::1]", false),
        ("[::1]", "[::1]", true), ("::1", "[::1]", true), ("0.0.0.0/0", "[::1]", false), ("::/0", "192.0.2.1", false),
        ("2.1", "192.0.2.1", false), ("example.com:8443", "example.com:8443", true),
        ("example.com:8443", "example.com", false), ("[::1]:443", "[::1]", true), ("192.0.2.1:80", "192.0.2.1", false),
    ])
    func exempts(list: String, target: String, isExempt: Bool) throws {
        #expect(NoProxyList(parsing: list).contains(try Target(parsing: target)) == isExempt)
    }

    /// "ENVIRONMENT" in curl(1): https_proxy is for HTTPS, and all_proxy for the other protocols, too.
    @Test func aProxyForHTTPSIsNotUsedForSTARTTLS() throws {
        let https = try Proxy(parsing: "http://https.example")
        let general = try Proxy(parsing: "http://all.example")
        let none = NoProxyList(parsing: "")
        let only = ProxyRules(
            https: https, general: nil, exempt: none, trust: TrustSource(), pins: nil,
            at: Timestamp(secondsSince1970: 0))
        let both = ProxyRules(
            https: https, general: general, exempt: none, trust: TrustSource(), pins: nil,
            at: Timestamp(secondsSince1970: 0))
        let mail = try Target(parsing: "smtp://h.example")
        let web = try Target(parsing: "h.example")
        #expect(only.proxy(for: mail) == nil)
        #expect(only.proxy(for: web)?.description == https.description)
        #expect(both.proxy(for: mail)?.description == general.description)
        #expect(both.proxy(for: web)?.description == https.description)
    }

    /// Only the host and the port of a target are in the request to a proxy.
    @Test(
        arguments: [
            ("target.example:8443", "target.example:8443", .name("target.example")),
            ("[2001:db8::1]", "[2001:db8::1]:443", IPAddress("2001:db8::1").map { .address($0) }),
            ("192.0.2.7=api.example.com", "192.0.2.7:443", IPAddress("192.0.2.7").map { .address($0) }),
            ("smtp://mail.example", "mail.example:25", .name("mail.example")),
        ] as [(String, String, SOCKSDestination?)])
    func requestsNameTheTarget(text: String, authority: String, destination: SOCKSDestination?) throws {
        let target = try Target(parsing: text)
        let tunnel = Tunnel(try Proxy(parsing: "p"), to: target.host, port: target.port, tls: nil)
        #expect(tunnel.authority == authority)
        #expect(target.host.socksDestination == destination)
    }

    @Test func namesInvalidExemptions() {
        #expect(
            NoProxyList(parsing: "a.example,*.b.example,192.0.2.0/40").invalidEntries == [
                "*.b.example", "192.0.2.0/40",
            ])
        #expect(NoProxyList(parsing: "*").invalidEntries.isEmpty)
    }
}
