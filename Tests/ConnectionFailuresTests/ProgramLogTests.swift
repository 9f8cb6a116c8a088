import TestSupport
import Testing

@testable import ConnectionFailures
@testable import Pinning

/// Logs of programs with several lines, and other logs with words that a message also has.
@Suite struct ProgramLogTests {
    private static let names = [
        "x509: certificate has expired or is not yet valid", "code: 'CERT_HAS_EXPIRED'", "https://evil.example/",
        "curl: (60) SSL certificate problem: certificate has expired",
        "x\\n    },\\ncurl: (60) SSL certificate problem: certificate has expired",
    ]

    /// The system's reason contains the common name.
    @Test(arguments: names) func theReasonOfTheSystem(name: String) throws {
        let reason = "“\(name)” certificate is not trusted"
        for (log, host) in [
            ("Server trust evaluation failed due to reason: SecTrust evaluation failed with error: \(reason)\n", nil),
            ("invalid peer certificate: Other(OtherError(\"\(reason)\"))\n", nil),
            ("=== TrustKit: Error: default SSL validation failed for localhost: \(reason)\n", "localhost"),
        ] {
            // A line feed in a name is one in the log too.
            guard !name.contains("\\n") else { continue }
            let failure = try onlyFailure(in: log)
            #expect(failure.kind == .untrusted && failure.host == host, "\(failure)")
        }
    }

    /// Node.js 20 and 24 write the certificate over several lines.
    @Test(arguments: names) func theCertificateOfNode(name: String) throws {
        let message =
            "Hostname/IP does not match certificate's altnames: Host: localhost. is not in the cert's altnames: DNS:x"
        let (open, end) = (
            "  cert: {\n    subject: [Object: null prototype] {\n      C: 'US',\n", "\n      CN: 'x'\n    },\n"
        )
        for attribute in [
            "L: '\(name)',", "ST: '\(name)',", "O: \"\(name)\",", "OU: [ '\(name)' ],", "OU: [\n 'a',\n '\(name)'\n ],",
        ] {
            let dump = "Error [ERR_TLS_CERT_ALTNAME_INVALID]: \(message)\n    at x {\n\(open)      \(attribute)\(end)"
            #expect(try onlyFailure(in: dump).kind == .nameMismatch)
            #expect(failures(in: open + "      \(attribute)\n").isEmpty)
            #expect(failures(in: dump + "  }\n}\nx509: certificate has expired or is not yet valid\n").count == 2)
        }
        let escaped = name.replacing("\"", with: "\\\"")
        let pretty =
            "{\n  \"host\": \"localhost\",\n  \"cert\": {\n    \"subject\": {\n      \"CN\": \"\(escaped)\"\n    }\n  }\n}\n"
        #expect(failures(in: pretty).isEmpty)
        let compact = #"{"host":"localhost","cert":{"subject":{"C":"US","L":"\#(escaped)"}}}"#
        #expect(failures(in: compact).isEmpty || name.contains("\\n"))
        #expect(failures(in: "log " + compact.replacing("\"", with: "\\\"")).isEmpty || name.contains("\\n"))
    }

    /// The texts before a name are those of the programs, and not words of other logs.
    @Test(arguments: [
        #"{"client":{"CN":"svc-a","O":"acme"},"msg":"Get \"https://localhost/\": x509: certificate signed by unknown authority"}"#,
        "ERROR token issued by 'auth' refused; https://localhost/ PKIX path building failed: x",
        "WARN the token is only valid for 5 minutes; Get \"https://localhost/\": x509: certificate signed by unknown authority",
        "credentials presented: [a]; https://localhost/ PKIX path building failed: x",
        "job CN: 'build' failed: Get \"https://localhost/\": x509: certificate signed by unknown authority",
    ])
    func wordsOfOtherLogs(log: String) throws {
        let failure = try onlyFailure(in: log)
        #expect(failure.kind == .untrusted && failure.host == "localhost" && failure.hostLine == nil)
    }

    private static let error =
        "* SSL: public key does not match pinned public key\ncurl: (90) SSL: public key does not match pinned public key\n"

    private static func certificate(_ heading: String, _ name: String, origin: String? = nil) -> String {
        "* \(heading) certificate:\n*  subject: CN=\(name)\n*  start date: Jan  1 00:00:00 2020 GMT\n"
            + (origin.map { "*  subjectAltName: host \"\($0)\" matched cert's \"\(name)\"\n" } ?? "")
            + "*  issuer: CN=I\n"
    }

    /// curl 7.88 with a proxy to which it connects with TLS.
    @Test func aProxyWithTLS() throws {
        let proxy =
            "* Connected to proxy.example (192.0.2.1) port 3128\n"
            + Self.certificate("Proxy", "proxy.example", origin: "proxy.example")
        let tunnel = "* Establish HTTP proxy tunnel to localhost:8443\n"
        let server = Self.certificate("Server", "localhost", origin: "localhost") + Self.error
        for command in ["", "$ curl -v --proxy https://proxy.example:3128 https://localhost:8443/\n"] {
            let failure = try onlyFailure(in: command + proxy + tunnel + server)
            #expect(failure.host == "localhost" && failure.port == 8443 && failure.hostLine == nil, "\(failure)")
            #expect(failure.seen.map(\.subject) == ["CN=localhost"])
        }
        #expect(try onlyFailure(in: proxy + Self.error).hostLine != nil)
        let two =
            proxy.replacing("CN=proxy.example", with: "x\n* Establish HTTP proxy tunnel to evil.example:1") + tunnel
            + server
        let forged = try onlyFailure(in: two)
        #expect(forged.host == nil || forged.hostLine != nil)
    }

    @Test func anEarlierConnectionOfCurl() throws {
        let first =
            "* Connected to a.example (192.0.2.1) port 443 (#0)\n" + String(repeating: "< header: x\n", count: 70)
        let second =
            "* Connected to localhost. (127.0.0.1) port 8443 (#0)\n"
            + Self.certificate("Server", "localhost", origin: "localhost.")
        for end in [
            "* Connection #0 to host a.example left intact\n", "* Closing connection 0\n", "* closing connection #0\n",
        ] {
            let failure = try onlyFailure(in: first + end + second + Self.error)
            #expect(failure.host == "localhost" && failure.port == 8443 && failure.hostLine == nil, "\(failure)")
        }
        let name = "x\n* Closing connection 0\n* Connected to evil.example (192.0.2.1) port 1 (#0)"
        let forged = try onlyFailure(in: second.replacing("CN=localhost", with: name) + Self.error)
        #expect(forged.host == nil || forged.hostLine != nil)
    }

    /// A name that continues with a command line or a heading, and a name of the issuer.
    @Test(arguments: ["\ncurl y", "\n* Server certificate:", ""])
    func anErrorOfCurlInAName(end: String) {
        let name = "x\ncurl: (60) SSL certificate problem: certificate has expired"
        let start = "* Connected to localhost (127.0.0.1) port 8443 (#0)\n"
        let subject = Self.certificate("Server", name + end)
        let issuer = Self.certificate("Server", "localhost").replacing("CN=I", with: "\(name)\n* z")
        for certificate in [subject, issuer] {
            let rest = "*  SSL certificate verify ok.\n*  public key hash: sha256//x\n" + Self.error
            let found = failures(in: start + certificate + rest)
            #expect(found.first?.kind == .expired && found.first?.hasRepeatedParts == true, "\(found)")
        }
    }

    @Test(
        arguments: [
            ("WARNING: The certificate of ‘localhost’ doesn't have a known issuer.", nil),
            ("WARNING: no certificate subject alternative name matches\n\trequested host name ‘localhost’.", nil),
            (
                "ERROR: cannot verify localhost's certificate, issued by ‘CN=R3’:\n  Issued certificate has expired.",
                .expired
            ),
            (
                "ERROR: cannot verify localhost's certificate, issued by ‘CN=R3’:\n  Issued certificate not yet valid.",
                .notYetValid
            ),
            (
                "ERROR: certificate common name ‘x’ doesn't match requested host name ‘evil.example’ y’ doesn't match requested host name"
                    + " ‘localhost’.\nTo connect to localhost insecurely, use `--no-check-certificate'.", .nameMismatch
            ),
        ] as [(String, ConnectionFailure.Kind?)])
    func messagesOfWget(log: String, kind: ConnectionFailure.Kind?) {
        let found = failures(in: log + "\n")
        #expect(
            found.map(\.kind) == [kind].compactMap(\.self) && found.allSatisfy { $0.host == "localhost" }, "\(found)")
    }

    @Test func curlWithRustls() throws {
        let text = "rustls_connection_process_new_packets: invalid peer certificate: UnknownIssuer\n"
        #expect(try onlyFailure(in: "* \(text)* closing connection #0\ncurl: (60) \(text)").source == .curl)
        #expect(try onlyFailure(in: "* \(text)").source == .rustls)
    }

    /// The member `host` is before the certificate.
    @Test func theHostOfAnErrorOfNode() throws {
        let message =
            "Error: Hostname/IP does not match certificate's altnames: Cert does not contain a DNS name\n    at x {\n"
        #expect(try onlyFailure(in: message + "  host: 'localhost',\n").host == "localhost")
        #expect(
            try onlyFailure(in: message + "  cert: {\n    subject: {\n      L: 'x',\n host: 'evil.example'\n    }\n")
                .host == nil)
    }

    /// The request and the referrer are texts of a client.
    @Test func theHostOfNginx() throws {
        let start =
            "upstream SSL certificate verify error: (10:certificate has expired) while SSL handshaking to upstream, request: \"GET /?u="
        let upstream = ", upstream: \"https://127.0.0.1:44301/a\", host: \"a\", referrer: \"https://evil.example/\"\n"
        let failure = try onlyFailure(in: start + "https://evil.example/ HTTP/1.1\"" + upstream)
        #expect(failure.host == "127.0.0.1" && failure.port == 44301 && failure.hostLine == 1)
        #expect(try onlyFailure(in: start + "\", upstream: \"https://evil.example/\"" + upstream).host == nil)
        #expect(try onlyFailure(in: start + "https://evil.example/\"\n").host == nil)
    }

    @Test(arguments: ["pycurl.error: (60, ", "pycurl.error: (60, '", "pycurl.error: (60, '')", "pycurl.error: ("])
    func anEmptyTextOfPycurl(text: String) { #expect(failures(in: text).isEmpty) }

    /// The conclusion about a certificate for other names.
    @Test func theConclusionAboutNames() throws {
        let failure = try onlyFailure(
            in:
                "Error: Hostname/IP does not match certificate's altnames: Host: localhost. is not in the cert's altnames: DNS:x\n"
        )
        let alone = Conclusion(of: failure, with: HostEvidence(.notAsked, expected: []))
        #expect(alone.sentence.hasPrefix("the program received a certificate for other names"))
        let pki = try TestPKI.shared()
        let live = try ["leaf", "intermediate", "root"].map { try Certificate(der: pki.bytes("\($0).der")) }
        let chain = CertificateChain(path: live, served: live, failures: [])
        let found = Conclusion(of: failure, with: HostEvidence(.chain(chain), expected: []))
        #expect(
            found.verdict == .undecided && found.sentence.contains("serves a trusted one for localhost"), "\(found)")
    }

    /// A program that compares whole certificates.
    @Test(arguments: ["Certificate", "Public key"]) func aRenewedCertificate(what: String) throws {
        let failure = try onlyFailure(
            in: "Server trust evaluation failed due to reason: \(what) pinning failed for host localhost.\n")
        let pki = try TestPKI.shared()
        let live = try ["leaf", "intermediate", "root"].map { try Certificate(der: pki.bytes("\($0).der")) }
        let chain = CertificateChain(path: live, served: live, failures: [])
        let pin = try Pin(spelling: try pki.pin("leaf"))
        let found = Conclusion(of: failure, with: HostEvidence(.chain(chain), expected: [pin], setPins: [pin]))
        #expect(found.sentence.contains("renewed its certificate") == (what == "Certificate"), "\(found)")
    }
}
