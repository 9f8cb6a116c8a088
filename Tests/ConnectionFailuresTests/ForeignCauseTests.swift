import TestSupport
import Testing

@testable import ConnectionFailures
@testable import Pinning

/// Messages of programs, and chains of the host that do not validate here.
@Suite(.blocking) struct ForeignCauseTests {
    let path: [Certificate]

    init() throws {
        let pki = try TestPKI.shared()
        path = try ["leaf", "intermediate", "root"].map { try Certificate(der: pki.bytes("\($0).der")) }
    }

    enum Defect: CaseIterable {
        case expired, expiredAuthority, notYetValid, nameMismatch, untrustedRoot
    }

    private func chain(with defect: Defect) -> CertificateChain {
        let failure: TrustFailure =
            switch defect {
            case .expired: .expired(path[0], position: 0)
            case .expiredAuthority: .expired(path[1], position: 1)
            case .notYetValid: .notYetValid(path[0], position: 0)
            case .nameMismatch: .nameMismatch(path[0], expected: "other.example")
            case .untrustedRoot: .untrustedRoot(path[2])
            }
        return CertificateChain(path: path, served: path, failures: [failure])
    }

    /// The messages are those of the programs. A chain of a private CA never has a verdict, because it can be an interceptor's.
    @Test(
        arguments: [
            (
                "curl: (60) SSL certificate problem: self-signed certificate in certificate chain", [],
                [.untrustedRoot]
            ),
            (
                "Get \"https://localhost/\": tls: failed to verify certificate: x509: certificate signed by unknown authority",
                [], [.untrustedRoot]
            ),
            (
                "PKIX path building failed: sun.security.provider.certpath.SunCertPathBuilderException: unable to find valid"
                    + " certification path to requested target", [.expiredAuthority],
                [.expiredAuthority, .untrustedRoot]
            ),
            (
                "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: certificate has expired (_ssl.c:1006)",
                [.expired, .expiredAuthority], [.expired, .expiredAuthority]
            ),
            (
                "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: certificate is not yet valid (_ssl.c:1006)",
                [.notYetValid], [.notYetValid]
            ),
            (
                "The remote certificate is invalid because of errors in the certificate chain: NotTimeValid",
                [.expired, .expiredAuthority, .notYetValid], [.expired, .expiredAuthority, .notYetValid]
            ),
            (
                "curl: (60) server certificate verification failed. CAfile: none CRLfile: none",
                [.expired, .expiredAuthority, .notYetValid, .nameMismatch], Defect.allCases
            ),
        ] as [(String, [Defect], [Defect])]
    )
    func aChainThatTheMessageIsNotAbout(message: String, verdicts: [Defect], causes: [Defect]) throws {
        let failure = try #require(FailureLog(Array(message.utf8)).failures.first).failure
        for defect in Defect.allCases {
            let found = Conclusion(of: failure, with: HostEvidence(.chain(chain(with: defect)), expected: []))
            #expect((found.verdict != .undecided) == verdicts.contains(defect), "\(defect): \(found)")
            let isForeign = found.sentence.contains("but for another reason than in the message")
            #expect(isForeign == !causes.contains(defect), "\(defect): \(found)")
        }
    }

    /// The host's chain is trusted, or has a defect of the kind of the message. An interceptor's certificate can have expired too.
    @Test(arguments: [true, false], [true, false]) func theCertificateOfAnotherCA(isForeign: Bool, isTrusted: Bool)
        throws
    {
        let (leaf, issuer) = (path[0].subject?.commonName ?? "", path[0].issuer?.commonName ?? "")
        let log = """
            Error Domain=NSURLErrorDomain Code=-1201 "x" UserInfo={NSErrorPeerCertificateChainKey=(
                "<cert(0x1) s: \(leaf) i: \(isForeign ? "Example Proxy CA" : issuer)>"
            ), NSErrorFailingURLStringKey=https://localhost/, _kCFStreamErrorCodeKey=-9814}
            """
        let failure = try #require(FailureLog(Array(log.utf8)).failures.first).failure
        #expect(failure.kind == .expired && failure.seen.count == 1)
        let live = isTrusted ? CertificateChain(path: path, served: path, failures: []) : chain(with: .expired)
        let found = Conclusion(of: failure, with: HostEvidence(.chain(live), expected: []))
        #expect(found.verdict == (isForeign ? .undecided : .expiredCertificate), "\(found)")
        let start = isTrusted ? "the log shows a certificate of another CA" : "the log shows another certificate"
        #expect(found.sentence.hasPrefix(start) == isForeign, "\(found)")
    }

    /// A key in the log is that of another certificate, also if both certificates have the same defect.
    @Test(arguments: ["leaf", "other-leaf"]) func theKeyOfAnotherCertificate(name: String) throws {
        let log = """
            Hostname localhost not verified:
                certificate: sha256/\(try TestPKI.shared().pin(name))
                DN: CN=login.example
            """
        let failure = try #require(FailureLog(Array(log.utf8)).failures.first).failure
        let found = Conclusion(of: failure, with: HostEvidence(.chain(chain(with: .nameMismatch)), expected: []))
        #expect(found.verdict == (name == "leaf" ? .serverError : .undecided), "\(found)")
        #expect(found.sentence.hasPrefix("the log shows another certificate") == (name != "leaf"), "\(found)")
    }

    /// The message contains the names of the certificate, or a date of one of the chain. The chain has the defect of the message.
    @Test(
        arguments: [
            (
                "Get \"https://localhost/\": tls: failed to verify certificate: x509: certificate is valid for NAMES, not localhost",
                .nameMismatch
            ),
            (
                "Error: Hostname/IP does not match certificate's altnames: Host: localhost. is not in the cert's altnames: NODE",
                .nameMismatch
            ),
            (
                "\"Hostname/IP does not match certificate's altnames: Host: localhost. is not in the cert's altnames: NODE\",",
                .nameMismatch
            ),
            (
                "Get \"https://localhost/\": tls: failed to verify certificate: x509: certificate has expired or is not yet valid: "
                    + "current time 2050-11-10T00:00:12Z is after AFTER", .expired
            ),
            (
                "Get \"https://localhost/\": tls: failed to verify certificate: x509: certificate has expired or is not yet valid: "
                    + "current time 1990-11-10T00:00:12Z is before BEFORE", .notYetValid
            ),
        ] as [(String, Defect)])
    func theTextsOfAnotherCertificate(message: String, defect: Defect) throws {
        func texts(names: [String], before: String, after: String) -> String {
            message.replacing("NAMES", with: names.joined(separator: ", ")).replacing("AFTER", with: after)
                .replacing("NODE", with: names.map { "DNS:\($0)" }.joined(separator: ", "))
                .replacing("BEFORE", with: before)
        }
        let leaf = path[0]
        let (before, after) = try (#require(leaf.notBefore).description, #require(leaf.notAfter).description)
        let own = texts(names: leaf.dnsNames, before: before, after: after)
        let foreign = texts(
            names: ["proxy.example", "login.example"], before: "2001-01-01T00:00:00Z", after: "2001-01-01T00:00:00Z")
        for (log, isOwn) in [(own, true), (foreign, false)] {
            let failure = try #require(FailureLog(Array(log.utf8)).failures.first).failure
            let found = Conclusion(of: failure, with: HostEvidence(.chain(chain(with: defect)), expected: []))
            #expect((found.verdict == .undecided) == !isOwn, "\(log): \(found)")
            #expect(found.sentence.hasPrefix("the log shows another certificate") == !isOwn, "\(log): \(found)")
        }
    }

    /// The host serves a trusted chain here. Another server of its CA can have answered, or one of another CA that the program trusts.
    @Test(arguments: ["DN: CN=login.example", "DN: CN=Example Ltd\n    subjectAltNames: [www.localhost]"])
    func aTrustedCertificateForOtherNames(lines: String) throws {
        let log = """
            Hostname localhost not verified:
                certificate: sha256/\(try TestPKI.shared().pin("other-leaf"))
                \(lines)
            """
        let failure = try #require(FailureLog(Array(log.utf8)).failures.first).failure
        let live = CertificateChain(path: path, served: path, failures: [])
        let found = Conclusion(of: failure, with: HostEvidence(.chain(live), expected: [path[2].pin]))
        #expect(found.verdict == .undecided, "\(found)")
        #expect(found.sentence.hasPrefix("the program received a certificate for other names"), "\(found)")
    }

    /// A program that trusts no private CA can have connected to another server of the host's CA.
    @Test(arguments: [true, false]) func anUntrustedCertificateForOtherNames(isOfHostCA: Bool) throws {
        let issuer = isOfHostCA ? path[0].issuer?.commonName ?? "" : "Portal CA"
        let log = """
            Error Domain=NSURLErrorDomain Code=-1202 "x" UserInfo={NSErrorPeerCertificateChainKey=(
                "<cert(0x1) s: www.example i: \(issuer)>"
            ), NSErrorFailingURLStringKey=https://localhost/, _kCFStreamErrorCodeKey=-9843}
            """
        let failure = try #require(FailureLog(Array(log.utf8)).failures.first).failure
        let live = CertificateChain(path: path, served: path, failures: [])
        let found = Conclusion(of: failure, with: HostEvidence(.chain(live), expected: []))
        #expect(found.verdict == (isOfHostCA ? .undecided : .interception), "\(found)")
    }
}
