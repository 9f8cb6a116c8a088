import TestSupport
import Testing

@testable import ConnectionFailures
@testable import Pinning

/// The output of `openssl s_client` of OpenSSL 3.0 and of gnutls-cli 3.7, and the port in that of Wget 1.21.
@Suite struct ClientToolTests {
    private static let errors = """
        depth=0 CN = expired.example.com
        verify error:num=10:certificate has expired
        notAfter=Jan  1 00:00:00 2026 GMT

        """
    private static let output = """
        CONNECTED(00000003)
        ---
        Certificate chain
         0 s:CN = expired.example.com
           i:O = Usr CA, CN = Usr Int 1
           v:NotBefore: Jan  1 00:00:00 2025 GMT; NotAfter: Jan  1 00:00:00 2026 GMT
        ---
        SSL handshake has read 1076 bytes and written 328 bytes
        Verification error: certificate has expired
        ---
            Verify return code: 10 (certificate has expired)

        """

    /// Standard error is before or after the line of the connection, or missing.
    @Test(arguments: [errors + output, output, "CONNECTED(00000003)\n" + errors + output, output + output])
    func theClientOfOpenSSL(log: String) throws {
        let failure = try onlyFailure(in: log)
        // The result is only the last error, before which the chain can be that of an interceptor.
        let kind: ConnectionFailure.Kind = log.contains(Self.errors) ? .expired : .untrusted
        #expect(failure.source == .openssl && failure.kind == kind && failure.host == nil, "\(failure)")
        let count = FailureLog(Array(log.utf8)).failures.first?.count
        #expect(count == (log == Self.output + Self.output ? 2 : 1))
        let onError = try onlyFailure(in: Self.errors + Self.output)
        #expect(onError.seen.map(\.subject) == ["CN = expired.example.com"])
        #expect(onError.seen.map(\.issuer) == ["O = Usr CA, CN = Usr Int 1"])
    }

    /// The chain is before a result, after the line of its connection.
    @Test func theChainOfAResult() throws {
        let found = failures(in: Self.output + Self.output.replacing("expired.example.com", with: "other.example.com"))
        #expect(found.map { $0.seen.map(\.subject) } == [["CN = expired.example.com"], ["CN = other.example.com"]])
        // `s_client` without the line of its connection.
        let cut = Self.output.replacing("CONNECTED(00000003)\n", with: "")
        #expect(try onlyFailure(in: cut).seen.map(\.subject) == ["CN = expired.example.com"])
    }

    /// The result shows only the last error.
    @Test func theConclusionAboutAnExpiredResult() throws {
        let failure = try onlyFailure(in: "Verification error: certificate has expired\n")
        let alone = Conclusion(of: failure, with: HostEvidence(.notAsked, expected: []))
        #expect(alone.sentence.contains("a certificate that has expired or is not valid yet"), "\(alone)")
        let pki = try TestPKI.shared()
        let live = try ["leaf", "intermediate", "root"].map { try Certificate(der: pki.bytes("\($0).der")) }
        let chain = CertificateChain(path: live, served: live, failures: [])
        let found = Conclusion(of: failure, with: HostEvidence(.chain(chain), expected: []))
        #expect(found.verdict == .undecided && found.sentence.contains("was renewed since"), "\(found)")
    }

    /// The line alone is not a list of names, which would hide the failures after it.
    @Test func aListOfNamesWithoutAnEnd() throws {
        let line = "Acceptable client certificate CA names\n"
        _ = try onlyFailure(in: line + "curl: (60) SSL certificate problem: certificate has expired\n")
    }

    @Test func severalErrorsOfOpenSSL() throws {
        let unknown =
            "depth=1 CN = x\nverify error:num=19:self-signed certificate in certificate chain\nverify return:1\n"
        let failure = try onlyFailure(in: unknown + Self.errors + "verify return:1\n" + Self.output)
        #expect(failure.kind == .untrusted && failure.message.hasSuffix("self-signed certificate in certificate chain"))
        #expect(failures(in: "depth=0 CN = x\nverify return:1\n    Verify return code: 0 (ok)\n").isEmpty)
    }

    @Test(
        arguments: [
            ("-connect api.example.com:8443", "api.example.com", 8443, false),
            ("-connect 127.0.0.1:8443 -servername api.example.com", "127.0.0.1", 8443, true),
            ("-starttls smtp -connect mail.example.com:25", nil, nil, false),
            (#"-connect "a.example:443" -servername "a.example""#, "a.example", 443, false),
            ("-connect a.example:443 -servername 'A.example'</dev/null 2>/dev/null", "a.example", 443, false),
            ("-servername a.example; -connect a.example:443", "a.example", 443, false),
            ("-servername b.example;echo -connect a.example:443", "a.example", 443, true),
        ] as [(String, String?, Int?, Bool)])
    func theCommandLineOfOpenSSL(options: String, host: String?, port: Int?, isGuess: Bool) throws {
        let failure = try onlyFailure(in: "$ openssl s_client \(options)\n" + Self.errors + Self.output)
        #expect(failure.host == host && failure.port == port && (failure.hostLine != nil) == isGuess, "\(failure)")
    }

    /// An interceptor chooses these names. OpenSSL escapes line feeds in them.
    @Test(arguments: [
        "depth=0 CN = NAME", " 0 s:CN = NAME", "   i:CN = NAME", "subject=CN = NAME", "issuer=CN = NAME",
        "Acceptable client certificate CA names\nCN = x\nO = NAME\nClient Certificate Types: RSA sign",
        "- Certificate[0] info:\n - subject `CN=NAME', issuer `CN=NAME', serial 0x01",
    ])
    func namesOfCertificates(line: String) {
        for text in [
            "x509: certificate has expired or is not yet valid", "verify error:num=10:certificate has expired",
            "curl: (60) SSL certificate problem: certificate has expired",
            "- Status: The certificate is NOT trusted. The certificate chain uses expired certificate. ",
        ] {
            let log = line.replacing("NAME", with: text) + "\n"
            #expect(failures(in: log).isEmpty, "\(log)")
        }
    }

    private static let gnutls = """
        Processed 1 CA certificate(s).
        Resolving 'api.example.com:18446'...
        Connecting to '127.0.0.1:18446'...
        - Certificate type: X.509
        - Got a certificate list of 1 certificates.
        - Certificate[0] info:
         - subject `CN=NAME', issuer `CN=Usr Int 1,O=Usr CA', serial 0x01, EC/ECDSA key 256 bits, signed using ECDSA-SHA256, \
        pin-sha256="2/VZQiFGGdLW5cjZtOXpqoFtPQXeTmfBFrP8TYdt4mo="
        - Status: The certificate is NOT trusted. STATUS
        *** PKI verification of server certificate failed...

        """

    /// The sentences are those of lib/cert-session.c.
    @Test(
        arguments: [
            ("The certificate chain uses expired certificate. ", .expired),
            ("The certificate chain uses not yet valid certificate. ", .notYetValid),
            (
                "The certificate chain uses expired certificate. The name in the certificate does not match the expected. ",
                .nameMismatch
            ),
            ("The certificate issuer is unknown. The certificate chain uses expired certificate. ", .untrusted),
            ("The certificate chain is revoked. The certificate chain uses expired certificate. ", .untrusted),
        ] as [(String, ConnectionFailure.Kind)])
    func theClientOfGnuTLS(status: String, kind: ConnectionFailure.Kind) throws {
        let log = Self.gnutls.replacing("STATUS", with: status).replacing("NAME", with: "x")
        let failure = try onlyFailure(in: log)
        #expect(failure.source == .gnutls && failure.kind == kind && !failure.hasRepeatedParts, "\(failure)")
        #expect(failure.host == "api.example.com" && failure.port == 18446)
        #expect(failure.seen.map(\.subject) == ["CN=x"] && failure.seen.map(\.issuer) == ["CN=Usr Int 1,O=Usr CA"])
        #expect(failure.seenPins.map(\.base64) == ["2/VZQiFGGdLW5cjZtOXpqoFtPQXeTmfBFrP8TYdt4mo="])
    }

    /// A name with line feeds contains a status, and in the second case another host.
    @Test(arguments: ["", "Resolving 'evil.example:443'...\n"]) func aNameWithAStatus(host: String) {
        let name =
            "x\n\(host)- Status: The certificate is NOT trusted. The certificate chain uses expired certificate. \n"
        let log = Self.gnutls.replacing("STATUS", with: "The certificate issuer is unknown. ").replacing(
            "NAME", with: name)
        let found = failures(in: log)
        #expect(found.count == 2 && found.allSatisfy(\.hasRepeatedParts), "\(found)")
    }

    /// A name contains the rest of a run and the start of another one. Two runs with the same status look the same.
    @Test(arguments: ["The certificate issuer is unknown. ", "The certificate chain uses expired certificate. "])
    func aNameWithARun(status: String) {
        let name =
            "x\n- Status: The certificate is NOT trusted. \(status)\n*** PKI verification of server certificate failed...\n"
        for lines in [1, 500] {
            let gap = String(repeating: "\n", count: lines)
            let log = Self.gnutls.replacing("STATUS", with: "The certificate issuer is unknown. ")
                .replacing("NAME", with: "\(name)\(gap)Resolving 'b.example:443'...\n - subject `CN=y")
            let found = failures(in: log)
            let isSame = status.contains("unknown")
            #expect(found.map(\.host) == ["api.example.com", "b.example"])
            #expect(found.allSatisfy { $0.hasRepeatedParts == !isSame }, "\(found)")
        }
    }

    /// Other lines follow the output.
    @Test func aLongLogAfterGnuTLS() throws {
        let log = Self.gnutls.replacing("STATUS", with: "The certificate issuer is unknown. ").replacing(
            "NAME", with: "x")
        let failure = try onlyFailure(in: log + String(repeating: "INFO tick\n", count: 1000))
        #expect(!failure.hasRepeatedParts && failure.host == "api.example.com")
    }

    /// The lines of a request are before the names of its certificate, and a name with line feeds can contain another one.
    @Test(
        arguments: [
            ("", nil), ("--2026-11-23 20:42:16--  https://127.0.0.1:18445/\n", 18445),
            ("--2026-11-23 20:42:16--  https://127.0.0.1/\n", 443),
            ("--2026-11-23 20:42:16--  https://other.example:18445/\n", nil),
            ("--2026-11-23 20:42:16--  https://127.0.0.1:18445/\n--2026-11-23 20:42:17--  https://127.0.0.1:1/\n", nil),
        ] as [(String, Int?)])
    func thePortOfWget(request: String, port: Int?) throws {
        let log =
            "\(request)Connecting to 127.0.0.1:18445... connected.\nERROR: The certificate of ‘127.0.0.1’ is not trusted.\n"
            + "ERROR: The certificate of ‘127.0.0.1’ doesn't have a known issuer.\n"
        let failure = try onlyFailure(in: log)
        #expect(failure.host == "127.0.0.1" && failure.port == port, "\(failure)")
    }
}
