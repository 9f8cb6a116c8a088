import TestSupport
import Testing

@testable import Pinning

/// The reasons why a chain is not valid, for certificates that differ from a valid one in one known property.
@Suite struct ChainReasonTests {
    private let paths: PathCertificates

    init() throws { paths = try PathCertificates.shared() }

    private func reason(_ served: [String], to anchors: [String] = ["root"]) throws -> String? {
        let chain = try paths.chain(served, to: anchors, for: nil)
        return chain.failures.map(\.reason).joined(separator: "; ")
    }

    @Test(arguments: [
        (
            ["leaf-bad-extension", "ca"], ["root"],
            "the certificate of \"Path CA\", which was received, is not accepted as the issuer of the server certificate: "
                + "the extensions of the server certificate are malformed or contradict each other"
        ),
        (
            ["leaf", "ca-bad-extension"], ["root"],
            "the certificate of \"Path CA\", which was received, is not accepted as the issuer of the server certificate: "
                + "its extensions are malformed or contradict each other"
        ),
        (
            ["leaf"], ["root", "ca-bad-extension"],
            "the certificate of \"Path CA\", which the trust store contains, is not accepted as the issuer of the server "
                + "certificate: its extensions are malformed or contradict each other"
        ),
        (
            ["leaf-other-key-identifier", "ca"], ["root"],
            "the certificate of \"Path CA\", which was received, is not accepted as the issuer of the server certificate: "
                + "its subject key identifier is not the one that the server certificate names"
        ),
        (
            ["leaf-with-serial", "ca-by-old"], ["root"],
            "the certificate of \"Path CA\", which was received, is not accepted as the issuer of the server certificate: "
                + "its issuer and serial number are not those that the server certificate names"
        ),
        (
            ["leaf-without-key-identifier", "ca-rsa"], ["root"],
            "the certificate of \"Path CA\", which was received, is not accepted as the issuer of the server certificate: "
                + "its key does not fit the signature algorithm of the server certificate"
        ),
        (
            ["leaf", "ca-by-old", "old-root"], ["root"],
            "unknown authority: the chain ends in \"Path Old Root\", which the trust store does not contain"
        ),
        (
            ["leaf", "ca-by-old"], ["root"],
            "unknown authority: the chain ends in \"Path CA\", issued by \"Path Old Root\", which the server did not send and "
                + "the trust store does not contain"
        ),
        (
            ["leaf"], ["root"],
            "the server did not send the certificate of \"Path CA\", which issued its own, and the trust store does not contain it"
        ),
        (
            ["leaf", "ca", "root"], ["root-namesake"],
            "unknown authority: the chain ends in \"Path Root\", which the trust store does not contain; "
                + "it contains another certificate with this name"
        ),
        (
            ["leaf", "ca-not-ca"], ["root"],
            "the certificate of \"Path CA\" issued another certificate, but is not a CA certificate"
        ),
        (
            ["leaf", "ca-without-key-usage-for-certificates"], ["root"],
            "the certificate of \"Path CA\" issued another certificate, but its key usage does not permit that"
        ),
        (["leaf-critical", "ca"], ["root"], "the server certificate: unhandled critical extension"),
        (
            ["leaf-with-many-names", "ca-with-many-constraints"], ["root"],
            "the server certificate has 1101 names and its CA 1100 name constraints: OpenSSL compares at most 1048576 pairs of them"
        ),
    ])
    func statesTheTrueReason(served: [String], anchors: [String], expected: String) throws {
        #expect(try reason(served, to: anchors) == expected)
        if anchors == ["root"] {
            #expect(try !paths.isAcceptedByOpenSSL(served[0], with: Array(served.dropFirst())))
        }
    }

    /// The key of the issuer is not a point of its curve (SEC 1, section 2.3.4).
    @Test func namesAKeyThatCannotBeDecoded() throws {
        var der = try paths.der("ca")
        let certificate = try Certificate(der: der)
        der[certificate.layout.subjectPublicKeyInfo.upperBound - 1] ^= 1
        let chain = try CertificateChain(
            validating: [try paths.certificate("leaf"), try Certificate(der: der)],
            to: TrustAnchors([try paths.certificate("root")]), for: nil)
        #expect(chain.failures.map(\.code) == ["issuer-rejected"])
        #expect(chain.failures.first?.reason.hasSuffix("its key cannot be decoded") == true)
    }

    /// An intermediate in the system's trust store does not end a chain, and its issuer was sent but is not trusted.
    @Test func namesASentIssuerThatIsNotTrusted() throws {
        let anchors = TrustAnchors([try paths.certificate("ca")])
        let chain = try CertificateChain(
            validating: ["leaf", "root"].map { try paths.certificate($0) }, by: TrustSource(bundle: { anchors }),
            for: nil,
            at: nil)
        #expect(
            chain.failures.map(\.reason) == [
                "the certificate of \"Path Root\", which was received, is not accepted as the issuer of the certificate of "
                    + "\"Path CA\": the trust store does not contain it"
            ])
    }

    /// RFC 5280, section 4.1.2.5: the validity period includes notAfter. The certificates end at 2030-01-01T00:00:00Z.
    @Test func acceptsTheLastSecond() throws {
        let end: Int64 = 1_893_456_000
        for (leaf, ca) in [
            ("leaf-of-a-decade", "ca"), ("leaf", "ca-of-a-decade"), ("leaf-of-a-decade", "ca-of-a-decade"),
        ] {
            func failures(at seconds: Int64) throws -> [String] {
                try paths.chain([leaf, ca], at: Timestamp(secondsSince1970: seconds)).failures.map(\.code)
            }
            #expect(try failures(at: end - 1) == [])
            #expect(try failures(at: end) == [])
            #expect(try failures(at: end + 1) == ["expired"])
        }
    }
}
