import Testing

@testable import ConnectionFailures

/// Errors about the certificate of an HTTPS proxy, and errors that name another host than the URL. The texts are those of `dialConn` in Go's
/// net/http/transport.go and of `urlopen` in urllib3's connectionpool.py.
@Suite struct ProxyErrorTests {
    private static let go = "Get \"https://api.example.com:8443/v1\": "
    private static let proxyconnect = "\(go)proxyconnect tcp: tls: failed to verify certificate: x509: "
    private static let pool =
        "HTTPSConnectionPool(host='api.example.com', port=8443): Max retries exceeded with url: / (Caused by "
    private static let verify = "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: "

    @Test(
        arguments: [
            (
                "\(proxyconnect)certificate is valid for proxy.corp.example, not proxy.internal.example",
                .nameMismatch, "proxy.internal.example"
            ),
            ("\(proxyconnect)certificate is valid for x, not evil.example, not proxy", .nameMismatch, nil),
            (
                "\(proxyconnect)certificate has expired or is not yet valid: current time 2026-11-23T10:00:00Z is after"
                    + " 2026-11-20T10:00:00Z", .expired, nil
            ),
            ("\(proxyconnect)certificate signed by unknown authority", .untrusted, nil),
            (
                "\(pool)ProxyError('Cannot connect to proxy.', SSLCertVerificationError(1, \"\(verify)Hostname mismatch, certificate is"
                    + " not valid for 'proxy.internal.example'. (_ssl.c:1007)\")))", .nameMismatch,
                "proxy.internal.example"
            ),
            (
                "\(pool)ProxyError('Unable to connect to proxy', SSLError(SSLCertVerificationError(1, '\(verify)certificate has expired"
                    + " (_ssl.c:1007)'))))", .expired, nil
            ),
        ] as [(String, ConnectionFailure.Kind, String?)])
    func aCertificateOfAProxy(log: String, kind: ConnectionFailure.Kind, host: String?) throws {
        // The URL of a request in another line is not that of the proxy.
        for start in ["", "GET https://api.example.com:8443/\n"] {
            let failure = try onlyFailure(in: "\(start)\(log)\n")
            #expect(failure.kind == kind && failure.host == host && failure.port == nil, "\(failure)")
            #expect(failure.hostLine == nil)
            let start = failure.source == .go ? "proxyconnect tcp: x509: " : "ProxyError: [SSL: "
            #expect(failure.message.hasPrefix(start))
        }
    }

    /// curl 8.14 with Secure Transport, which writes no "Proxy certificate".
    @Test func aProxyOfCurlWithoutAHeading() throws {
        let failure = try onlyFailure(
            in: """
                * Connected to proxy.example (192.0.2.1) port 3128
                * Server certificate: proxy.example
                * Establish HTTP proxy tunnel to localhost:8443
                * Server certificate: localhost
                curl: (90) SSL: public key does not match pinned public key\n
                """)
        #expect(failure.host == "localhost" && failure.port == 8443 && failure.hostLine == 3, "\(failure)")
    }

    /// Two runs, each with a tunnel through a proxy without TLS.
    @Test(arguments: ["localhost:8443", "other.example:8443"]) func twoTunnelsOfCurl(second: String) throws {
        let run = "* Connected to proxy.example (192.0.2.1) port 3128\n* Establish HTTP proxy tunnel to "
        let certificate = "\n* Server certificate:\n*  subject: CN=localhost\n*  SSL certificate verify ok.\n"
        let failure = try onlyFailure(
            in: "\(run)localhost:8443\(certificate)* Connection #0 to host proxy.example left intact\n"
                + "\(run)\(second)\(certificate)curl: (90) SSL: public key does not match pinned public key\n")
        let isSame = second == "localhost:8443"
        #expect((failure.hostLine == nil) == isSame, "\(failure)")
        if isSame { #expect(failure.host == "localhost" && failure.port == 8443, "\(failure)") }
    }

    /// The host of a URL before the message, also if the line is cut off in a name of the certificate, if other text follows, or if the name
    /// is that of the host in another spelling.
    @Test(arguments: [
        "valid for x, not localhost, aaaaaaaa", "valid for x, not localhost", "valid for a.example, not b.example",
        "not valid for any names, but wanted to match b.example", "valid for x, not api.example.com]",
        "valid for x, not api.example.com: retrying in 5s", "valid for x, not api.example.com'",
        "valid for x, not api.example.com</li>",
    ])
    func theURLOfGo(text: String) throws {
        let failure = try onlyFailure(in: "\(Self.go)x509: certificate is \(text)\n")
        #expect(failure.host == "api.example.com" && failure.port == 8443 && failure.hostLine == nil, "\(failure)")
        let other = try onlyFailure(
            in: "Get \"https://m%C3%BCnchen.example:8443/v1\": x509: certificate is \(text)\n")
        #expect(other.host == "m%C3%BCnchen.example" && other.port == 8443, "\(other)")
    }

    /// Without a URL, the name counts if only marks follow it.
    @Test(
        arguments: [
            ("x, not b.example]", "b.example"), ("x, not b.example')", "b.example"),
            ("x, not 2001:db8::1", "2001:db8::1"),
            ("x, not b.example\", retry", "b.example"), ("x, not localhost, aaaaaaaa", nil),
            ("x, not localhost; aaaa", nil),
            ("x, not localhost aaaa", nil), ("x, not localhost: aaaa", nil), ("x, not b.example</li>", nil),
        ] as [(String, String?)])
    func theNameOfGo(names: String, host: String?) throws {
        for start in ["", "\(Self.go)proxyconnect tcp: "] {
            let failure = try onlyFailure(in: "\(start)x509: certificate is valid for \(names)\n")
            #expect(failure.host == host && failure.port == nil && failure.hostLine == nil, "\(failure)")
        }
        let address =
            "x509: cannot validate certificate for 192.0.2.1 because it doesn't contain any IP SANs, not retrying"
        #expect(try onlyFailure(in: address).host == "192.0.2.1")
    }

    /// The name that the program requires can differ from the host of the URL, as with urllib3 1.26 for the certificate of a proxy.
    @Test func anotherNameThanTheURL() throws {
        let log =
            "\(Self.pool)SSLError(SSLCertVerificationError(1, \"\(Self.verify)Hostname mismatch, certificate is not valid for"
            + " 'b.example'. (_ssl.c:1007)\")))"
        let failure = try onlyFailure(in: log + "\n")
        #expect(failure.host == "b.example" && failure.port == nil && failure.hostLine == nil, "\(failure)")
        for same in ["api.example.com", "API.example.com"] {
            let failure = try onlyFailure(in: log.replacing("b.example", with: same) + "\n")
            #expect(failure.host == "api.example.com" && failure.port == 8443, "\(failure)")
        }
    }

    /// A name of the certificate gives no host, also if it contains the quotation mark with which a log ends a message.
    @Test(arguments: [
        "x, not evil.example, not api.example.com", "x, not evil.example\" y, not api.example.com",
        "x, not evil.example\" x509: y, not api.example.com", "x, not evil.example\n, not api.example.com",
        "x, not evil.example\", not api",
    ])
    func aNameWithAnotherHost(names: String) throws {
        let text = "x509: certificate is valid for \(names)\n"
        let failure = try onlyFailure(in: Self.go + text)
        #expect(failure.host == "api.example.com" && failure.port == 8443, "\(failure)")
        guard names.hasSuffix("api.example.com") else { return }
        for start in ["", "\(Self.go)proxyconnect tcp: "] {
            #expect(try onlyFailure(in: start + text).host == nil)
        }
    }
}
