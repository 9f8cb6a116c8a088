import TestSupport
import Testing

@testable import Encodings
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

    /// OpenSSL ignores these constraints.
    @Test(arguments: [
        ("ca-empty-constraints", "empty"), ("ca-empty-lists", "empty"), ("ca-bad-mask", "malformed"),
        ("ca-bad-range", "malformed"), ("ca-bad-name", "malformed"), ("ca-wildcard", "malformed"),
        ("ca-bad-mailbox", "malformed"), ("ca-bad-uri", "malformed"),
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

    private static let label = String(repeating: "a", count: 63)
    /// A name of 252 bytes.
    private static let longName = "\(label).\(label).\(label).\(label.dropLast(3))"

    /// Constraints by the number of the type of general name (RFC 5280, section 4.2.1.10): a mailbox, a host or a domain; a DNS name; and
    /// the host of a URI. Constraints of the CA/Browser Forum's Baseline Requirements can be empty.
    static let wellFormed: [UInt8: [String]] = [
        1: [
            "", "example.com", ".example.com", "a@example.com", "\"a b\"@example.com", "a@[192.0.2.1]",
            "a.b+c@example.com", "\"a\\\"@\"@example.com",
        ],
        2: [
            "", "com", ".example.com", "a_b.example.com", "_x", "10.0.0.0", "1", "xn--bcher-kva.test", "A-B", label,
            longName + "a", ".\(longName)a",
        ],
        6: ["", "example.com", ".example.com", "a_b.test"],
    ]

    static let malformed: [UInt8: [String]] = [
        1: [
            "@", "a@", "@example.com", "a@.example.com", "a\u{0}b", "a\u{0}@b.test", "é@b.test", "a@b..c", "a b",
            "*.b.test", "a@b@c.test", "a b@c.test", ".a@c.test", "a.@c.test", "a..b@c.test", "\"@c.test",
            "\"a\\\"@c.test", "\"a\"b\"@c.test", "(a)@c.test", "\(label)aa@c.test",
        ],
        2: [
            "*", "*.example.com", "http://api.example.com", "api.example.com:443", "10.0.0.0/8", "a@b.com", "@",
            "foo/bar", "[::1]", "a..b", ".", "..a", "a.", "exa mple.com", "bücher.test", "a\u{0}", label + "a",
            "\(label)a.com", longName + "aa", " ", "a,b", "a\n",
        ],
        6: ["http://x y", "http://example.com", "example.com:443", "example.com/", "*.example.com", "a@b", "[::1]"],
    ]

    @Test(arguments: wellFormed) func acceptsWellFormedConstraints(tag: UInt8, texts: [String]) {
        for text in texts { #expect(Self.isWellFormed(tag, Array(text.utf8)), "\(text)") }
    }

    @Test(arguments: malformed) func rejectsMalformedConstraints(tag: UInt8, texts: [String]) {
        for text in texts { #expect(!Self.isWellFormed(tag, Array(text.utf8)), "\(text)") }
        #expect(!Self.isWellFormed(tag, [0xFF]))
    }

    /// - Parameter tag: the number of the type of general name.
    private static func isWellFormed(_ tag: UInt8, _ base: [UInt8]) -> Bool {
        func element(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
            let (high, low) = (UInt8(contents.count >> 8), UInt8(contents.count & 255))
            return [tag] + (high > 0 ? [0x82, high, low] : low < 128 ? [low] : [0x81, low]) + contents
        }
        return [UInt8(0xA0), 0xA1].allSatisfy { list in
            let value = element(0x30, element(list, element(0x30, element(0x80 | tag, base))))
            return (try? NameConstraints(DERReader(value)))?.count == 1
        }
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
