import TestSupport
import Testing

@testable import Pinning

/// Name constraints (RFC 5280, section 4.2.1.10).
@Suite struct NameConstraintTests {
    private let paths: PathCertificates

    init() throws { paths = try PathCertificates.shared() }

    /// CVE-2025-61727: OpenSSL compares the text "*.example.test" with the constraints.
    @Test(arguments: [
        ("bar.example.test", false), ("www.example.test", true), ("xbar.example.test", true),
        ("barx.example.test", true),
    ])
    func appliesToTheHost(host: String, isTrusted: Bool) throws {
        #expect(try paths.isAcceptedByOpenSSL("leaf-wildcard", with: ["ca-excluding-bar"]))
        let chain = try paths.chain(["leaf-wildcard", "ca-excluding-bar"], for: host)
        let failure = TrustFailure.hostNotPermitted(
            try paths.certificate("ca-excluding-bar"), position: 1, host: host)
        #expect(chain.failures == (isTrusted ? [] : [failure]))
        // Another path has no constraints.
        #expect(try paths.chain(["leaf-wildcard", "ca-excluding-bar", "ca"], for: host).isTrusted)
        #expect(try paths.chain(["leaf-wildcard", "ca"], for: host).isTrusted)
        #expect(try paths.chain(["leaf-wildcard", "ca-permitting-test"], for: host).isTrusted)
    }

    /// If the leaf is not valid for the host, only this is reported.
    @Test func doesNotApplyToAnotherHost() throws {
        let chain = try paths.chain(["leaf", "ca-excluding-bar"], for: "bar.example.test")
        #expect(chain.failures.map(\.code) == ["name-mismatch"])
    }

    /// RFC 6125, section 6.4.4: a client does not compare the common name with a host.
    @Test func doesNotApplyToTheCommonName() throws {
        #expect(try !paths.isAcceptedByOpenSSL("leaf-common-name", with: ["ca-excluding-bad"]))
        #expect(try paths.chain(["leaf-common-name", "ca-excluding-bad"], for: "127.0.0.1").isTrusted)
        #expect(
            try paths.chain(["leaf-common-name", "ca"], for: "bad.example.test").failures.map(\.code) == [
                "name-mismatch"
            ])
    }

    /// OpenSSL ignores these constraints. Go's crypto/x509 and pyca/cryptography refuse them.
    @Test(arguments: [
        ("ca-empty-constraints", "empty"), ("ca-empty-lists", "empty"), ("ca-bad-mask", "malformed"),
        ("ca-bad-range", "malformed"), ("ca-bad-name", "malformed"),
    ])
    func mustBeWellFormed(ca: String, problem: String) throws {
        #expect(try paths.isAcceptedByOpenSSL("leaf", with: [ca]))
        let chain = try paths.chain(["leaf", ca])
        #expect(
            chain.failures.map(\.reason) == ["the name constraints of the certificate of \"Path CA\" are \(problem)"])
        #expect(chain.failures.map(\.code) == ["name-constraints"])
        #expect(try paths.chain(["leaf", ca, "ca"]).isTrusted)
        // OpenSSL applies the constraints of an anchor, too.
        #expect(try !paths.chain(["leaf"], to: [ca]).isTrusted)
    }

    /// Go's parser and OpenSSL accept a dot at the start, although RFC 5280 allows it only for URIs.
    @Test func mayBeginWithADot() throws {
        #expect(try paths.chain(["leaf", "ca-permitting-dot"]).isTrusted)
        #expect(try !paths.chain(["leaf", "ca-permitting-other"]).isTrusted)
    }

    /// An interceptor's leaf with an IP address as DNS name (x509-limbo, BetterTLS).
    @Test func anAddressIsNoName() throws {
        #expect(try paths.chain(["leaf", "ca"], for: "127.0.0.1").failures.map(\.code) == ["name-mismatch"])
    }
}
