import Pinning
import TestSupport
import Testing

@testable import Fetching

@Suite struct TargetTests {
    @Test(arguments: [
        ("example.com", "example.com:443"), ("example.com:8443", "example.com:8443"),
        ("EXAMPLE.com.", "example.com:443"), ("localhost:1", "localhost:1"), ("a_b.example:65535", "a_b.example:65535"),
        ("example.com:00443", "example.com:443"),
        ("192.0.2.1", "192.0.2.1:443"), ("192.0.2.1:443", "192.0.2.1:443"),
        ("::1", "[::1]:443"), ("2001:DB8:0:0::1", "[2001:db8::1]:443"), ("[::1]", "[::1]:443"),
        ("[2001:db8::1]:8443", "[2001:db8::1]:8443"), ("::ffff:192.0.2.1", "[::ffff:192.0.2.1]:443"),
        // Without brackets, the whole text is the address.
        ("2001:db8::1:443", "[2001:db8::1:443]:443"),
        ("fe80::1%eth0", "[fe80::1%eth0]:443"), ("[fe80::1%2]:444", "[fe80::1%2]:444"),
        ("[fe80::1%25]:444", "[fe80::1%25]:444"), ("https://[fe80::1%25eth0]:444/", "[fe80::1%eth0]:444"),
        ("https://[fe80::1%eth0.7]/", "[fe80::1%eth0.7]:443"),
        ("https://example.com", "example.com:443"), ("HTTPS://EXAMPLE.com:8443/x?y#z", "example.com:8443"),
        ("https://example.com?q=a@b:c", "example.com:443"), ("https://example.com#@", "example.com:443"),
        ("https://192.0.2.1:8443/", "192.0.2.1:8443"), ("https://[::1]", "[::1]:443"),
        ("wss://example.com/socket", "example.com:443"), ("tls://example.com:853", "example.com:853"),
        ("Bücher.example:444", "xn--bcher-kva.example:444"), ("bu\u{308}cher。example", "xn--bcher-kva.example:443"),
        ("https://пример.рф/путь", "xn--e1afmkfd.xn--p1ai:443"),
    ])
    func readsHostPortAndName(text: String, description: String) throws {
        let target = try Target(parsing: text)
        #expect(target.description == description)
        #expect(try Target(parsing: description) == target)
    }

    /// The text of a target contains its server name in normalized spelling.
    @Test(arguments: [
        ("192.0.2.7:443=api.example.com", "192.0.2.7:443=api.example.com", ServerIdentity.name("api.example.com")),
        ("192.0.2.7=API.Example.com.", "192.0.2.7:443=api.example.com", .name("api.example.com")),
        (
            "[2001:db8::7]:8443=bücher.example", "[2001:db8::7]:8443=xn--bcher-kva.example",
            .name("xn--bcher-kva.example")
        ),
        ("lb.example:8443=2001:DB8::1", "lb.example:8443=2001:db8::1", .address("2001:db8::1")),
        ("2001:db8::7=a.example", "[2001:db8::7]:443=a.example", .name("a.example")),
    ])
    func readsTheServerName(text: String, description: String, identity: ServerIdentity) throws {
        let target = try Target(parsing: text)
        #expect(target.description == description)
        #expect(target.identity == identity)
        #expect(try Target(parsing: description) == target)
    }

    @Test func rejectsInvalidServerNames() {
        #expect(throws: TargetError.noServerName) { try Target(parsing: "192.0.2.7:443=") }
        #expect(throws: TargetError.name("a b", .whiteSpace)) { try Target(parsing: "192.0.2.7:443=a b") }
        #expect(throws: TargetError.name("a=b", .character("="))) { try Target(parsing: "192.0.2.7=a=b") }
        #expect(throws: TargetError.port("x")) { try Target(parsing: "192.0.2.7:x=a.example") }
    }

    @Test func certificateIdentityIsTheServerName() throws {
        #expect(try Target(parsing: "Example.COM.:444").identity == .name("example.com"))
        #expect(try Target(parsing: "192.0.2.1").identity == .address("192.0.2.1"))
        // A zone is local to the machine, and no certificate contains one.
        let local = try Target(parsing: "[FE80::0:1%eth0]:444")
        #expect(local.identity == .address("fe80::1"))
        #expect(local.hostText == "fe80::1%eth0")
        #expect(local.host == .address(try #require(IPAddress("fe80::1")), zone: "eth0"))
    }

    /// The canonical form shows a protocol that precedes TLS. The canonical form of a target is a target, and equal to it.
    @Test(
        arguments: [
            ("smtp://mail.example.com", "smtp://mail.example.com:25"),
            ("SMTP://Mail.Example.com.:587/x", "smtp://mail.example.com:587"),
            ("submission://mail.example.com", "smtp://mail.example.com:587"),
            ("smtps://mail.example.com", "mail.example.com:465"),
            ("lmtp://mail.example.com", "lmtp://mail.example.com:24"),
            ("imap://[2001:db8::1]", "imap://[2001:db8::1]:143"), ("imaps://a.example", "a.example:993"),
            ("pop3://a.example", "pop3://a.example:110"), ("pop3s://a.example", "a.example:995"),
            ("ftp://a.example", "ftp://a.example:21"), ("ftps://a.example", "a.example:990"),
            ("ldap://a.example", "ldap://a.example:389"), ("ldaps://a.example/dc=x", "a.example:636"),
            ("nntp://a.example", "nntp://a.example:119"), ("nntps://a.example", "a.example:563"),
            ("sieve://a.example", "sieve://a.example:4190"), ("irc://a.example", "irc://a.example:6667"),
            ("ircs://a.example", "a.example:6697"), ("telnet://a.example", "telnet://a.example:23"),
            ("xmpp://a.example", "xmpp://a.example:5222"), ("xmpp-server://a.example", "xmpp-server://a.example:5269"),
            ("postgres://a.example/db", "postgres://a.example:5432"),
            ("postgresql://a.example", "postgres://a.example:5432"), ("mysql://a.example", "mysql://a.example:3306"),
            ("mssql://a.example", "mssql://a.example:1433"), ("rdp://a.example", "rdp://a.example:3389"),
            ("mqtts://a.example", "a.example:8883"), ("amqps://a.example", "a.example:5671"),
            ("dot://192.0.2.1", "192.0.2.1:853"),
            ("smtp://192.0.2.1=mail.example.com", "smtp://192.0.2.1:25=mail.example.com"),
        ]) func schemes(text: String, canonical: String) throws
    {
        let target = try Target(parsing: text)
        #expect(target.description == canonical)
        #expect(try Target(parsing: canonical) == target)
    }

    /// The ports of the IANA registry of service names: pop3s, imaps, submissions and domain-s are not HTTPS.
    @Test(arguments: [
        ("a.example", true), ("a.example:8443", true), ("a.example:1024", true), ("a.example:995", false),
        ("a.example:993", false), ("a.example:465", false), ("a.example:853", false), ("smtp://a.example:8443", false),
    ]) func usualTargetsOfHTTPS(text: String, isHTTPS: Bool) throws {
        #expect(try Target(parsing: text).isUsuallyHTTPS == isHTTPS)
    }

    /// `--starttls` selects the protocol and the default port of a host without a scheme.
    @Test(
        arguments: [
            ("a.example", "smtp://a.example:587"), ("a.example:2525", "smtp://a.example:2525"),
            ("a.example:443", "smtp://a.example:443"), ("10.0.0.0/31", "smtp://10.0.0.0:587,smtp://10.0.0.1:587"),
            ("10.0.0.0/31:25", "smtp://10.0.0.0:25,smtp://10.0.0.1:25"), ("imap://a.example", "imap://a.example:143"),
        ]) func bareSchemes(text: String, targets: String) throws
    {
        let range = try TargetRange(parsing: text, bareScheme: .submission)
        #expect(range.map(\.description).joined(separator: ",") == targets)
        guard !range.hasScheme else { return }
        #expect(
            try TargetRange(parsing: text).with(scheme: .submission).map(\.description).joined(separator: ",")
                == targets)
    }

    static let ipv6Hint = "write an IPv6 address with a port as [2001:db8::1]:443"
    static let bracketHint = "use brackets for IPv6 addresses only: [2001:db8::1]:443"
    static let pathHint = "use HOST[:PORT] or the whole https:// URL"
    static let schemeHint =
        "use one of: https, wss, tls, smtp, submission, smtps, lmtp, imap, imaps, pop3, pop3s, sieve, ftp, ftps, ldap, ldaps, nntp,"
        + " nntps, irc, ircs, xmpp, xmpp-server, telnet, postgres, mysql, mssql, rdp, mqtts, amqps, dot"
    static let notAddress = "is neither a host name nor an IPv4 address of four numbers from 0 to 255"
    static let addressHint = "write an IPv4 address as 192.0.2.1, without leading zeros"
    static let notInNames = "contains a character that host names cannot contain:"

    @Test(
        arguments: [
            ("", .empty, "it is empty", nil),
            (":443", .noHost, "it has no host", nil),
            ("https://", .noHost, "it has no host", nil),
            ("https:///path", .noHost, "it has no host", nil),
            ("https://:443", .noHost, "it has no host", nil),
            ("gopher://x", .scheme("gopher"), #""gopher://" is not a known scheme"#, schemeHint),
            ("smpt://x", .scheme("smpt"), #""smpt://" is not a known scheme"#, "use smtp://"),
            ("imapx://x", .scheme("imapx"), #""imapx://" is not a known scheme"#, "use imap:// or imaps://"),
            ("user:a/b@host", .userInfo, "it has a user name", "remove the user name and the @"),
            ("gopher://a:b@host", .userInfo, "it has a user name", "remove the user name and the @"),
            ("https://user:a/b@host", .userInfo, "it has a user name", "remove the user name and the @"),
            ("://x", .scheme(""), #""://" is not a known scheme"#, schemeHint),
            (
                "HTTP://x", .scheme("http"), #""http://" is not a known scheme"#,
                "use HOST:443 or the https:// URL: plain HTTP has no certificate"
            ),
            ("host/path", .path("/path"), #"it has a path, "/path""#, pathHint),
            ("localhost:443/", .path("/"), #"it has a path, "/""#, pathHint),
            ("[::1]/x", .path("/x"), #"it has a path, "/x""#, pathHint),
            ("user@host", .userInfo, "it has a user name", "remove the user name and the @"),
            ("https://user@host", .userInfo, "it has a user name", "remove the user name and the @"),
            ("https://a:b@host:443/", .userInfo, "it has a user name", "remove the user name and the @"),
            ("host:", .port(""), "the port after the colon is missing", nil),
            ("[::1]:", .port(""), "the port after the colon is missing", nil),
            ("host:0", .port("0"), #""0" is not a port from 1 to 65535"#, nil),
            ("host:65536", .port("65536"), #""65536" is not a port from 1 to 65535"#, nil),
            ("host:99999", .port("99999"), #""99999" is not a port from 1 to 65535"#, nil),
            ("host:0x1bb", .port("0x1bb"), #""0x1bb" is not a port from 1 to 65535"#, nil),
            ("host:+443", .port("+443"), #""+443" is not a port from 1 to 65535"#, nil),
            ("host:４４３", .port("４４３"), #""４４３" is not a port from 1 to 65535"#, nil),
            ("192.0.2.1:https", .port("https"), #""https" is not a port from 1 to 65535"#, nil),
            ("[::1", .unclosedBracket, "the bracket is not closed", nil),
            ("[", .unclosedBracket, "the bracket is not closed", nil),
            ("[::1]x", .afterBracket("x"), #"the bracket is followed by "x" instead of a colon and a port"#, nil),
            ("[::1]443", .afterBracket("443"), #"the bracket is followed by "443" instead of a colon and a port"#, nil),
            ("[]", .inBrackets(""), #""" is not an IPv6 address"#, bracketHint),
            ("[1.2.3.4]", .inBrackets("1.2.3.4"), #""1.2.3.4" is not an IPv6 address"#, bracketHint),
            ("[example.com]:1", .inBrackets("example.com"), #""example.com" is not an IPv6 address"#, bracketHint),
            ("host:443:444", .notIPv6("host:443:444"), #""host:443:444" is not an IPv6 address"#, ipv6Hint),
            ("[1::2::3]", .notIPv6("1::2::3"), #""1::2::3" is not an IPv6 address"#, ipv6Hint),
            ("::", nil, "", nil),
            (":::", .notIPv6(":::"), #"":::" is not an IPv6 address"#, ipv6Hint),
            ("x::1%eth0", .notIPv6("x::1%eth0"), #""x::1%eth0" is not an IPv6 address"#, ipv6Hint),
            ("fe80::1%", .zone(""), #""" is not the name of a network interface"#, nil),
            ("fe80::1%a b", .zone("a b"), #""a b" is not the name of a network interface"#, nil),
            ("fe80::1%a]b", .zone("a]b"), #""a]b" is not the name of a network interface"#, nil),
            ("fe80::1%\u{0}", .zone("\u{0}"), "\"\u{0}\" is not the name of a network interface", nil),
            (
                "fe80::1%abcdefghijklmnop", .zone("abcdefghijklmnop"),
                #""abcdefghijklmnop" is not the name of a network interface"#, nil
            ),
            ("https://[fe80::1%25]", .zone(""), #""" is not the name of a network interface"#, nil),
            ("1.2.3", .name("1.2.3", .badAddress), "\"1.2.3\" \(notAddress)", addressHint),
            ("1.2.3.256:443", .name("1.2.3.256", .badAddress), "\"1.2.3.256\" \(notAddress)", addressHint),
            ("01.2.3.4", .name("01.2.3.4", .badAddress), "\"01.2.3.4\" \(notAddress)", addressHint),
            ("0x7f000001", .name("0x7f000001", .badAddress), "\"0x7f000001\" \(notAddress)", addressHint),
            ("a b", .name("a b", .whiteSpace), #""a b" contains white space"#, "remove the white space"),
            (
                "a..b", .name("a..b", .emptyLabel),
                #""a..b" has an empty label: two dots in a row, or one at the start"#, nil
            ),
            ("a\u{0}b", .name("a\u{0}b", .character("\u{0}")), "\"a\u{0}b\" \(notInNames) U+0000", nil),
            ("a\u{1B}[0m", .name("a\u{1B}[0m", .character("\u{1B}")), "\"a\u{1B}[0m\" \(notInNames) U+001B", nil),
            ("a?b", .name("a?b", .character("?")), "\"a?b\" \(notInNames) \"?\"", nil),
            ("*.example.com", .name("*.example.com", .character("*")), "\"*.example.com\" \(notInNames) \"*\"", nil),
            ("i❤.ws", .name("i❤.ws", .character("❤")), "\"i❤.ws\" \(notInNames) \"❤\" (U+2764)", nil),
        ] as [(String, TargetError?, String, String?)])
    func refuses(text: String, error: TargetError?, reason: String, hint: String?) throws {
        guard let error else {
            #expect(try Target(parsing: text).description == "[\(text)]:443")
            return
        }
        #expect(throws: error) { try Target(parsing: text) }
        #expect(error.reason == reason)
        #expect(error.hint == hint)
    }

    @Test func rejectsInvalidUTF8() throws {
        let error = #expect(throws: TargetError.self) { try Target(parsing: [0x61, 0xFF, 0x62]) }
        #expect(error == .name("a\u{FFFD}b", .character("\u{FFFD}")))
        #expect(throws: TargetError.port("\u{FFFD}")) { try Target(parsing: Array("a:".utf8) + [0xC3]) }
        // An incomplete character at the end, and an overlong encoding.
        #expect(throws: TargetError.self) { try Target(parsing: [0x61, 0xC3]) }
        #expect(throws: TargetError.self) { try Target(parsing: [0x61, 0xC1, 0xA1]) }
    }

    /// The message is readable for any input.
    @Test(.notWithSanitizer, arguments: ["a", ":", "[", "a/", "https://", "ü.", "1.", "%", "[::1]", "::1%", "a:1"])
    func rejectsEndlessTextQuickly(unit: String) {
        let text = String(repeating: unit, count: 20_000)
        var error: TargetError?
        let work = Work.nanoseconds { error = #expect(throws: TargetError.self) { try Target(parsing: text) } }
        #expect(work < 1_000_000_000)
        #expect(error.map { $0.reason.unicodeScalars.count < 250 } == true)
    }

    @Test func readsTheAddressOfConnectTo() throws {
        func read(_ text: String) throws(TargetError) -> String {
            let (host, port) = try Target.hostAndOptionalPort(parsing: text)
            return Target(host: host, port: port ?? 1).description
        }
        #expect(try read("192.0.2.1") == "192.0.2.1:1")
        #expect(try read("[::1]:8443") == "[::1]:8443")
        #expect(try read("Bücher.example") == "xn--bcher-kva.example:1")
        #expect(throws: TargetError.empty) { try read("") }
        #expect(throws: TargetError.url) { try read("https://192.0.2.1") }
        #expect(TargetError.url.reason == "a scheme is not allowed here")
        #expect(TargetError.url.hint == "use HOST[:PORT]")
        #expect(throws: TargetError.name("a/b", .character("/"))) { try read("a/b") }
    }

    @Test func acceptsOrRejectsAnyBytes() throws {
        var generator = SeededGenerator(seed: 3986)
        let pieces: [[UInt8]] =
            [
                "https://", "a", "B", ".", ":", "1", "443", "0", "[", "]", "::", "fe80::", "%", "%25", "eth0", "@", "/",
                "?", "#", "-", "ü",
            ]
            .map { Array($0.utf8) } + [[0x75, 0xCC, 0x88], [0xFF], [0], [0x1B], [0x20], [0xE3, 0x80, 0x82]]
        var accepted: Set<String> = []
        for _ in 0..<TestEnvironment.rounds(60_000) {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0...8, using: &generator) {
                bytes += try #require(pieces.randomElement(using: &generator))
            }
            if Int.random(in: 0..<10, using: &generator) == 0, !bytes.isEmpty {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            guard let target = try? Target(parsing: bytes) else { continue }
            accepted.insert(target.description)
            #expect(try Target(parsing: target.description) == target)
            guard target.serverName == nil else { continue }
            let inURL = target.description.replacing("%", with: "%25")
            #expect(try Target(parsing: "https://\(inURL)/") == target)
            // C functions get this text as a string.
            #expect(target.hostText.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        }
        #expect(accepted.count > TestEnvironment.rounds(500))
    }
}
