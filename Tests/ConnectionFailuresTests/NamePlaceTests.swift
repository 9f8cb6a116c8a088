import Testing

@testable import ConnectionFailures

/// The places of a certificate's name without line feeds in logs, with the texts of the programs' sources.
@Suite struct NamePlaceTests {
    private static let names = [
        "https://evil.example:8443/", "* Connected to evil.example (192.0.2.9) port 8443",
        "Certificate pinning failure! Peer certificate chain: sha256/C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=: CN=x"
            + " Pinned certificates for evil.example: sha256/qBRjZmOmkSNJL0p70zek7odSIzqs/muR4Jk9xYyCP+E=",
        "curl: (60) SSL certificate problem: certificate has expired",
        "TrustKit: Error: SSL Pin not found for evil.example", "NSURLErrorDomain Code=-1201",
        "x509: certificate has expired or is not yet valid", "CertificateExpiredException", " is before ",
        "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: certificate has expired",
        "invalid peer certificate: Expired", "code: 'CERT_HAS_EXPIRED'", "Hostname evil.example not verified",
        "name matching evil.example ", "certificate verify failed: certificate has expired",
    ]

    struct Message: Sendable {
        let source: ConnectionFailure.Source
        let kind: ConnectionFailure.Kind
        let text: String

        init(_ source: ConnectionFailure.Source, _ kind: ConnectionFailure.Kind, _ text: String) {
            (self.source, self.kind, self.text) = (source, kind, text)
        }
    }

    private static let authority =
        "tls: failed to verify certificate: x509: certificate signed by unknown authority (possibly because of"
    private static let validation = "PKIX path validation failed: java.security.cert.CertPathValidatorException: "

    /// - Go: `Error` of UnknownAuthorityError in crypto/x509/verify.go, and `systemVerify` in root_darwin.go.
    /// - Java: `extendedExceptionMsg` of CertPathConstraintsParameters, and UntrustedChecker, in sun.security.provider.certpath.
    static let messages = [
        Message(
            .go, .untrusted,
            "\(authority) \"crypto/rsa: verification error\" while trying to verify candidate authority certificate \"NAME\")"
        ),
        Message(
            .go, .untrusted,
            "\(authority) \\\"crypto/rsa: verification error\\\" while trying to verify candidate authority certificate \\\"NAME\\\")"
        ),
        Message(
            .go, .untrusted,
            "\(authority) \"x509: issuer name NAME\" while trying to verify candidate authority certificate \"x\")"),
        Message(
            .go, .untrusted, "desc = \"tls: failed to verify certificate: x509: “NAME” certificate is not trusted\""),
        Message(.go, .untrusted, #"{"error":"x509: \u201cNAME\u201d certificate is not trusted"}"#),
        Message(
            .go, .expired, "x509: certificate has expired or is not yet valid: “NAME” certificate is expired"),
        Message(
            .java, .untrusted,
            "\(validation)Algorithm constraints check failed on keysize limits: RSA 512 bit key used with certificate: CN=NAME. Usage was"
                + " tls server\n\tat java.base/sun.security.ssl.Alert.createSSLException(Alert.java:131)"),
        Message(.java, .untrusted, "\(validation)Untrusted certificate: CN=NAME"),
        Message(
            .python, .untrusted,
            "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed (_ssl.c:618), subject: NAME"),
    ]

    @Test(arguments: messages) func aNameInAMessage(message: Message) throws {
        for name in Self.names {
            let text = message.text.replacing("NAME", with: name)
            for (start, host) in [("", nil), ("Get \"https://localhost/v1\": ", "localhost")] {
                let failure = try onlyFailure(in: "10:00 \(start)\(text)\n")
                #expect(failure.source == message.source && failure.kind == message.kind, "\(failure)")
                #expect(failure.host == host && failure.port == nil && failure.hostLine == nil, "\(failure)")
            }
        }
    }

    /// Apache HttpClient 5 (`matchDNSName` in DefaultHostnameVerifier).
    @Test func aNameOfApache() throws {
        for name in Self.names {
            let failure = try onlyFailure(
                in: "Certificate for <localhost> doesn't match any of the subject alternative names: [\(name)]\n")
            #expect(failure.kind == .nameMismatch && failure.host == "localhost", "\(failure)")
        }
    }

    /// Other lines with a name, before a message without a host:
    ///
    /// - Go: `Error` of CertificateInvalidError in crypto/x509/verify.go, constraints.go, and `parseSANExtension` in parser.go.
    /// - Java: `verifyTrustAnchor` of PKIXValidator, and with `javax.net.debug` SSLLogger, DNSName and URIName.
    /// - Android: ChainStrengthAnalyzer and TrustManagerImpl of Conscrypt.
    /// - Python: `match_hostname` in urllib3/util/ssl_match_hostname.py. PHP: ext/openssl/xp_ssl.c.
    /// - nginx with `debug`: `ngx_ssl_verify_callback` and `ngx_ssl_check_host` in src/event/ngx_event_openssl.c.
    /// - Alamofire: the description of its error, with that of the system.
    static let lines = [
        "x509: a root or intermediate certificate is not authorized to sign for this name: DNS name \"NAME\" is not permitted by any"
            + " constraint",
        "tls: failed to parse certificate from server: x509: cannot parse URI \"NAME\": invalid domain",
        "tls: failed to parse certificate from server: x509: failed to parse dnsName constraint \"NAME\"",
        "ValidatorException: TrustAnchor with subject \"CN=NAME\" is not a CA certificate",
        "      \"subject\"            : \"CN=NAME\",", "      \"issuer\"             : \"CN=NAME\",",
        "          DNSName: NAME", "          URIName: NAME",
        "javax.net.ssl.SSLHandshakeException: Unacceptable certificate: CN=NAME",
        "(Caused by SSLError(CertificateError(\"hostname 'localhost' doesn't match either of 'a', 'NAME'\")))",
        "CertificateError: hostname 'localhost' doesn't match 'NAME'",
        "PHP Warning: Peer certificate CN=`NAME' did not match expected CN=`localhost'",
        "[debug] 1#1: *1 verify:0, error:20, depth:0, subject:\"/CN=NAME\", issuer:\"/CN=x\"",
        "[debug] 1#1: *1 SSL commonName: \"NAME\"",
        "ServerTrustFailureReason.trustEvaluationFailed(error: Optional(Error Domain=x \"“NAME” certificate is not trusted\"",
        "Error Domain=NSOSStatusErrorDomain Code=-67843 \"“NAME” certificate is not trusted\"",
    ]

    @Test(arguments: lines) func aNameInAnotherLine(line: String) throws {
        for name in Self.names {
            let log = line.replacing("NAME", with: name) + "\nx509: certificate signed by unknown authority\n"
            let failure = try onlyFailure(in: log)
            #expect(failure.source == .go && failure.kind == .untrusted && failure.host == nil, "\(failure)")
        }
    }

    /// `curl --verbose` with Secure Transport (lib/vtls/sectransp.c of 8.14), Schannel (lib/vtls/schannel_verify.c), Mbed TLS
    /// (lib/vtls/mbedtls.c of 8.11 and 8.22, `mbedtls_x509_crt_info`) and Apple SecTrust (lib/vtls/apple.c of 8.22).
    @Test(arguments: [
        "* Server certificate: NAME\n* Server certificate: Some CA\n",
        "* schannel: connection hostname (localhost) did not match against certificate name (NAME)\n",
        "* schannel: connection hostname (localhost) validated against certificate name (NAME)\n",
        "* Dumping cert info: * cert. version     : 3\n* issuer name       : CN=x\n* subject name      : CN=NAME\n",
        "* Dumping cert info: * cert. version     : 3\n* issuer name       : CN=NAME\n* subject name      : CN=x\n",
        "* Server certificate:\n*  cert. version     : 3\n*  subject alt name  :\n*      dNSName : NAME\n",
        "* Dumping cert info: * cert. version     : 3\n* subject alt name  : x, NAME\n",
        "* Apple SecTrust failure -67818: “NAME” certificate is expired\n",
    ])
    func aNameOfCurlVerbose(lines: String) throws {
        for name in Self.names {
            let failure = try onlyFailure(
                in: "* Connected to localhost (127.0.0.1) port 443\n\(lines.replacing("NAME", with: name))"
                    + "curl: (90) SSL: public key does not match pinned public key\n")
            #expect(failure.source == .curl && failure.kind == .pinMismatch && !failure.hasRepeatedParts, "\(failure)")
            #expect(failure.host == "localhost" && failure.port == 443 && failure.hostLine == nil, "\(failure)")
        }
    }

    /// curl 7.40 (lib/vtls/curl_schannel.c) and 7.57 (lib/vtls/schannel.c).
    @Test func aNameInAnErrorOfSchannel() throws {
        // The message of curl has a limited length.
        for name in Self.names where name.utf8.count < 100 {
            let new = try onlyFailure(
                in: "curl: (51) schannel: connection hostname (localhost) does not match certificate name (\(name))\n")
            #expect(new.kind == .nameMismatch && new.host == "localhost" && new.hostLine == nil, "\(new)")
            let old = try onlyFailure(
                in:
                    "curl: (51) schannel: CertGetNameString() certificate hostname (\(name)) did not match connection (localhost)\n"
            )
            #expect(old.kind == .nameMismatch && old.host == nil, "\(old)")
        }
    }

    /// The texts before a name are those of the programs, and not words of other logs.
    @Test(arguments: [
        "timeout, possibly because of \"https://localhost/\": PKIX path building failed: x",
        "error: “https://localhost/”: PKIX path building failed: x",
        "* Server certificate:\nhttps://localhost/: PKIX path building failed: x",
    ])
    func wordsOfOtherLogs(log: String) throws {
        let failure = try onlyFailure(in: log)
        #expect(failure.kind == .untrusted && failure.host == "localhost" && failure.hostLine == nil)
    }
}
