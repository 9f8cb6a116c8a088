import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

@Suite struct TrustKitRulesTests {
    @Test(arguments: [
        PlatformCase("example.com | root:leaf spare", is: .accepts, "has the pin of the root"),
        PlatformCase("example.com | root", is: .refusesConfig, "two pins"),
        PlatformCase("example.com | root root:ca", is: .refusesConfig, "two pins"),
        PlatformCase("example.com report | root", is: .accepts, "has the pin of the root"),
        PlatformCase("example.com report | spare", is: .accepts, "TSKEnforcePinning NO TrustKit only reports"),
        PlatformCase("localhost | leaf spare", host: "localhost", is: .refusesConfig, "public suffix"),
        PlatformCase("com all | leaf spare", is: .refusesConfig, "public suffix"),
        PlatformCase("api.test | leaf spare", host: "api.test", is: .refusesConfig, "\".test\" is reserved"),
        PlatformCase(
            "nas.local | leaf spare", "example.com | leaf spare", is: .refusesConfig, "\".local\" is reserved"),
        PlatformCase("a.internal report | leaf spare", host: "a.internal", is: .refusesConfig, "reserved"),
        PlatformCase("test.example.com | leaf spare", host: "test.example.com", is: .accepts),
        // Subdomains of all depths. An exact entry applies first, then the longest parent with subdomains.
        PlatformCase("example.com one | root spare", host: "b.a.example.com", is: .accepts, "TSKIncludeSubdomains"),
        PlatformCase(
            "a.example.com | spare spare2", "example.com all | root spare", host: "b.a.example.com", is: .accepts),
        PlatformCase(
            "a.example.com | spare spare2", "example.com all | root spare", host: "a.example.com", is: .rejects),
        // An IP address is omitted, and the other hosts still work.
        PlatformCase("192.0.2.1 | leaf", "example.com | root spare", is: .accepts),
    ])
    func appliesItsConfiguration(row: PlatformCase) throws { try row.check(.trustkit) }

    /// The expiry is exact to the second, in UTC.
    @Test(arguments: [
        PlatformCase("example.com until=2026-06-01 | spare spare2", is: .rejects, now: "2026-05-31T23:59:59Z"),
        PlatformCase(
            "example.com until=2026-06-01 | spare spare2", is: .rejects, now: "2026-06-01T00:00:00Z"),
        PlatformCase(
            "example.com until=2026-06-01 | spare spare2", is: .notPinned, "2026-06-01 in UTC",
            now: "2026-06-01T00:00:01Z"),
    ])
    func expiresInUTC(row: PlatformCase) throws { try row.check(.trustkit) }

    /// TrustKit can hash RSA keys of 2048, 3072 and 4096 bits, and keys on P-256 and P-384. Other keys never match.
    @Test(arguments: [
        // 1.3.101.112, Ed25519 (RFC 8410).
        ("302a300506032b6570032100" + String(repeating: "42", count: 32), "Ed25519", false),
        // id-ecPublicKey with prime256v1, and with secp521r1 (RFC 5480).
        ("3059301306072a8648ce3d020106082a8648ce3d030107034200" + String(repeating: "04", count: 65), "P-256", true),
        ("30819b301006072a8648ce3d020106052b8104002303818600" + String(repeating: "04", count: 133), "P-521", false),
    ])
    func hashesOnlySomeKeyTypes(hex: String, name: String, canHash: Bool) throws {
        let key = KeyDescription(subjectPublicKeyInfo: DERReader(try Hex.decode(hex.utf8)))
        #expect(key.description.contains(name))
        let row = PlatformCase("example.com | leaf spare", is: .accepts)
        let verdict = Platform.trustkit.configuration(of: try row.set).verdict(on: try row.connection(key: key))
        #expect(verdict.verdict == (canHash ? .accepts : .rejects))
        #expect(verdict.rule.contains("cannot hash the \(key.description) key of the root") == !canHash)
    }
}
