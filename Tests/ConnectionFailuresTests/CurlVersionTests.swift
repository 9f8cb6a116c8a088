import TestSupport
import Testing

@testable import ConnectionFailures
@testable import Pinning

/// The output of several versions of curl, with the TLS libraries that it supports.
@Suite struct CurlVersionTests {
    private static let pin = "v+ZQHUuIRYFVvOez4V7hhTMC2KwA3nuGs5psACcR/Hk="
    private static let error = "curl: (90) SSL: public key does not match pinned public key\n"

    /// The lines about the connection in curl 7.88 and 8.7, and in libcurl 8.23, which writes none of "Connected to" before an error.
    private static let connections = [
        "*   Trying 127.0.0.1:8443...\n* Connected to localhost (127.0.0.1) port 8443 (#0)\n",
        "* Host localhost:8443 was resolved.\n* IPv6: ::1\n* IPv4: 127.0.0.1\n*   Trying [::1]:8443...\n"
            + "* connect to ::1 port 8443 failed: Connection refused\n*   Trying 127.0.0.1:8443...\n"
            + "* Connected to localhost (127.0.0.1) port 8443\n",
        "* Host localhost:8443 was resolved.\n* IPv6: ::1\n* IPv4: 127.0.0.1\n*   Trying [::1]:8443...\n"
            + "* connect to ::1 port 8443 from ::1 port 34286 failed: Connection refused\n*   Trying 127.0.0.1:8443...\n",
    ]

    /// The lines about the certificate in curl 7.88 and libcurl 8.23.
    private static func certificate(_ subject: String = "O=Example Test PKI; CN=localhost") -> [String] {
        [
            """
            * ALPN: offers h2,http/1.1
            *  CAfile: root.pem
            * Server certificate:
            *  subject: \(subject)
            *  start date: Jan  1 00:00:00 2020 GMT
            *  subjectAltName: host "localhost" matched cert's "localhost"
            *  issuer: O=Example Test PKI; CN=Example Test Intermediate
            *  SSL certificate verify ok.
            *  public key hash: sha256//\(pin)
            * SSL: public key does not match pinned public key\n
            """,
            """
            * ALPN: curl offers h2,http/1.1
            * SSL Trust Anchors:
            *   CAfile: root.pem
            * Server certificate:
            *   subject: \(subject)
            *   start date: Jan  1 00:00:00 2020 GMT
            *   issuer: O=Example Test PKI; CN=Example Test Intermediate
            *   Certificate level 0: Public key type EC/prime256v1 (256/128 Bits/secBits), signed using ecdsa-with-SHA256
            *   subjectAltName: "localhost" matches cert's "localhost"
            * OpenSSL verify result: 0
            * SSL certificate verified via OpenSSL.
            *  public key hash: sha256//\(pin)
            * SSL: public key does not match pinned public key\n
            """,
        ]
    }

    @Test(arguments: connections, certificate()) func theHostOfAConnection(
        connection: String, certificate: String
    ) throws {
        let failure = try onlyFailure(in: connection + certificate + Self.error)
        #expect(failure.kind == .pinMismatch && failure.host == "localhost" && failure.port == 8443)
        #expect(failure.hostLine == nil && !failure.hasRepeatedParts)
        #expect(failure.seen.map(\.subject) == ["O=Example Test PKI; CN=localhost"])
        #expect(failure.seen.first?.issuer == "O=Example Test PKI; CN=Example Test Intermediate")
        #expect(failure.seenPins.map(\.base64) == [Self.pin])
    }

    /// curl 7.88 and libcurl 8.23 through a proxy: the other lines name the proxy.
    @Test(arguments: [
        "* Connected to proxy.example (192.0.2.1) port 3128 (#0)\n* allocate connect buffer\n"
            + "* Establish HTTP proxy tunnel to localhost:8443\n> CONNECT localhost:8443 HTTP/1.1\n",
        "* Host proxy.example:3128 was resolved.\n* IPv6: (none)\n* IPv4: 192.0.2.1\n*   Trying 192.0.2.1:3128...\n"
            + "* CONNECT: no ALPN negotiated\n* Establishing HTTP proxy tunnel to localhost:8443\n",
    ])
    func theHostBehindAProxy(connection: String) throws {
        for certificate in Self.certificate() {
            let failure = try onlyFailure(in: connection + certificate + Self.error)
            #expect(failure.host == "localhost" && failure.port == 8443 && failure.hostLine == nil)
        }
    }

    /// A connection to another host than that of the URL, and a redirection.
    @Test(arguments: [
        "* Connecting to hostname: 127.0.0.1\n* Connected to (nil) (127.0.0.1) port 8443 (#0)\n",
        "* Connecting to hostname: other.example\n* Connected to localhost (127.0.0.1) port 8443 (#0)\n",
        "* Host other.example:8443 was resolved.\n*   Trying 192.0.2.1:8443...\n",
        "* Connected to localhost (127.0.0.1) port 1080 (#0)\n* SOCKS5 connect to localhost:8443 (remotely resolved)\n",
        "* Host a.example:443 was resolved.\n< HTTP/1.1 301\n* Host localhost:8443 was resolved.\n",
        "curl https://a.example/\n* Issue another request to this URL: 'https://127.0.0.1:8443/'\n",
    ])
    func aHostThatIsNotThatOfTheURL(connection: String) throws {
        for certificate in Self.certificate() {
            let failure = try onlyFailure(in: connection + certificate + Self.error)
            #expect(failure.host == nil || failure.hostLine != nil, "\(failure)")
        }
    }

    /// A name with the lines of a connection, also as the first one.
    @Test(arguments: [
        "x\n* Host evil.example:1 was resolved.", "x\n* Establishing HTTP proxy tunnel to evil.example:1",
        "x\n*   subjectAltName: \"evil.example\" matches cert's \"x\"",
        "x * Host evil.example:1 was resolved.", "x\n* Issue another request to this URL: 'https://evil.example/'",
    ])
    func aConnectionInAName(subject: String) throws {
        for certificate in Self.certificate(subject) {
            for connection in Self.connections + [""] {
                let failure = try onlyFailure(in: connection + certificate + Self.error)
                let isGuess = failure.host == nil || failure.hostLine != nil
                #expect(isGuess || failure.host == "localhost", "\(failure)")
            }
        }
    }

    /// curl 7.88 writes the line feeds of a name. An error in a name has no conclusion, and one before another run has.
    @Test func anErrorInAName() throws {
        let expired = "curl: (60) SSL certificate problem: certificate has expired\n"
        for certificate in Self.certificate("x\n\(expired)peer certificate: y") {
            for connection in Self.connections {
                let found = failures(in: connection + certificate + Self.error)
                #expect(found.map(\.kind) == [.expired, .pinMismatch] && found.first?.hasRepeatedParts == true)
                let runs = failures(in: connection + expired + connection + Self.certificate()[0] + Self.error)
                #expect(
                    runs.map(\.hasRepeatedParts) == [false, false] && runs.map(\.host) == ["localhost", "localhost"])
            }
        }
    }

    /// The texts of lib/vtls of curl: openssl.c (8.13 and 8.17), gtls.c, wolfssl.c, mbedtls.c (7.88 and 8.13), schannel.c,
    /// schannel_verify.c, sectransp.c and rustls.c.
    static let texts: [(String, ConnectionFailure.Kind, String?)] = [
        ("(60) SSL certificate problem: self-signed certificate in certificate chain", .untrusted, nil),
        ("(60) SSL certificate OpenSSL verify result: certificate has expired (10)", .expired, nil),
        ("(60) SSL certificate OpenSSL verify result: certificate is not yet valid (9)", .notYetValid, nil),
        (
            "(60) SSL certificate verification failed: certificate signer not trusted. (CAfile: x CRLfile: none)",
            .untrusted, nil
        ),
        ("(60) server verification failed: certificate has expired. (CAfile: x CRLfile: none)", .expired, nil),
        ("(60) server verification failed: certificate not valid yet.", .notYetValid, nil),
        ("(60)  subject alt name(s) or common name do not match \"localhost\"", .nameMismatch, "localhost"),
        ("(77)  CA signer not available for verification", .untrusted, nil),
        ("(60) Cert verify failed: BADCERT_CN_MISMATCH", .nameMismatch, nil),
        ("(60) mbedTLS: The certificate validity has expired", .expired, nil),
        ("(60) mbedTLS: The certificate validity starts in the future", .notYetValid, nil),
        ("(60) mbedTLS: The certificate Common Name (CN) does not match with the expected CN", .nameMismatch, nil),
        (
            "(60) schannel: SEC_E_UNTRUSTED_ROOT (0x80090325) - The certificate chain was issued by an authority that is not trusted.",
            .untrusted, nil
        ),
        (
            "(35) schannel: next InitializeSecurityContext failed: SEC_E_CERT_EXPIRED (0x80090328) - The received certificate has expired.",
            .expired, nil
        ),
        (
            "(60) schannel: SNI or certificate check failed: SEC_E_WRONG_PRINCIPAL (0x80090322) - The target principal name is incorrect.",
            .nameMismatch, nil
        ),
        (
            "(60) schannel: CertGetNameString() failed to match connection hostname (localhost) against server certificate names",
            .nameMismatch, "localhost"
        ),
        ("(60) SSL certificate problem: Certificate chain had an expired certificate", .expired, nil),
        (
            "(60) SSL certificate peer verification failed, the certificate did not match \"localhost\"", .nameMismatch,
            "localhost"
        ),
        ("(60) rustls_connection_process_new_packets: invalid peer certificate: UnknownIssuer", .untrusted, nil),
        (
            "(60) rustls_connection_process_new_packets: invalid peer certificate: certificate not valid for name \"localhost\";"
                + " certificate is only valid for DnsName(\"certificate has expired\")", .nameMismatch, "localhost"
        ),
        (
            "(51) SSL: no alternative certificate subject name matches target host name 'localhost'", .nameMismatch,
            "localhost"
        ),
        ("(90) SSL: public key does not match pinned public key", .pinMismatch, nil),
    ]

    @Test(arguments: texts) func theTextsOfTheLibraries(text: String, kind: ConnectionFailure.Kind, host: String?)
        throws
    {
        let failure = try onlyFailure(in: "curl: \(text)\n")
        #expect(failure.source == .curl && failure.kind == kind && failure.host == host, "\(failure)")
    }

    /// A name cannot add the words of another library.
    @Test func theTextOfAnotherLibraryInAName() throws {
        let name = "common name do not match \"evil.example\" certificate not valid for name \"evil.example\""
        let failure = try onlyFailure(
            in: "curl: (60) SSL: certificate subject name '\(name)' does not match target hostname 'localhost'\n")
        #expect(failure.host == "localhost" && failure.kind == .nameMismatch)
    }

    @Test(arguments: [
        "curl: (35) Recv failure: Connection reset by peer", "curl: (77) error setting certificate file: x",
    ])
    func otherErrors(text: String) { #expect(failures(in: text).isEmpty) }

    /// git 2.39, and the forms of remote-curl.c, CurlDownloader.php of Composer, and PycURL 7.49.
    static let programs: [(String, ConnectionFailure.Kind, String?, Int?)] = [
        (
            "fatal: unable to access 'https://alice:secret@localhost:8443/x.git/': server certificate verification failed. CAfile:"
                + " /etc/ssl/certs/ca-certificates.crt CRLfile: none", .untrusted, "localhost", 8443
        ),
        (
            "fatal: unable to access 'https://localhost/x.git/': SSL certificate problem: certificate has expired",
            .expired,
            "localhost", nil
        ),
        (
            "fatal: unable to access 'https://localhost/x.git/': SSL: certificate subject name 'unable to access 'https://evil.example/':"
                + " ' does not match target hostname 'localhost'", .nameMismatch, "localhost", nil
        ),
        (
            "fatal: unable to access 'https://localhost/x.git/': SSL: public key does not match pinned public key",
            .pinMismatch,
            "localhost", nil
        ),
        (
            "curl error 60 while downloading https://localhost/packages.json: SSL certificate problem: unable to get local issuer"
                + " certificate", .untrusted, "localhost", nil
        ),
        (
            "pycurl.error: (60, \"SSL: no alternative certificate subject name matches target hostname 'localhost'\")",
            .nameMismatch,
            "localhost", nil
        ),
        ("pycurl.error: (90, 'SSL: public key does not match pinned public key')", .pinMismatch, nil, nil),
    ]

    @Test(arguments: programs) func otherProgramsWithLibcurl(
        text: String, kind: ConnectionFailure.Kind, host: String?, port: Int?
    ) throws {
        let failure = try onlyFailure(in: text + "\n")
        #expect(failure.source == .curl && failure.kind == kind && failure.hostLine == nil, "\(failure)")
        #expect(failure.host == host && failure.port == port && !failure.message.contains("secret"), "\(failure)")
    }

    @Test func otherErrorsOfGit() {
        #expect(
            failures(in: "fatal: unable to access 'https://localhost/x.git/': The requested URL returned error: 403\n")
                .isEmpty)
    }
}
