import Testing

@testable import Encodings
@testable import Pinning

@Suite struct HostNameTests {
    @Test(arguments: [
        ("example.com", "example.com"), ("API.Example.COM", "api.example.com"), ("example.com.", "example.com"),
        ("localhost", "localhost"), ("xn--bcher-kva.example", "xn--bcher-kva.example"),
        ("Bücher.example", "xn--bcher-kva.example"), ("bu\u{308}cher。example", "xn--bcher-kva.example"),
        ("ПРИМЕР.испытание", "xn--e1afmkfd.xn--80akhbyknj4f"),
        ("_dmarc.a-b.example", "_dmarc.a-b.example"),
        ("3com.example", "3com.example"), ("1.2.3.4.in-addr.arpa", "1.2.3.4.in-addr.arpa"), ("192.0.2.1", "192.0.2.1"),
        ("2001:DB8:0:0::1", "2001:db8::1"), ("[2001:db8::0:1]", "2001:db8::1"),
        ("::FFFF:192.0.2.1", "::ffff:192.0.2.1"),
        (String(repeating: "a", count: 63) + ".b", String(repeating: "a", count: 63) + ".b"),
        (String(repeating: "a.", count: 126) + "b.", String(repeating: "a.", count: 126) + "b"),
    ])
    func normalizes(host: String, name: String) throws {
        #expect(try HostName.normalized(host) == name)
        #expect(try HostName.normalized(name) == name)
    }

    static let addresses =
        "write IPv4 as four numbers up to 255 without leading zeros, and IPv6 as up to eight groups of hexadecimal digits"

    @Test(
        arguments: [
            ("", .name(.empty), "the host is empty", nil),
            (
                "https://api.example.com:443/v1", .scheme,
                #""https://api.example.com:443/v1" has a scheme, but a host is expected"#,
                #"write "api.example.com""#
            ),
            (
                "https://alice:S3cret@api.example.com/", .scheme,
                #""https://…@api.example.com/" has a scheme, but a host is expected"#, #"write "api.example.com""#
            ),
            (
                "alice:S3cret@api.example.com", .address,
                #""…@api.example.com" is neither a host name nor an IP address"#, addresses
            ),
            (
                "https://[::1]:8443", .scheme, #""https://[::1]:8443" has a scheme, but a host is expected"#,
                #"write "::1""#
            ),
            (
                "example.com/", .path, #""example.com/" has a path, but a host is expected"#,
                #"write "example.com""#
            ),
            (
                "example.com:443", .port, #""example.com:443" has a port, but a host is expected"#,
                #"write "example.com""#
            ),
            (
                "192.0.2.1:443", .port, #""192.0.2.1:443" has a port, but a host is expected"#,
                #"write "192.0.2.1""#
            ),
            (
                "[2001:db8::1]:443", .port, #""[2001:db8::1]:443" has a port, but a host is expected"#,
                #"write "2001:db8::1""#
            ),
            ("a b:443", .port, #""a b:443" has a port, but a host is expected"#, nil),
            (
                " example.com", .name(.whiteSpace), #"the host " example.com" contains white space"#,
                "remove the white space"
            ),
            (
                "example.com\n", .name(.whiteSpace), #"the host "example.com\n" contains white space"#,
                "remove the white space"
            ),
            (
                "*.example.com", .wildcard, #""*.example.com" is a wildcard, but a host is expected"#,
                #"write "example.com" with "subdomains": "one""#
            ),
            (
                "**.example.com", .wildcard, #""**.example.com" is a wildcard, but a host is expected"#,
                #"write "example.com" with "subdomains": "all""#
            ),
            (
                "a.*.example.com", .name(.character("*")),
                #"the host "a.*.example.com" contains a character that host names cannot contain: "*""#, nil
            ),
            (
                "a@example.com", .name(.character("@")),
                #"the host "…@example.com" contains a character that host names cannot contain: "@""#, nil
            ),
            (
                "i❤.example", .name(.character("❤")),
                #"the host "i❤.example" contains a character that host names cannot contain: "❤" (U+2764)"#, nil
            ),
            (
                "a..example.com", .name(.emptyLabel),
                #"the host "a..example.com" has an empty label: two dots in a row, or one at the start"#, nil
            ),
            (
                ".example.com", .name(.emptyLabel),
                #"the host ".example.com" has an empty label: two dots in a row, or one at the start"#, nil
            ),
            (
                "example.com..", .name(.emptyLabel),
                #"the host "example.com.." has an empty label: two dots in a row, or one at the start"#, nil
            ),
            (
                ".", .name(.emptyLabel),
                #"the host "." has an empty label: two dots in a row, or one at the start"#, nil
            ),
            ("192.0.2", .name(.badAddress), #""192.0.2" is neither a host name nor an IP address"#, addresses),
            ("192.0.2.256", .name(.badAddress), #""192.0.2.256" is neither a host name nor an IP address"#, addresses),
            ("192.0.2.01", .name(.badAddress), #""192.0.2.01" is neither a host name nor an IP address"#, addresses),
            ("2001:db8::1::", .address, #""2001:db8::1::" is neither a host name nor an IP address"#, addresses),
            ("fe80::1%eth0", .address, #""fe80::1%eth0" is neither a host name nor an IP address"#, addresses),
            ("[::1", .address, #""[::1" is neither a host name nor an IP address"#, addresses),
            ("[192.0.2.1]", .address, #""[192.0.2.1]" is neither a host name nor an IP address"#, addresses),
            ("[]", .address, #""[]" is neither a host name nor an IP address"#, addresses),
        ] as [(String, HostNameError.Reason, String, String?)])
    func refuses(host: String, reason: HostNameError.Reason, message: String, hint: String?) {
        let error = #expect(throws: HostNameError.self) { try HostName.normalized(host) }
        #expect(error == HostNameError(host: host, reason: reason))
        #expect(error?.message == message)
        #expect(error?.hint == hint)
    }

    /// Each text has the first bytes of a key: Ed25519 (RFC 8410, section 7) in hexadecimal digits, in base64, in digits that the conversion
    /// to A-labels replaces, and an EC key (RFC 5915, section 3) as an IPv6 address.
    @Test(arguments: [
        "302e020100300506032b657004220420d4735e3a265e16eee03f5971",
        "302E020100300506032B657004220420D4735E3A265E16EEE03F5971",
        "a.302e020100300506032b657004220420d4735e3a265e16eee03f5971.test",
        "*.302e020100300506032b657004220420d4735e3a265e16eee03f5971",
        "302e020100300506032b657004220420aabbccdd.d4735e3a265e16eee03f5971.test",
        "MC4CAQAwBQYDK2VwBCIEINRzXjomXhbu4D9ZcYubXQMBnAfYtsUfkNo6Zm7s",
        "https://MC4CAQAwBQYDK2VwBCIEINRzXjomXhbu4D9ZcYubXQMBnAfYtsUfkNo6Zm7s/",
        "\u{FF13}\u{FF10}2e020100300506032b657004220420d4735e3a265e16eee03f5971",
        "3077:0201:0104:20d4:735e:3a26:5e16:eee0",
    ])
    func refusesPrivateKeys(host: String) {
        let error = #expect(throws: HostNameError.self) { try HostName.normalized(host) }
        #expect(error?.reason == .name(.privateKey))
        #expect(error?.message.hasSuffix("contains a private key") == true)
        #expect(error?.hint == "remove it, and replace the key if others could read it")
        let shown = ((error?.message ?? "") + (error?.hint ?? "")).lowercased()
        #expect(!shown.contains("d4735e3a") && !shown.contains("rzxjo") && !shown.contains("735e"))
    }

    /// Labels of digits are names: a digest, also one that begins as a key does, a host of a CDN, an onion service, and an A-label.
    @Test(arguments: [
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a0.example",
        "302e86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00.example",
        "30820122300d06092a864886f70d01010105000382010f003082010a0282010.example",
        "d111111abcdef8.cloudfront.net", "2d2d2d2d2d424547494e.example", "6f70656e7373682d.example",
        "duckduckgogg42xjoc72x3sjasowoarfbgcmvfimaftt6twagswzczad.onion", "xn--80akhbyknj4f.xn--e1afmkfd",
        "3077:201:104:20d4::1", "2001:db8:302e:201:30:506:32b:6570", "302e0201-0030-4506-832b-657004220420.example",
    ])
    func acceptsNamesOfDigits(host: String) throws {
        #expect(try HostName.normalized(host) == host)
    }

    @Test func limitsLengths() {
        let label = #expect(throws: HostNameError.self) {
            try HostName.normalized(String(repeating: "a", count: 64) + ".b")
        }
        #expect(label?.reason == .name(.labelTooLong(String(repeating: "a", count: 64))))
        let long = #expect(throws: HostNameError.self) {
            try HostName.normalized(String(repeating: "a.", count: 126) + "bc")
        }
        #expect(long?.reason == .name(.tooLong(254)))
    }
}
