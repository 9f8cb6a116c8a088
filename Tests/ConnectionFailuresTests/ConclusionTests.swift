import TestSupport
import Testing

@testable import ConnectionFailures
@testable import Encodings
@testable import Pinning

/// The rules, with the chain of the test PKI as that of the host.
@Suite(.blocking) struct ConclusionTests {
    static let placeholder = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

    let pki: TestPKI
    let chain: CertificateChain

    init() throws {
        let pki = try TestPKI.shared()
        self.pki = pki
        let path = try ["leaf", "intermediate", "root"].map { try Certificate(der: pki.bytes("\($0).der")) }
        chain = CertificateChain(path: path, served: path, failures: [])
    }

    private func conclusion(_ log: String, pins: [String], isConnected: Bool = true) throws -> Conclusion {
        let failures = FailureLog(Array(log.utf8)).failures
        #expect(failures.count == 1)
        let live: HostEvidence.Live = isConnected ? .chain(chain) : .notAsked
        return Conclusion(
            of: try #require(failures.first).failure,
            with: HostEvidence(live, expected: try pins.map { try Pin(spelling: $0) }))
    }

    private static let android = "java.security.cert.CertificateException: Pin verification failed"
    private static let portal = """
        Error Domain=NSURLErrorDomain Code=-1202 "x" UserInfo={NSErrorPeerCertificateChainKey=(
            "<cert(0x1) s: login.wifi.example i: Portal CA>"
        ), NSErrorFailingURLStringKey=https://localhost/, _kCFStreamErrorCodeKey=STREAM}
        """

    /// A placeholder is the cause only if no other pin matches.
    @Test func aPlaceholderWithAPinThatMatches() throws {
        let pins = [try pki.pin("leaf"), Self.placeholder]
        let mismatch = try conclusion(Self.android, pins: pins)
        #expect(mismatch.verdict == .undecided)
        #expect(mismatch.sentence.hasSuffix("also, the pin \(Self.placeholder) is a placeholder and matches no key"))
        let go = "x509: certificate has expired or is not yet valid: current time 2026 is after 2025"
        #expect(try conclusion(go, pins: pins).verdict == .expiredCertificate)
        #expect(try conclusion(go, pins: [Self.placeholder]).verdict == .expiredCertificate)
        for stream in ["-9843", "-9807"] {
            let log = Self.portal.replacing("STREAM", with: stream)
            #expect(try conclusion(log, pins: pins).verdict == .interception)
        }
    }

    @Test func aPlaceholderWithoutAPinThatMatches() throws {
        let other = try pki.pin("other-root")
        #expect(try conclusion(Self.android, pins: [Self.placeholder]).verdict == .wrongSet)
        // The other pin is one that the host no longer has.
        let both = try conclusion(Self.android, pins: [other, Self.placeholder])
        #expect(both.verdict == .rotation && both.sentence.hasSuffix("is a placeholder and matches no key"), "\(both)")
        // This needs no chain.
        #expect(try conclusion(Self.android, pins: [Self.placeholder], isConnected: false).verdict == .wrongSet)
        let offline = try conclusion(Self.android, pins: [other, Self.placeholder], isConnected: false)
        #expect(offline.verdict == .undecided)
    }

    /// The subject as curl and Java write it.
    @Test(arguments: [
        ("C=US; O=X; CN=localhost; emailAddress=admin@x", "localhost"), ("CN = localhost; O = X", "localhost"),
        ("CN=\"localhost\"", "localhost"), ("CN=\"localhost, x\", O=X", "localhost, x"), ("O=X", "O=X"),
    ])
    func theNameInASubject(subject: String, name: String) {
        #expect(ConclusionRules.commonName(subject) == name)
    }

    /// The chain that the program saw has the name of the host's chain.
    @Test(arguments: [
        "*  subject: C=US; O=X; CN=localhost; emailAddress=admin@x\ncurl: (60) SSL certificate problem: x",
        "*  subject: CN = localhost; O = X\ncurl: (60) SSL certificate problem: x",
    ])
    func theNameOfTheHost(log: String) throws {
        #expect(try conclusion(log, pins: []).verdict == .undecided)
        #expect(try conclusion(log.replacing("localhost", with: "other"), pins: []).verdict == .interception)
    }

    /// curl compares only the key of the server.
    @Test func aNewerSetForCurl() throws {
        let log = """
            curl --pinnedpubkey sha256//\(try pki.pin("root")) https://localhost/
            *  public key hash: sha256//\(try pki.pin("leaf"))
            curl: (90) SSL: public key does not match pinned public key
            """
        let failure = try #require(FailureLog(Array(log.utf8)).failures.first).failure
        let found = Conclusion(
            of: failure,
            with: HostEvidence(
                .chain(chain), expected: failure.expected, setPins: [try Pin(spelling: try pki.pin("leaf"))]))
        #expect(found.sentence.contains("the program has an older set"), "\(found)")
    }

    /// A set that cannot match does not explain a key that the host does not serve.
    @Test func aForeignKeyBesidesAWrongSet() throws {
        for (pin, sentence) in [(try pki.pin("root"), "curl compares only"), (Self.placeholder, "is a placeholder")] {
            for (seen, isForeign) in [("leaf", false), ("other-leaf", true)] {
                let log = """
                    curl --pinnedpubkey sha256//\(pin) https://localhost/
                    *  public key hash: sha256//\(try pki.pin(seen))
                    curl: (90) SSL: public key does not match pinned public key
                    """
                let found = try conclusion(log, pins: [pin])
                #expect(found.verdict == (isForeign ? .undecided : .wrongSet), "\(found)")
                #expect(found.sentence.contains(sentence), "\(found)")
                #expect(found.sentence.hasSuffix("or the connection was intercepted") == isForeign, "\(found)")
            }
        }
    }

    /// The texts are those of the programs. A name of a certificate is not searched.
    @Test(arguments: [
        (
            "curl: (60) SSL certificate problem: self-signed certificate in certificate chain",
            "ends in a self-signed certificate"
        ),
        ("curl: (60) SSL certificate problem: self signed certificate", "received a self-signed certificate"),
        (
            "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: unable to get local issuer certificate (_ssl.c:1006)",
            "no trusted issuer"
        ),
        ("  code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',", "no trusted issuer"),
        ("x509: certificate signed by unknown authority", "no trusted issuer"),
        ("invalid peer certificate: UnknownIssuer", "no trusted issuer"),
        ("default SSL validation failed for localhost: self-signed certificate", "does not show why"),
        ("curl: (60) server certificate verification failed. CAfile: none CRLfile: none", "does not show why"),
    ])
    func whyAChainIsNotTrusted(message: String, reason: String) throws {
        let line = message.hasPrefix("default") ? "=== TrustKit: Error: \(message)" : message
        let found = try conclusion(line, pins: [], isConnected: false)
        #expect(found.verdict == .undecided && found.sentence.contains(reason), "\(found)")
        #expect(found.sentence.contains("log does not show why") == (reason == "does not show why"), "\(found)")
    }

    /// OpenSSL names each of these defects in its message (crypto/x509/x509_txt.c). Java has one message for all of them.
    @Test(arguments: [
        ("curl: (60) SSL certificate problem: unable to get local issuer certificate", false),
        (
            "PKIX path building failed: sun.security.provider.certpath.SunCertPathBuilderException:"
                + " unable to find valid certification path to requested target", true
        ),
    ])
    func aMissingIssuerIsNoOtherDefect(message: String, isExplained: Bool) throws {
        let leaf = try Certificate(der: pki.bytes("leaf.der"))
        let failure = try #require(FailureLog(Array("\(message)\n".utf8)).failures.first).failure
        #expect(failure.isExplained(by: .missingIssuer(of: leaf, position: 0)))
        for defect: TrustFailure in [
            .wrongPurpose(leaf, position: 0), .weakKey(leaf, position: 0), .weakSignature(leaf, position: 0),
            .revoked(leaf, position: 0), .pathTooLong(leaf, position: 0),
        ] {
            #expect(failure.isExplained(by: defect) == isExplained, "\(defect.code)")
        }
    }

    /// Java, Android and Apple give one reason for most defects above the leaf. Go says which date, purpose or constraint is wrong (`isValid`
    /// and `buildChains` in crypto/x509/verify.go), and GnuTLS has a flag for each (gnutls/x509.h).
    @Test(arguments: [
        ("x509: certificate signed by unknown authority", ["unknown-authority", "not-an-authority", "bad-signature"]),
        ("invalid peer certificate: UnknownIssuer", ["unknown-authority", "not-an-authority", "bad-signature"]),
        (
            "javax.net.ssl.SSLHandshakeException: PKIX path building failed:"
                + " sun.security.provider.certpath.SunCertPathBuilderException:"
                + " unable to find valid certification path to requested target",
            ["unknown-authority", "expired", "wrong-purpose", "path-too-long", "not-an-authority", "bad-signature"]
        ),
    ])
    func aMissingIssuerAndADefectAboveTheLeaf(message: String, codes: [String]) throws {
        let issuer = try Certificate(der: pki.bytes("leaf.der"))
        let failure = try #require(FailureLog(Array("\(message)\n".utf8)).failures.first).failure
        let defects: [TrustFailure] = [
            .missingIssuer(of: issuer, position: 1), .expired(issuer, position: 1), .wrongPurpose(issuer, position: 1),
            .pathTooLong(issuer, position: 1), .notAnAuthority(issuer, position: 1), .badSignature(issuer, position: 0),
        ]
        #expect(defects.filter { failure.isExplained(by: $0) }.map(\.code) == codes)
    }

    /// Each message of OpenSSL or Go is about one kind of defect (crypto/x509/x509_txt.c; crypto/x509/verify.go).
    @Test(arguments: [
        ("unsuitable certificate purpose", "wrong-purpose"), ("invalid CA certificate", "not-an-authority"),
        ("path length constraint exceeded", "path-too-long"), ("excluded subtree violation", "name-constraints"),
        ("certificate signature failure", "bad-signature"),
        // curl 7.88.1 with an invalid signature.
        ("curl: (35) OpenSSL/3.0.19: error:06880006:asn1 encoding routines::EVP lib", "bad-signature"),
        ("curl: (35) error:0D0C5006:asn1 encoding routines:ASN1_item_verify:EVP lib", "bad-signature"),
        ("EE certificate key too weak", "weak-key"),
        ("certificate revoked", "revoked"), ("self-signed certificate in certificate chain", "untrusted-root"),
        ("self-signed certificate", "self-signed"), ("certificate has expired", "expired"),
        ("unable to get local issuer certificate", "missing-intermediate"),
    ])
    func aMessageIsAboutOneDefect(message: String, code: String) throws {
        let leaf = try Certificate(der: pki.bytes("leaf.der"))
        let log = message.hasPrefix("curl") ? "\(message)\n" : "curl: (60) SSL certificate problem: \(message)\n"
        let failure = try #require(FailureLog(Array(log.utf8)).failures.first).failure
        let defects: [TrustFailure] = [
            .wrongPurpose(leaf, position: 0), .notAnAuthority(leaf, position: 1), .pathTooLong(leaf, position: 1),
            .nameConstraints(leaf, position: 0), .badSignature(leaf, position: 0), .weakKey(leaf, position: 0),
            .revoked(leaf, position: 0), .untrustedRoot(leaf), .selfSigned(leaf), .expired(leaf, position: 1),
            .nameMismatch(leaf, expected: "a.test"), .missingIssuer(of: leaf, position: 0),
        ]
        let causes = defects.filter { failure.isExplained(by: $0) }.map(\.code)
        // A program without the root that the server sends misses an issuer, too.
        #expect(causes.filter { code != "missing-intermediate" || $0 != "untrusted-root" } == [code], "\(causes)")
    }

    /// The last error of `openssl s_client`, the words of rustls, and the code of URLSession.
    @Test(arguments: [
        ("Verification error: certificate is not yet valid", ["not-yet-valid"]),
        ("Verification error: certificate has expired", ["expired", "expired"]),
        ("invalid peer certificate: BadSignature", ["bad-signature"]),
        ("invalid peer certificate: InvalidPurpose", ["wrong-purpose"]),
        (
            "Error Domain=NSURLErrorDomain Code=-1203 \"x\" UserInfo={NSErrorFailingURLStringKey=https://localhost/}",
            ["expired", "bad-signature", "untrusted-root", "wrong-purpose"]
        ),
    ])
    func wordsOfOtherPrograms(log: String, codes: [String]) throws {
        let leaf = try Certificate(der: pki.bytes("leaf.der"))
        let failure = try #require(FailureLog(Array("\(log)\n".utf8)).failures.first).failure
        let defects: [TrustFailure] = [
            .expired(leaf, position: 0), .expired(leaf, position: 1), .notYetValid(leaf, position: 0),
            .badSignature(leaf, position: 0), .untrustedRoot(leaf), .wrongPurpose(leaf, position: 0),
            .nameMismatch(leaf, expected: "a.test"),
        ]
        let causes = defects.filter { failure.isExplained(by: $0) }.map(\.code)
        #expect(causes == codes, "\(failure.kind) \(failure.message)")
    }

    /// `openssl s_client` prints the certificate of the server, whose alternative names count, and not its common name (RFC 9525, section 2).
    @Test func aCertificateForTheHostWithAnotherCommonName() throws {
        let pem = String(decoding: try pki.bytes("other-leaf.pem"), as: UTF8.self)
        let log = """
            Connecting to 127.0.0.1
            CONNECTED(00000003)
            depth=0 CN = prod-cluster-7
            verify error:num=20:unable to get local issuer certificate
            ---
            Certificate chain
             0 s:CN = prod-cluster-7
               i:CN = Former CA
            ---
            Server certificate
            \(pem)subject=CN = prod-cluster-7
            issuer=CN = Former CA
            ---
            Verification error: unable to get local issuer certificate
            ---

            """
        let failure = try #require(FailureLog(Array(log.utf8)).failures.first).failure
        let leaf = try Certificate(der: pki.bytes("leaf.der"))
        try #require(Certificate(der: pki.bytes("other-leaf.der")).dnsNames.contains("localhost"))
        #expect(failure.isSeen(forHostOf: leaf) && failure.seen.first?.subject == "CN = prod-cluster-7")
        let found = try conclusion(log, pins: [])
        #expect(found.verdict == .undecided, "\(found)")
        let without = log.replacing(pem, with: "")
        #expect(try conclusion(without, pins: []).verdict == .interception)
    }

    /// The key is a proof, and the name is not.
    @Test func theKeyOfTheHost() throws {
        let log =
            "Hostname www.example.test not verified:\n    certificate: sha256/\(try pki.pin("leaf"))\n    DN: CN=other\n"
        let found = try conclusion(log, pins: [])
        #expect(found.verdict == .undecided && found.sentence.hasPrefix("the program saw the key of"), "\(found)")
    }

    /// OkHttp logs the chain after it was completed up to a trust anchor (`check` in CertificatePinner.kt, CertificateChainCleaner.kt).
    @Test func aDebuggingProxyInALogOfOkHttp() throws {
        let pin = try pki.pin("leaf")
        let log = """
            Certificate pinning failure!
              Peer certificate chain:
                sha256/\(try pki.pin("other-leaf")): CN=localhost
                sha256/\(try pki.pin("other-root")): CN=Charles Proxy CA
              Pinned certificates for localhost:
                sha256/\(pin)
            """
        try #expect(conclusion(log, pins: [pin]).verdict == .interception)
    }

    /// A report of TrustKit contains the certificates.
    @Test(arguments: [["other-leaf"], ["other-leaf", "other-leaf"], ["other-leaf", "other-root"]])
    func theEndOfAChain(names: [String]) throws {
        let pin = try pki.pin("leaf")
        let chain = try names.map {
            "\"" + String(decoding: try pki.bytes("\($0).pem"), as: UTF8.self).replacing("\n", with: "\\n") + "\""
        }
        let report =
            #"{"hostname":"localhost","port":443,"known-pins":["pin-sha256=\"\#(pin)\""],"validation-result":1,"#
            + "\"validated-certificate-chain\":[\(chain.joined(separator: ","))]}"
        let found = try conclusion(report, pins: [pin])
        #expect(found.verdict == (names.last == "other-root" ? .interception : .undecided), "\(found)")
    }
}
