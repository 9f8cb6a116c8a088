import TestSupport
import Testing

@testable import ConnectionFailures
@testable import Encodings
@testable import Pinning

/// The messages of the programs, with texts from their sources and from logs that people published.
@Suite struct FailureLogTests {
    /// The example in the documentation of OkHttp's CertificatePinner.
    static let okhttp = """
        javax.net.ssl.SSLPeerUnverifiedException: Certificate pinning failure!
          Peer certificate chain:
            sha256/afwiKY3RxoMmLkuRW1l7QsPZTJPwDS2pdDROQjXw8ig=: CN=publicobject.com, OU=PositiveSSL
            sha256/klO23nT2ehFDXCfx3eHTDRESMz3asj1muO+4aIdjiuY=: CN=COMODO RSA Secure Server CA
            sha256/grX4Ta9HpZx6tSHkmCrvpApTQGo67CYDnvprLg5yRME=: CN=COMODO RSA Certification Authority
          Pinned certificates for publicobject.com:
            sha256/C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=
            sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAA=
          at okhttp3.CertificatePinner.check(CertificatePinner.java)
        """

    @Test func readsOkHttp() throws {
        for prefix in ["", "11-22 10:00:00.000  1234  5678 E App     : ", "    "] {
            let text = "before\n" + Self.okhttp.split(separator: "\n").map { prefix + $0 }.joined(separator: "\n")
            let failure = try onlyFailure(in: text)
            #expect(failure.source == .okhttp)
            #expect(failure.kind == .pinMismatch)
            #expect(failure.line == 2)
            #expect(failure.host == "publicobject.com")
            #expect(
                failure.seenPins.map(\.base64) == [
                    "afwiKY3RxoMmLkuRW1l7QsPZTJPwDS2pdDROQjXw8ig=", "klO23nT2ehFDXCfx3eHTDRESMz3asj1muO+4aIdjiuY=",
                    "grX4Ta9HpZx6tSHkmCrvpApTQGo67CYDnvprLg5yRME=",
                ])
            #expect(failure.seen.first?.subject == "CN=publicobject.com, OU=PositiveSSL")
            #expect(failure.expected.map(\.base64) == ["C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="])
            #expect(failure.otherPins == ["sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAA="])
        }
    }

    @Test func readsOkHttpInOneLineOfJSON() throws {
        let failure = try onlyFailure(
            in: #"{"error":""# + Self.okhttp.split(separator: "\n").joined(separator: #"\n"#) + #"","level":"E"}"#)
        #expect(failure.host == "publicobject.com")
        #expect(failure.seen.count == 3)
        #expect(failure.expected.count == 1)
    }

    /// A backslash that is escaped, as in the name of a certificate, begins no line feed.
    @Test func separatesLinesAtLineFeedsOnly() {
        let log = LogText(Array(#"a\nb\\nc\\\nd"#.utf8))
        #expect(log.lines.map(\.text) == ["a", #"b\\nc\\"#, "d"])
    }

    /// TrustKit writes one key for each certificate.
    @Test(arguments: [
        (false, "x"),
        (
            true,
            "x\n=== TrustKit: Testing SSL Pin <fbe30180 31f9586b cbf41727 e417b7d1 c45c2f47 f93be161 b8f7bb2d 6da2ff16>"
        ),
    ])
    func noticesARepeatedKey(isRepeated: Bool, name: String) throws {
        let log = """
            === TrustKit: Checking certificate with CN: \(name)
            === TrustKit: Testing SSL Pin <00000000 31f9586b cbf41727 e417b7d1 c45c2f47 f93be161 b8f7bb2d 6da2ff16>
            === TrustKit: Error: SSL Pin not found for example.com
            """
        #expect(try onlyFailure(in: log).hasRepeatedParts == isRepeated)
    }

    /// A log of any size is read with bounded work and memory.
    @Test func limitsWhatIsRead() throws {
        let messages = String(repeating: "PKIX path building failed\n", count: FailureLog.maximumMessages + 10)
        let many = FailureLog(Array(messages.utf8))
        #expect(many.failures.map(\.count) == [FailureLog.maximumMessages] && many.isCutShort)
        let lines = LogText(Array(repeating: UInt8(ascii: "\n"), count: LogText.maximumLines + 10))
        #expect(lines.lines.count == LogText.maximumLines && lines.isCutShort)
        #expect(!LogText(Array("a\nb\n".utf8)).isCutShort)
        let long = String(repeating: "a", count: 100_000)
        let failure = try onlyFailure(in: "x509: certificate is valid for \(long), not \(long).test")
        #expect(failure.message.count <= 500 && failure.host?.count ?? 0 <= 500)
    }

    /// The report after the last one that is read.
    @Test func limitsReports() {
        let report = #"{"hostname":"a.example","known-pins":[]}"# + "\n"
        let log = String(repeating: report, count: FailureLog.maximumReports) + report.replacing("a.", with: "b.")
        let found = FailureLog(Array(log.utf8))
        #expect(found.failures.map(\.count) == [FailureLog.maximumReports] && found.isCutShort)
    }

    /// Failures with another port or other pins are different.
    @Test func doesNotMergeOtherFailures() {
        let go = "Get \"https://localhost:1/\": x509: certificate signed by unknown authority\n"
        #expect(failures(in: go + go.replacing(":1/", with: ":2/")).map(\.port) == [1, 2])
        #expect(failures(in: Self.okhttp + "\n\n" + Self.okhttp.replacing("sha1/A", with: "sha1/B")).count == 2)
    }

    /// A host ends at a quotation mark, but not at another letter with one of its bytes; and a password can contain characters that
    /// end a host.
    @Test(
        arguments: [
            ("https://пример.рф/", "пример.рф", nil), ("“https://a.example”", "a.example", nil),
            ("https://a.example’s", "a.example", nil), ("https://alice:s3cr/etpw@localhost/", "localhost", nil),
            ("https://alice:x?2@localhost:3/", "localhost", 3), ("https://alice:s3,cr@localhost/", "localhost", nil),
            ("https://alice:s3cr\"etpw@localhost/", nil, nil), ("[GET https://localhost:8443]", "localhost", 8443),
            ("https://localhost:8443/a@b", "localhost", 8443), ("https://localhost: failed", "localhost", nil),
            ("https://[::1]:8443/", "::1", 8443), ("https://a@b:c@localhost/", "localhost", nil),
            ("GET [https://a.example] failed", "a.example", nil), ("`https://a.example:8443`", "a.example", 8443),
            ("|https://a.example|", "a.example", nil), ("[https://[::1]:8443]", "::1", 8443),
            ("[https://[::1]]", "::1", nil), ("https://a@[::1]:443/", "::1", 443), ("https://{host}/", nil, nil),
            ("https://alice:s3]cr@localhost/", "localhost", nil),
        ] as [(String, String?, Int?)])
    func findsTheHostOfAURL(url: String, host: String?, port: Int?) throws {
        let found = HostSearch.host(in: LogLine(number: 1, bytes: Array(url.utf8)[...]))
        #expect(found?.host == host)
        #expect(found?.port == port)
    }

    @Test func countsRepetitions() {
        let log = FailureLog(Array((Self.okhttp + "\nother\n" + Self.okhttp + "\n").utf8))
        #expect(log.failures.map(\.count) == [2])
    }

    /// From https://github.com/datatheorem/TrustKit/issues/146, with another domain.
    @Test func readsTheLogOfTrustKit() throws {
        let failure = try onlyFailure(
            in: """
                === TrustKit: Checking certificate with CN: Amazon Root CA 1
                === TrustKit: Subject Public Key Info hash was found in the cache
                === TrustKit: Testing SSL Pin <fbe30180 31f9586b cbf41727 e417b7d1 c45c2f47 f93be372 a17b96b5 0757d5a2>
                 === TrustKit: Checking certificate with CN: Amazon
                 === TrustKit: Subject Public Key Info hash was found in the cache
                === TrustKit: Testing SSL Pin <252333a8 e3abb723 93d6499a bbacca86 04faefa8 4681ccc3 e5531d44 cc896450>
                === TrustKit: Checking certificate with CN: *.example.com
                === TrustKit: Subject Public Key Info hash was found in the cache
                === TrustKit: Testing SSL Pin <70f8beba 49a87d05 f5768df9 5e8a4665 caf331ec 41a1394c 4ab60d25 3be7255f>
                === TrustKit: Error: SSL Pin not found for api.example.com
                === TrustKit: Pin validation failed for api.example.com
                """)
        #expect(failure.source == .trustkit)
        #expect(failure.host == "api.example.com")
        #expect(failure.seen.map(\.subject) == ["CN=*.example.com", "CN=Amazon", "CN=Amazon Root CA 1"])
        // The pin of Amazon Root CA 1: https://www.amazontrust.com/repository/
        #expect(failure.seenPins.last?.base64 == "++MBgDH5WGvL9Bcn5Be30cRcL0f5O+NyoXuWtQdX1aI=")
    }

    @Test func readsTheReportOfTrustKit() throws {
        let certificate = try Certificate(der: Vectors.bytes("cert-p256.der"))
        let pem = PEM.certificate(certificate.der).replacing("\n", with: #"\n"#)
        let report = """
            {"app-bundle-id":"com.example.app","app-version":"1","date-time":"2026-11-22T10:00:00Z","hostname":"www.example.com",
             "port":8443,"include-subdomains":false,"noted-hostname":"example.com","validated-certificate-chain":["\(pem)"],
             "known-pins":["pin-sha256=\\"C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=\\""],"validation-result":1,"app-vendor-id":"x"}
            """
        for text in [
            report, "[\(report)]", report.replacing("\n", with: "") + "\n" + report.replacing("\n", with: "") + "\n",
        ] {
            let failure = try onlyFailure(in: text)
            #expect(failure.host == "www.example.com")
            #expect(failure.port == 8443)
            #expect(failure.kind == .pinMismatch)
            #expect(failure.expected.map(\.base64) == ["C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="])
            // openssl computed this pin (Tests/Vectors/material/expected.tsv).
            #expect(failure.seenPins.map(\.base64) == ["NRAB4jjn4WdFjdDeaB5Jse/AwkG8qQ6p8RisXX6vAHg="])
        }
        #expect(
            try onlyFailure(in: report.replacing("\"validation-result\":1", with: "\"validation-result\":2")).kind
                == .untrusted)
    }

    /// From a published log of an iOS app, with other names.
    static let urlSession = """
        ATS failed system trust
        Connection 76: system TLS Trust evaluation failed(-9802)
        Task <04FBDE69-24A9-4805-A342-FBD680887F86>.<4> finished with error [-1200] Error Domain=NSURLErrorDomain Code=-1200 "An SSL \
        error has occurred and a secure connection to the server cannot be made." UserInfo={NSLocalizedRecoverySuggestion=Would you \
        like to connect to the server anyway?, _kCFStreamErrorDomainKey=3, NSErrorPeerCertificateChainKey=(
            "<cert(0x12bbf4000) s: *.azureedge.net i: Microsoft Azure ECC TLS Issuing CA 08>",
            "<cert(0x12c22a400) s: Microsoft Azure ECC TLS Issuing CA 08 i: DigiCert Global Root G3>",
            "<cert(0x12c2d2300) s: DigiCert Global Root G3 i: DigiCert Global Root G3>"
        ), NSErrorClientCertificateStateKey=0, NSErrorFailingURLKey=https://api.example.com:8443/api?key=x, \
        NSErrorFailingURLStringKey=https://api.example.com:8443/api?key=x, NSUnderlyingError=0x12bb7fc00 {Error \
        Domain=kCFErrorDomainCFNetwork Code=-1200 "(null)" UserInfo={_kCFStreamErrorCodeKey=CODE, kCFStreamPropertySSLPeerCertificates=(
            "<cert(0x12bbf4000) s: *.azureedge.net i: Microsoft Azure ECC TLS Issuing CA 08>"
        )}}, _kCFStreamErrorCodeKey=CODE, NSLocalizedDescription=An SSL error has occurred.}
        2026/04/14 10:20:32.364 Network request failed
        """

    static let streamCodes: [(String, ConnectionFailure.Kind)] = [
        ("-9802", ConnectionFailure.Kind.handshake), ("-9814", .expired), ("-9843", .nameMismatch),
        ("-9807", .untrusted),
        ("-9815", .notYetValid),
    ]

    @Test(arguments: streamCodes) func readsURLSession(code: String, kind: ConnectionFailure.Kind) throws {
        let failure = try onlyFailure(in: Self.urlSession.replacing("CODE", with: code))
        #expect(failure.source == .urlsession)
        #expect(failure.kind == kind)
        #expect(failure.line == 3)
        #expect(failure.host == "api.example.com")
        #expect(failure.port == 8443)
        #expect(
            failure.seen.map(\.subject) == [
                "*.azureedge.net", "Microsoft Azure ECC TLS Issuing CA 08", "DigiCert Global Root G3",
            ])
        #expect(failure.seen.first?.issuer == "Microsoft Azure ECC TLS Issuing CA 08")
    }

    /// From https://github.com/AFNetworking/AFNetworking/issues/4364, with a URL.
    @Test func readsACancelledRequest() throws {
        let failure = try onlyFailure(
            in: """
                Error Domain=NSURLErrorDomain Code=-999 "cancelled" UserInfo={NSErrorFailingURLStringKey=https://api.example.com/x, \
                NSErrorFailingURLKey=https://api.example.com/x, _NSURLErrorRelatedURLSessionTaskErrorKey=(
                    "LocalDataTask <6ADC1BA6-1244-49B5-87E9-29EA8E77A2F5>.<4>"
                ), NSLocalizedDescription=cancelled}
                """)
        #expect(failure.kind == .cancelled)
        #expect(failure.host == "api.example.com")
        #expect(failure.seen.isEmpty)
    }

    static let sessionCodes: [(String, ConnectionFailure.Kind)] = [
        (
            #"Error Domain=NSURLErrorDomain Code=-1202 "x “shop.example.com” y" UserInfo={}"#,
            ConnectionFailure.Kind.untrusted
        ),
        ("The operation couldn’t be completed. (NSURLErrorDomain error -1202.)", .untrusted),
        ("NSURLErrorDomain Code=-1204", .notYetValid), ("NSURLErrorDomain Code=-1201", .expired),
    ]

    @Test(arguments: sessionCodes) func readsCodesOfURLSession(text: String, kind: ConnectionFailure.Kind) throws {
        #expect(try onlyFailure(in: text).kind == kind)
    }

    @Test(arguments: [
        "NSURLErrorDomain Code=-1001", "NSURLErrorDomain Code=-1009", "NSURLErrorDomain", "NSURLErrorDomain Code=-",
    ])
    func ignoresOtherCodesOfURLSession(text: String) { #expect(failures(in: text).isEmpty) }

    static let javaMessages: [(String, ConnectionFailure.Source, ConnectionFailure.Kind)] = [
        (
            "java.security.cert.CertificateException: Pin verification failed", ConnectionFailure.Source.android,
            ConnectionFailure.Kind.pinMismatch
        ),
        (
            "javax.net.ssl.SSLHandshakeException: java.security.cert.CertPathValidatorException: Trust anchor for certification path not"
                + " found.", .android, .untrusted
        ),
        (
            "javax.net.ssl.SSLHandshakeException: PKIX path building failed: sun.security.provider.certpath.SunCertPathBuilderException:"
                + " unable to find valid certification path to requested target", .java, .untrusted
        ),
        (
            "PKIX path validation failed: java.security.cert.CertPathValidatorException: validity check failed\n\tat x\n"
                + "Caused by: java.security.cert.CertificateExpiredException: NotAfter: Thu Sep 16 11:27:55 PDT 2021",
            .java, .expired
        ),
        (
            "Caused by: java.security.cert.CertificateNotYetValidException: NotBefore: Thu Sep 16 11:27:55 PDT 2027",
            .java, .notYetValid
        ),
    ]

    @Test(arguments: javaMessages) func readsJavaAndAndroid(
        text: String, source: ConnectionFailure.Source, kind: ConnectionFailure.Kind
    ) throws {
        let failure = try onlyFailure(in: "E/App: request to https://user@api.example.com:444/v1 failed\n" + text)
        #expect(failure.source == source)
        #expect(failure.kind == kind)
        #expect(failure.host == "api.example.com")
        #expect(failure.port == 444)
        #expect(failure.hostLine == 1)
    }

    @Test func readsJavaNames() throws {
        let failure = try onlyFailure(
            in:
                "java.security.cert.CertificateException: No subject alternative DNS name matching api.example.com found."
        )
        #expect(failure.kind == .nameMismatch)
        #expect(failure.host == "api.example.com")
        #expect(failure.hostLine == nil)
    }

    @Test func readsHostnamesOfOkHttp() throws {
        let failure = try onlyFailure(
            in: """
                javax.net.ssl.SSLPeerUnverifiedException: Hostname api.example.com not verified:
                    certificate: sha256/afwiKY3RxoMmLkuRW1l7QsPZTJPwDS2pdDROQjXw8ig=
                    DN: CN=other.example.com
                    subjectAltNames: [other.example.com]
                """)
        #expect(failure.source == .okhttp)
        #expect(failure.kind == .nameMismatch)
        #expect(failure.host == "api.example.com")
        #expect(failure.seen.map(\.subject) == ["CN=other.example.com"])
    }

    /// The texts of `Error` in Go's crypto/x509/verify.go.
    static let goMessages: [(String, ConnectionFailure.Kind)] = [
        (
            #"Get "https://api.example.com/v1": tls: failed to verify certificate: x509: certificate signed by unknown authority"#,
            ConnectionFailure.Kind.untrusted
        ),
        (
            #"Get "https://api.example.com": x509: certificate has expired or is not yet valid: current time 2023-07-20T22:40:40Z is after"#
                + " 2023-07-20T18:49:51Z", .expired
        ),
        (
            #"Get "https://api.example.com": x509: certificate has expired or is not yet valid: current time 2026-02-27T00:00:00Z is before"#
                + " 2026-03-01T00:00:00Z", .notYetValid
        ),
        ("x509: certificate is valid for a.example.com, b.example.com, not api.example.com", .nameMismatch),
        ("x509: certificate is not valid for any names, but wanted to match api.example.com", .nameMismatch),
    ]

    @Test(arguments: goMessages) func readsGo(text: String, kind: ConnectionFailure.Kind) throws {
        let failure = try onlyFailure(in: text)
        #expect(failure.source == .go)
        #expect(failure.kind == kind)
        #expect(failure.host == "api.example.com")
    }

    @Test func findsNoHostInTheDocumentationOfCurl() throws {
        let failure = try onlyFailure(
            in: """
                curl: (60) SSL certificate problem: unable to get local issuer certificate
                More details here: https://curl.se/docs/sslcerts.html
                """)
        #expect(failure.kind == .untrusted)
        #expect(failure.host == nil)
    }

    @Test func findsNothingInOtherText() {
        #expect(failures(in: "").isEmpty)
        #expect(failures(in: "HTTP 500\nhttps://example.com\nconnection refused\n").isEmpty)
    }
}
