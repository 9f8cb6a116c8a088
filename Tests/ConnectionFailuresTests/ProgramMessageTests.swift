import TestSupport
import Testing

@testable import ConnectionFailures
@testable import Pinning

/// Messages of programs without keys. Those of Python 3.13, Node.js 20 and 24, Go 1.27, Java 25, uv 0.13 (rustls), nginx 1.22 and Wget
/// 1.21 are from runs against a server with a wrong certificate, and the others from the sources that ``PlatformMessage`` names.
@Suite struct ProgramMessageTests {
    private typealias Failure = ConnectionFailure

    struct Message: Sendable {
        let text: String
        let source: ConnectionFailure.Source
        let kind: ConnectionFailure.Kind
        var host: String?
        var port: Int?

        init(
            _ source: ConnectionFailure.Source, _ kind: ConnectionFailure.Kind, _ text: String, _ host: String? = nil,
            _ port: Int? = nil
        ) {
            (self.text, self.source, self.kind, self.host, self.port) = (text, source, kind, host, port)
        }
    }

    private static let verify = "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: "

    static let python = [
        Message(
            .python, .untrusted,
            "ssl.SSLCertVerificationError: \(verify)unable to get local issuer certificate (_ssl.c:1020)"),
        Message(
            .python, .untrusted,
            "ssl.SSLCertVerificationError: \(verify)Missing Authority Key Identifier (_ssl.c:1020)"),
        Message(
            .python, .untrusted,
            "URLError: <urlopen error [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed (_ssl.c:618)>"),
        Message(
            .python, .nameMismatch,
            "httpx.ConnectError: \(verify)Hostname mismatch, certificate is not valid for 'localhost'. (_ssl.c:1020)",
            "localhost"),
        Message(
            .python, .nameMismatch,
            "ConnectError: \(verify)IP address mismatch, certificate is not valid for '10.0.0.1'. (_ssl.c:1)",
            "10.0.0.1"),
        Message(
            .python, .expired,
            "requests.exceptions.SSLError: HTTPSConnectionPool(host='localhost', port=44303): Max retries exceeded with url: / (Caused by"
                + " SSLError(SSLCertVerificationError(1, '\(verify)certificate has expired (_ssl.c:1020)')))",
            "localhost", 44303
        ),
        Message(
            .python, .notYetValid,
            "aiohttp.client_exceptions.ClientConnectorCertificateError: Cannot connect to host localhost:44305 ssl:True"
                + " [SSLCertVerificationError: (1, '\(verify)certificate is not yet valid (_ssl.c:1020)')]",
            "localhost", 44305),
        Message(
            .python, .pinMismatch,
            #"aiohttp.client_exceptions.ServerFingerprintMismatch: (b'aaaa', b'\x1574', '127.0.0.1', 44301)"#),
    ]

    static let node = [
        Message(.node, .untrusted, "    code: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'"),
        Message(.node, .untrusted, "npm error code SELF_SIGNED_CERT_IN_CHAIN"),
        Message(
            .node, .expired, #"{"level":"error","err":{"code":"CERT_HAS_EXPIRED","message":"certificate has expired"}}"#
        ),
        Message(
            .node, .nameMismatch,
            "  [cause]: Error [ERR_TLS_CERT_ALTNAME_INVALID]: Hostname/IP does not match certificate's altnames: Host: localhost. is not in"
                + " the cert's altnames: DNS:wrong.example.org", "localhost"),
        Message(
            .node, .nameMismatch,
            "Error: Hostname/IP does not match certificate's altnames: IP: 10.0.0.1 is not in the cert's list: ",
            "10.0.0.1"
        ),
    ]

    static let rustls = [
        Message(.rustls, .untrusted, "  cause: invalid peer certificate: UnknownIssuer"),
        Message(
            .rustls, .untrusted,
            "reqwest::Error { kind: Request, url: \"https://localhost:8443/\", source: InvalidCertificate(UnknownIssuer) }",
            "localhost", 8443),
        Message(
            .rustls, .nameMismatch,
            "invalid peer certificate: certificate not valid for name \"localhost\"; certificate is only valid for DnsName(\"wrong.example.org\")",
            "localhost"),
        Message(
            .rustls, .nameMismatch,
            #"InvalidCertificate(NotValidForNameContext { expected: DnsName("localhost"), presented: ["DnsName(\"wrong.example.org\")"] })"#,
            "localhost"),
        Message(
            .rustls, .expired,
            "error sending request for url (https://localhost/simple/): invalid peer certificate: certificate expired: verification time"
                + " 1795442385 (UNIX), but certificate is not valid after 1609459200 (185983185 seconds ago)",
            "localhost"),
        Message(.rustls, .expired, "invalid peer certificate: Expired"),
        Message(
            .rustls, .nameMismatch,
            #"{"e":"invalid peer certificate: certificate not valid for name \"localhost\"; certificate is only valid for DnsName(\"w\")"}"#,
            "localhost"),
        Message(
            .rustls, .notYetValid,
            "InvalidCertificate(NotValidYetContext { time: UnixTime(1), not_before: UnixTime(2) })"),
    ]

    private static let chain = "The remote certificate is invalid because of errors in the certificate chain: "
    private static let procedure = "The remote certificate is invalid according to the validation procedure"
    private static let trust = "Server trust evaluation failed due to reason: "

    static let platforms = [
        Message(.dotnet, .untrusted, chain + "PartialChain"), Message(.dotnet, .expired, chain + "NotTimeValid"),
        Message(.dotnet, .nameMismatch, procedure + ": RemoteCertificateNameMismatch"),
        Message(.dotnet, .untrusted, procedure + "."),
        Message(.dotnet, .nameMismatch, procedure + ": RemoteCertificateChainErrors, RemoteCertificateNameMismatch"),
        Message(.dotnet, .handshake, procedure + ": RemoteCertificateNotAvailable"),
        Message(.dotnet, .untrusted, chain + "NotTimeValid, PartialChain"),
        Message(.dotnet, .expired, chain + "NotTimeValid, OfflineRevocation"),
        Message(
            .dotnet, .cancelled,
            "The remote certificate was rejected by the provided RemoteCertificateValidationCallback."),
        Message(
            .dart, .untrusted,
            "HandshakeException: Handshake error in client (OS Error: \n\tCERTIFICATE_VERIFY_FAILED: self signed certificate(handshake.cc:393))"
        ),
        Message(.dart, .expired, "E/flutter: CERTIFICATE_VERIFY_FAILED: certificate has expired(handshake.cc:393))"),
        Message(.dart, .nameMismatch, "CERTIFICATE_VERIFY_FAILED: Hostname mismatch(handshake.cc:298))"),
        Message(.alamofire, .pinMismatch, trust + "Public key pinning failed for host localhost.", "localhost"),
        Message(
            .alamofire, .pinMismatch, "{\"error\":\"\(trust)Public key pinning failed for host localhost.\",\"x\":1}",
            "localhost"),
        Message(
            .alamofire, .pinMismatch, "Optional(\"\(trust)Public key pinning failed for host localhost.\")", "localhost"
        ),
        Message(
            .trustkit, .untrusted, "TrustKit: Error: default SSL validation failed for 2001:db8::1: x", "2001:db8::1"),
        Message(.alamofire, .pinMismatch, trust + "Certificate pinning failed for host localhost.", "localhost"),
        Message(.alamofire, .nameMismatch, trust + "Host validation failed for host localhost.", "localhost"),
        Message(.alamofire, .untrusted, trust + "Default evaluation failed for host localhost.", "localhost"),
        Message(
            .alamofire, .pinMismatch,
            "serverTrustEvaluationFailed(reason: Alamofire.AFError.ServerTrustFailureReason.publicKeyPinningFailed(host: \"localhost\", trust:"
                + " <SecTrustRef: 0x600>))", "localhost"),
        Message(
            .nginx, .nameMismatch,
            "*3 upstream SSL certificate does not match \"localhost\" while SSL handshaking to upstream, client: 127.0.0.1, request: \"GET /b"
                + " HTTP/1.1\", upstream: \"https://127.0.0.1:44302/b\", host: \"127.0.0.1:44320\"", "localhost"),
        Message(.envoy, .pinMismatch, "TLS_error_end:verify cert failed: cert hash and spki"),
        Message(
            .envoy, .expired,
            "verify cert failed: X509_verify_cert: certificate verification error at depth 0: certificate has expired"),
        Message(.envoy, .nameMismatch, "verify cert failed: SAN matcher, certificate SANs are [wrong.example.org]"),
        Message(.wget, .untrusted, "ERROR: The certificate of ‘localhost’ doesn't have a known issuer.", "localhost"),
        Message(.wget, .expired, "ERROR: The certificate of 'localhost' has expired.", "localhost"),
        Message(.wget, .notYetValid, "ERROR: The certificate of ‘localhost’ is not yet activated.", "localhost"),
        Message(.wget, .nameMismatch, "The certificate's owner does not match hostname ‘localhost’", "localhost"),
        Message(.wget, .untrusted, "ERROR: cannot verify localhost's certificate, issued by ‘CN=R3’:", "localhost"),
        Message(
            .wget, .nameMismatch,
            "ERROR: no certificate subject alternative name matches\n\trequested host name ‘localhost’.", "localhost"),
    ]

    static let java = [
        Message(
            .java, .untrusted,
            "javax.net.ssl.SSLHandshakeException: (certificate_unknown) PKIX path building failed: SunCertPathBuilderException: unable to find"
                + " valid certification path to requested target"),
        Message(
            .java, .nameMismatch,
            "SSLHandshakeException: (certificate_unknown) No subject alternative names matching IP address 127.0.0.1 found",
            "127.0.0.1"),
        Message(
            .java, .nameMismatch,
            "javax.net.ssl.SSLPeerUnverifiedException: Certificate for <localhost> doesn't match any of the subject alternative names: [a]",
            "localhost"),
    ]

    @Test(arguments: python + node + rustls + platforms + java) func readsAMessage(_ message: Message) throws {
        let failure = try onlyFailure(in: "2026-11-23 10:00:00 \(message.text)\n")
        #expect(failure.source == message.source && failure.kind == message.kind, "\(failure)")
        #expect(failure.host == message.host && failure.port == message.port && failure.hostLine == nil, "\(failure)")
    }

    /// nginx names the address of the server, and not its host.
    @Test func theHostOfNginxIsAGuess() throws {
        let failure = try onlyFailure(
            in:
                "upstream SSL certificate verify error: (20:unable to get local issuer certificate) while SSL handshaking to upstream, upstream:"
                + " \"https://127.0.0.1:44301/a\"\n")
        #expect(failure.kind == .untrusted && failure.hostLine == 1)
    }

    /// The traceback of requests contains the error four times, and a list of Python's logging another one.
    @Test func tracebacksOfPython() throws {
        let reason = Self.verify + "unable to get local issuer certificate (_ssl.c:1020)"
        let pool =
            "HTTPSConnectionPool(host='localhost', port=44301): Max retries exceeded (Caused by SSLError('\(reason)'))"
        let log = """
            Traceback (most recent call last):
            ssl.SSLCertVerificationError: \(reason)

            During handling of the above exception, another exception occurred:

            Traceback (most recent call last):
            urllib3.exceptions.SSLError: \(reason)

            The above exception was the direct cause of the following exception:

            urllib3.exceptions.MaxRetryError: \(pool)

            During handling of the above exception, another exception occurred:

            requests.exceptions.SSLError: \(pool)\n
            """
        let found = FailureLog(Array(log.utf8)).failures
        #expect(found.map(\.count) == [1] && found.first?.failure.host == "localhost")
        let two = failures(in: "URLError: \(reason)\nConnectionError: \(pool)\n")
        #expect(two.map(\.host) == [nil, "localhost"])
    }

    /// The words of a message, or a URL, in a name.
    @Test(arguments: [
        "CERT_HAS_EXPIRED", "code: 'CERT_HAS_EXPIRED'", "https://evil.example/",
        "curl: (60) SSL certificate problem: certificate has expired",
        "invalid peer certificate: Expired", "\(verify)certificate has expired", "Host: evil.example. is not in",
        "The certificate of 'evil.example' has expired", "x509: certificate has expired or is not yet valid",
        "CertificateExpiredException",
        "certificate not valid for name \"evil.example\"", "Certificate for <evil.example> doesn't match",
        "Hostname/IP does not match certificate's altnames: Host: evil.example. ",
    ])
    func aMessageInAName(name: String) throws {
        for log in [
            "Error: Hostname/IP does not match certificate's altnames: Host: localhost. is not in the cert's altnames: DNS:\(name)\n"
                + "  reason: \"Host: localhost. is not in the cert's altnames: DNS:\(name)\",\n    subject: { O: '\(name)', CN: '\(name)' },\n"
                + "    subjectaltname: 'DNS:\(name)',\n",
            "Error: Hostname/IP does not match certificate's altnames: Host: localhost. is not cert's CN: \(name)\n",
            "invalid peer certificate: certificate not valid for name \"localhost\"; certificate is only valid for DnsName(\"\(name)\")\n",
            "Certificate for <localhost> doesn't match any of the subject alternative names: [\(name)]\n",
            "ERROR: cannot verify localhost's certificate, issued by ‘CN=\(name)’:\n",
        ] {
            let failure = try onlyFailure(in: log)
            #expect(failure.host == "localhost" && failure.hostLine == nil && failure.kind != .expired, "\(log)")
        }
    }

    @Test(arguments: [
        "code: 'ECONNREFUSED'", "exit code CERT", "status code CERT_REVOKED", "invalid peer certificate encoding",
        "certificate verify failed",
        "InvalidCertificate(ExpiredRevocationList)",
        "Server trust evaluation failed due to reason: No certificates were found",
        "CERTIFICATE_VERIFY_FAILED", "The certificate of ‘localhost’ is not trusted.",
    ])
    func ignoresOtherText(text: String) { #expect(failures(in: text).isEmpty) }
}
