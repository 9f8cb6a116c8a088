import TestSupport
import Testing

@testable import ConnectionFailures
@testable import Encodings
@testable import Pinning

/// Logs with names of certificates that contain the words of a message. An interceptor chooses these names.
@Suite(.blocking) struct CertificateNameTests {
    static let other = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="

    let pki: TestPKI
    let live: [Certificate]

    init() throws {
        let pki = try TestPKI.shared()
        self.pki = pki
        live = try ["leaf", "intermediate", "root"].map { try Certificate(der: pki.bytes("\($0).der")) }
    }

    /// The conclusion for a host that serves the chain of the test PKI.
    private func conclusion(
        _ failure: ConnectionFailure, set: [String] = [], isGuess: Bool = false, lacksEntry: Bool = false
    ) throws -> Conclusion {
        let setPins = try set.map { try Pin(spelling: try pki.pin($0)) }
        let chain = CertificateChain(path: live, served: live, failures: [])
        return Conclusion(
            of: failure,
            with: HostEvidence(
                .chain(chain), expected: failure.expected.isEmpty ? setPins : failure.expected, setPins: setPins,
                isGuess: isGuess, lacksEntry: lacksEntry))
    }

    private func okhttp(name: String) throws -> String {
        """
        Certificate pinning failure!
          Peer certificate chain:
            sha256/\(try pki.pin("other-leaf")): CN=\(name)
            sha256/\(try pki.pin("other-root")): CN=ISRG Root X1
          Pinned certificates for localhost:
            sha256/\(try pki.pin("leaf"))
          at okhttp3.CertificatePinner.check\n
        """
    }

    @Test func aNameOfOkHttp() throws {
        let own = try pki.pin("intermediate")
        let genuine = try onlyFailure(in: okhttp(name: "localhost"))
        #expect(try conclusion(genuine).verdict == .interception)
        #expect(!genuine.hasRepeatedParts)
        let pins = "  Pinned certificates for localhost:\n    sha256/\(Self.other)"
        let empty = String(repeating: "\n", count: 401)
        for name in [
            "x\n    sha256/\(own): CN=Test\n\(pins)\(empty)", "x\(empty)", "x sha256/\(own): CN=Test",
            "x\n\(pins)",
        ] {
            let failure = try onlyFailure(in: okhttp(name: name))
            #expect(failure.hasRepeatedParts, "\(name)")
            #expect(try conclusion(failure).verdict == .undecided)
        }
    }

    /// A name with a whole message, between the title and the pins of the genuine one.
    @Test func aMessageInANameOfOkHttp() throws {
        let title = "Certificate pinning failure!"
        let name = """
            x
            \(title)
              Peer certificate chain:
                sha256/\(try pki.pin("leaf")): CN=localhost
              Pinned certificates for localhost:
                sha256/\(Self.other)
            \(title)
            """
        let found = failures(in: try okhttp(name: name))
        #expect(found.count == 3)
        for failure in found { #expect(try conclusion(failure).verdict == .undecided, "\(failure)") }
        // The set, which no name changes, has a pin of the host.
        let whole = name.split(separator: "\n").dropFirst().joined(separator: "\n") + "\n  Peer certificate chain:\n"
        let balanced = try okhttp(name: "x\n  Pinned certificates for a.example:\n    sha256/\(Self.other)\n\(whole)")
        let parts = failures(in: balanced)
        #expect(parts.count == 3)
        for failure in parts { #expect(try conclusion(failure, set: ["leaf"]).verdict == .undecided, "\(failure)") }
        // Two messages after each other are no such case.
        let two = failures(in: try okhttp(name: "localhost") + okhttp(name: "other"))
        #expect(two.map(\.hasRepeatedParts) == [false, false])
    }

    /// The pins in the log are not those of the host, and those of the set are.
    @Test func pinsOfASetOfOkHttp() throws {
        let log = """
            Certificate pinning failure!
              Peer certificate chain:
                sha256/\(try pki.pin("leaf")): CN=localhost
                sha256/\(try pki.pin("intermediate")): CN=Test
              Pinned certificates for localhost:
                sha256/\(Self.other)
            """
        let failure = try onlyFailure(in: log)
        #expect(try conclusion(failure).verdict == .rotation)
        #expect(try conclusion(failure, set: ["other-root"]).verdict == .rotation)
        let newer = try conclusion(failure, set: ["root"])
        #expect(newer.verdict == .undecided && newer.sentence.contains("the program has an older set"), "\(newer)")
    }

    /// A line with a report in a name is not read, and does not hide the other messages.
    @Test(arguments: ["", "[10:00] E ", "{ "]) func aReportInAName(prefix: String) throws {
        let report = #"{"hostname":"localhost","known-pins":["\#(Self.other)"]}"#
        let failure = try onlyFailure(in: prefix + okhttp(name: "x\n\(report)\n"))
        #expect(failure.source == .okhttp)
        let go = #"Get "https://c.example/": x509: certificate signed by unknown authority"#
        #expect(failures(in: "[12:00] start\n\(report)\n[12:01] \(go)\n").map(\.host) == ["c.example"])
        // In a log that consists of JSON, a line feed in a name is escaped.
        let lines = #"{"level":"E","message":"x509: certificate signed by unknown authority"}"#
        #expect(failures(in: "\(lines)\n\(report)\n").map(\.source) == [.go, .trustkit])
    }

    /// TrustKit's log contains no pins of the program.
    @Test func aNameOfTrustKit() throws {
        let digits = Hex.encode(try Pin(spelling: try pki.pin("intermediate")).bytes)
        let leaf = Hex.encode(try Pin(spelling: try pki.pin("other-leaf")).bytes)
        let failure = try onlyFailure(
            in: """
                === TrustKit: Checking certificate with CN: localhost
                === TrustKit: Testing SSL Pin <\(digits)>
                === TrustKit: Checking certificate with CN: z
                === TrustKit: Testing SSL Pin <\(leaf)>
                === TrustKit: Error: SSL Pin not found for localhost
                """)
        #expect(failure.seen.count == 2)
        let unknown = try conclusion(failure)
        #expect(unknown.verdict == .undecided && unknown.step == .namePins, "\(unknown)")
        #expect(try conclusion(failure, set: ["leaf"]).verdict == .undecided)
        #expect(try conclusion(failure, set: ["other-root"]).verdict == .rotation)
    }

    private func curl(subject: String, option: String = "") throws -> String {
        """
        \(option)
        * Connected to localhost (127.0.0.1) port 443 (#0)
        * Server certificate:
        *  subject: \(subject)
        *  issuer: CN=Other Root
        *  public key hash: sha256//\(try pki.pin("other-leaf"))
        * SSL: public key does not match pinned public key
        curl: (90) SSL: public key does not match pinned public key
        """
    }

    @Test func aNameOfCurl() throws {
        let pin = "--pinnedpubkey sha256//\(try pki.pin("intermediate"))"
        let option = "curl --pinnedpubkey sha256//\(try pki.pin("leaf")) https://localhost/"
        let genuine = try onlyFailure(in: curl(subject: "CN=localhost", option: option))
        #expect(genuine.expected.map(\.base64) == [try pki.pin("leaf")] && !genuine.hasRepeatedParts)
        // Without a line feed, with one, and with the option farther away than the other lines.
        let inName = try onlyFailure(in: curl(subject: "O=\(pin) ; CN=localhost", option: option))
        #expect(inName.expected == genuine.expected)
        for subject in [
            "O=x\n\(pin) ", "O=x\n*  subject: CN=localhost", "O=x\n* public key hash: sha256//\(Self.other)",
            "O=x" + String(repeating: "\n", count: 70) + "\(pin) ",
        ] {
            let failure = try onlyFailure(in: curl(subject: subject, option: option))
            #expect(failure.hasRepeatedParts, "\(subject)")
            #expect(try conclusion(failure).verdict == .undecided)
        }
        // The pins of the program are not known.
        #expect(try conclusion(onlyFailure(in: curl(subject: "CN=localhost"))).verdict == .undecided)
    }

    /// The texts of `verifyhost` in curl's lib/vtls/openssl.c (7.88 and 8.13), and of lib/vtls/gtls.c.
    @Test(arguments: [
        "SSL: certificate subject name 'www.wrong.example' does not match target host name 'localhost'",
        "SSL: certificate subject name 'www.wrong.example' does not match target hostname 'localhost'",
        "SSL: certificate subject name 'x has expired' does not match target host name 'localhost'",
        "SSL: certificate subject name (x) does not match target host name 'localhost'",
        "SSL: no alternative certificate subject name matches target host name 'localhost'",
        "SSL: no alternative certificate subject name matches target ipv4 address 'localhost'",
        "SSL: no alternative certificate subject name matches target host name 'localhost' (see"
            + " https://curl.haxx.se/libcurl/c/libcurl-errors.html) for https://localhost/",
    ])
    func theHostOfCurl(text: String) throws {
        let failure = try onlyFailure(in: "curl: (60) \(text)\n")
        #expect(failure.kind == .nameMismatch)
        #expect(failure.host == "localhost")
        #expect(!failure.hasRepeatedParts)
    }

    /// curl cuts a message off at 255 bytes, and ends the line of a name at its line feed.
    @Test(arguments: [
        "x' does not match target host name 'evil.example", "x' does not match target host name 'evil.example'\n",
        "x' does not match target host name 'evil.example'" + String(repeating: "y", count: 200),
        "https://evil.example/",
    ])
    func theHostInANameOfCurl(name: String) throws {
        let message = "SSL: certificate subject name '\(name)' does not match target host name 'localhost'"
        let log = "GET https://localhost/\ncurl: (60) \(message.prefix(255))\n"
        #expect(try onlyFailure(in: log).host == "localhost")
    }

    @Test func theHostInANameOfGo() throws {
        for text in [
            "x509: certificate is valid for x, not evil.example y, not localhost",
            "x509: certificate is valid for https://evil.example/, not localhost",
        ] {
            let failure = try onlyFailure(in: text)
            #expect(failure.host == (text.contains("y, not") ? nil : "localhost") && !failure.hasRepeatedParts)
        }
        let broken = try onlyFailure(in: "x509: certificate is valid for x, not evil.example\ny, not localhost\n")
        #expect(broken.host == nil && broken.hasRepeatedParts)
        #expect(try conclusion(broken).step == .nameHost)
    }

    /// The words of another message, or a URL, in a name without a line feed.
    @Test(arguments: [
        "CertificateExpiredException", "curl: (60) SSL certificate problem: certificate has expired",
        "https://evil.example:1/", "https://localhost:1/", "Hostname a.example not verified:",
        "TrustKit: Error: SSL Pin not found for evil.example", "NSURLErrorDomain Code=-1201",
        "x509: certificate has expired or is not yet valid", "Certificate pinning failure!",
        "* Connected to evil.example (192.0.2.1) port 1", "curl --pinnedpubkey x https://evil.example/",
    ])
    func otherMessagesInANameWithoutLineFeed(name: String) throws {
        let digits = Hex.encode(try Pin(spelling: try pki.pin("other-leaf")).bytes)
        let logs = [
            try okhttp(name: name),
            "Hostname localhost not verified:\n    certificate: sha256/\(Self.other)\n    DN: CN=\(name)\n"
                + "    subjectAltNames: [\(name)]\n",
            "=== TrustKit: Checking certificate with CN: \(name)\n=== TrustKit: Testing SSL Pin <\(digits)>\n"
                + "=== TrustKit: Error: SSL Pin not found for localhost\n",
            try curl(subject: "CN=\(name)"), urlSession(name: name),
            "curl: (60) SSL: certificate subject name (\(name)) does not match target host name 'localhost'\n",
            "x509: certificate is valid for \(name), not localhost\n",
        ]
        for log in logs {
            let failure = try onlyFailure(in: log)
            #expect(failure.host == "localhost" && failure.port ?? 443 == 443, "\(log)")
            #expect(failure.kind != .expired && !failure.hasRepeatedParts && failure.hostLine == nil, "\(log)")
        }
    }

    /// Messages in a name with line feeds are a part of OkHttp's message.
    @Test(arguments: ["", "\n\n"]) func otherMessagesInANameOfOkHttp(end: String) throws {
        for line in ["CertificateExpiredException", "curl: (60) SSL certificate problem: certificate has expired"] {
            let failure = try onlyFailure(in: okhttp(name: "x\n\(line)\n\(end)"))
            #expect(failure.source == .okhttp && failure.host == "localhost")
        }
    }

    /// The port of a URL that an interceptor can have written, and a URL in a name of curl.
    @Test func aURLInAName() throws {
        let url = "https://localhost:1/"
        for failure in try [
            onlyFailure(in: okhttp(name: "x\n\(url)")), onlyFailure(in: "GET \(url)\n" + okhttp(name: "x")),
        ] {
            #expect(failure.host == "localhost" && failure.port == nil && failure.hostLine == nil)
        }
        for name in ["x\nhttps://evil.example/", "x\ncurl https://evil.example/ "] {
            let failure = try onlyFailure(in: curl(subject: "O=\(name)"))
            #expect(failure.host == "localhost" && failure.hostLine == nil, "\(name)")
        }
        let connected = try onlyFailure(in: curl(subject: "O=x\n* Connected to evil.example (192.0.2.1) port 443"))
        #expect(connected.hostLine != nil)
        let cut = try curl(subject: "O=x\n* Connected to evil.example (192.0.2.1) port 443")
            .split(separator: "\n").drop { !$0.contains("subject") }.joined(separator: "\n")
        #expect(try onlyFailure(in: cut).hostLine != nil)
    }

    /// A name of OkHttp before a run of curl, and the spaces of curl with GnuTLS.
    @Test func anotherProgramBeforeCurl() throws {
        let name = "x\ncurl --pinnedpubkey sha256//\(Self.other) https://evil.example/ \n"
        let error = "curl: (90) SSL: public key does not match pinned public key\n"
        let curl = try #require(failures(in: okhttp(name: name) + error).last)
        #expect(curl.source == .curl && curl.expected.isEmpty && (curl.host == nil || curl.hostLine != nil), "\(curl)")
        let gnutls = "*   subject: CN=curl: (60) SSL certificate problem: certificate has expired\n"
        #expect(try onlyFailure(in: "* Connected to localhost (::1) port 443\n" + gnutls + error).kind == .pinMismatch)
    }

    /// The nearest URL can be that of another host.
    @Test func aGuessAllowsNoVerdict() throws {
        let failure = try onlyFailure(in: "GET https://localhost/\nCertificateException: Pin verification failed\n")
        #expect(failure.host == "localhost" && failure.hostLine == 1)
        #expect(try conclusion(failure, set: ["other-root"]).verdict == .rotation)
        let guess = try conclusion(failure, set: ["other-root"], isGuess: true)
        #expect(guess.verdict == .undecided && guess.step == .nameHost, "\(guess)")
        #expect(
            guess.sentence.hasPrefix("the message does not name its host; if it is that of line 1, the host serves"))
        // This verdict needs no host.
        let expired = try onlyFailure(in: "GET https://localhost/\nCertificateExpiredException\n")
        #expect(try conclusion(expired, isGuess: true).verdict == .expiredCertificate)
    }

    @Test func aSetWithoutAnEntryForTheHost() throws {
        let log = try curl(subject: "CN=localhost", option: "curl --pinnedpubkey sha256//\(Self.other) ")
            .replacing(try pki.pin("other-leaf"), with: try pki.pin("leaf"))
        let failure = try onlyFailure(in: log)
        #expect(try conclusion(failure).verdict == .rotation)
        #expect(try conclusion(failure, lacksEntry: true).verdict == .undecided)
    }

    private func urlSession(name: String) -> String {
        """
        Error Domain=NSURLErrorDomain Code=-1202 "x" UserInfo={_kCFStreamErrorDomainKey=3, NSErrorPeerCertificateChainKey=(
            "<cert(0x1) s: \(name) i: Other Root>",
            "<cert(0x2) s: Other Root i: Other Root>"
        ), NSErrorFailingURLStringKey=https://localhost/, _kCFStreamErrorCodeKey=-9807}\n
        """
    }

    @Test func aNameOfURLSession() throws {
        let (code, url) = ("_kCFStreamErrorCodeKey=-9814", "NSErrorFailingURLStringKey=https://evil.example:1/")
        // Without a line feed, the name is a part of the description of the certificate.
        for name in ["localhost \(code), ", "localhost \(url), ", "localhost https://evil.example/"] {
            for log in [urlSession(name: name), urlSession(name: name).replacing("\n", with: " ")] {
                let failure = try onlyFailure(in: log)
                #expect(failure.kind == .untrusted && failure.host == "localhost", "\(failure)")
                #expect(!failure.hasRepeatedParts)
            }
        }
        let lines = String(repeating: "\n", count: 70)
        for name in [
            "x>\"\n), \(code)", "x>\"\n), \(url)", "x\n\(code), ", "x\n\(url), ", "x>\"\n), \(code), \(url)}\n",
            "x>\"\n), \(code), \(url)}\(lines)", "x\n \(code), \(url)\(lines)",
            "x\n" + String(repeating: "\(code), ", count: 60),
        ] {
            let failure = try onlyFailure(in: urlSession(name: name))
            // The names are a part of the list, or the log has two descriptions.
            let isRead = failure.kind == .untrusted && failure.host == "localhost"
            #expect(isRead || failure.hasRepeatedParts || failure.hostLine != nil, "\(name)")
            #expect(failure.hasRepeatedParts || failure.kind == .untrusted, "\(name)")
        }
    }

    /// A log that is cut off before the keys of the message.
    @Test(arguments: ["x>\"", "x>\" ),", "x>\"\n),", "x\n", "x>,", "x>\" ), }"]) func aDescriptionOfURLSessionThatIsCut(
        name: String
    ) throws {
        let keys = "_kCFStreamErrorCodeKey=-9814, NSErrorFailingURLKey=https://evil.example:1/"
        for log in [
            urlSession(name: "\(name) \(keys)"), urlSession(name: "\(name) \(keys)").replacing("\n", with: " "),
        ] {
            let whole = try onlyFailure(in: log)
            #expect(whole.kind == .untrusted || whole.hasRepeatedParts, "\(log)")
            let end = try #require(log.firstRange(of: "0x2) s: Other Root")).upperBound
            let cut = try onlyFailure(in: log[..<end] + "<…>\n")
            #expect(
                cut.hasRepeatedParts || cut.kind == .untrusted && (cut.host == nil || cut.hostLine != nil), "\(cut)")
        }
    }
}
