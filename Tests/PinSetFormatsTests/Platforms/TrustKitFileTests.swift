import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

/// Files of TrustKit that a pin set cannot represent, judged as TrustKit reads them.
@Suite struct TrustKitFileTests {
    private static func trustKit(
        _ domains: String, _ host: String = "example.com", is verdict: PlatformVerdict.Verdict, _ rule: String = "",
        now: String = "2026-11-21T12:00:00Z"
    ) -> PlatformFileCase {
        PlatformFileCase(
            .trustkit, .trustkit,
            "<plist version=\"1.0\"><dict><key>TSKPinnedDomains</key><dict>\(domains)</dict></dict></plist>",
            host: host,
            is: verdict, rule, now: now)
    }

    private static func policy(_ key: String, _ pins: String..., more: String = "") -> String {
        let list = pins.map { "<string>\($0)</string>" }.joined()
        let hashes = pins.isEmpty ? "" : "<key>TSKPublicKeyHashes</key><array>\(list)</array>"
        return "<key>\(key)</key><dict>\(hashes)\(more)</dict>"
    }

    private static func source(
        _ domains: String, is verdict: PlatformVerdict.Verdict, _ rule: String = ""
    ) -> PlatformFileCase {
        PlatformFileCase(
            .trustkit, .trustkit, "let c: [String: Any] = [kTSKPinnedDomains: \(domains)]", is: verdict, rule)
    }

    private static let subdomains = "<key>TSKIncludeSubdomains</key><true/>"
    private static let exclude = "<key>kSKExcludeSubdomainFromParentPolicy</key><true/>"

    /// TrustKit 3.0.7: TSKTrustKitConfig.m, parse_configuration.m, configuration_utils.m, Pinning/ssl_pin_verifier.m.
    @Test(arguments: [
        trustKit(
            policy("example.com", "<leaf>", "<spare>", more: subdomains)
                + policy("a.example.com", more: "<key>TSKExcludeSubdomainFromParentPolicy</key><true/>"),
            is: .refusesConfig, "a.example.com has none"),
        trustKit(
            policy("example.com", "<spare>", "<spare2>", more: subdomains) + policy("a.example.com", more: exclude),
            "a.example.com", is: .notPinned, "excludes the host"),
        // An excluded entry does not cover the names below it.
        trustKit(
            policy("example.com", "<spare>", "<spare2>", more: subdomains) + policy("a.example.com", more: exclude),
            "b.a.example.com", is: .rejects),
        trustKit(
            policy("example.com", "<leaf>", "<spare>") + policy("a.example.com", more: exclude), is: .refusesConfig,
            "no parent includes subdomains"),
        trustKit(
            policy("example.com", "<leaf>", "<spare>", more: subdomains)
                + policy("a.example.com", more: exclude + "<key>TSKEnforcePinning</key><true/>"), is: .refusesConfig,
            "other keys"),
        trustKit(policy("Example.com", "<spare>", "<spare2>"), is: .notPinned, "no key"),
        trustKit(policy("Example.com", "<spare>", "<spare2>", more: subdomains), "a.example.com", is: .notPinned),
        trustKit(policy("example.com.", "<spare>", "<spare2>"), is: .notPinned),
        trustKit(policy("app.localdev", "<leaf>", "<spare>"), is: .refusesConfig, "public suffix"),
        trustKit(policy("amazonaws.com", "<leaf>", "<spare>"), is: .refusesConfig, "public suffix"),
        trustKit(policy("co.uk", "<leaf>", "<spare>", more: subdomains), is: .refusesConfig, "public suffix"),
        trustKit(policy("co.uk", "<leaf>", "<spare>"), is: .notPinned),
        trustKit(policy("192.0.2.1", "<leaf>", "<spare>"), is: .refusesConfig),
        trustKit(policy("example.com", "<leaf>", "<leaf>"), is: .refusesConfig, "has one"),
        // NSData accepts set bits after the last byte, and no other deviation from canonical base64.
        trustKit(policy("example.com", "<leaf>", "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB="), is: .accepts),
        trustKit(policy("example.com", "<leaf>", " <spare>"), is: .refusesConfig, "not base64"),
        // `boolValue` of numbers and strings.
        trustKit(
            policy("example.com", "<spare>", "<spare2>", more: "<key>TSKIncludeSubdomains</key><integer>1</integer>"),
            "a.example.com", is: .rejects),
        trustKit(
            policy("example.com", "<spare>", "<spare2>", more: "<key>TSKIncludeSubdomains</key><string>on</string>"),
            "a.example.com", is: .notPinned),
        // TrustKit iterates over the value and makes a URL of each element. The app crashes if a type has no such method.
        trustKit(
            policy(
                "example.com", "<leaf>", "<spare>", more: "<key>TSKReportUris</key><string>https://r.example</string>"),
            is: .refusesConfig, "TSKReportUris of example.com is a string, not an array"),
        trustKit(
            policy(
                "example.com", "<leaf>", "<spare>", more: "<key>TSKReportUris</key><array><integer>1</integer></array>"),
            is: .refusesConfig, "an element of TSKReportUris"),
        trustKit(
            policy(
                "example.com", "<leaf>", "<spare>",
                more: "<key>TSKReportUris</key><array><string>https://r.example</string></array>"), is: .accepts),
        trustKit(
            policy(
                "example.com", "<leaf>", "<spare>",
                more: "<key>TSKReportUris</key><array><string>http://[r.example</string></array>"), is: .refusesConfig,
            "is not a URL"),
        trustKit(
            policy(
                "example.com", "<leaf>", "<spare>",
                more: "<key>TSKReportUris</key><array><string>https://r.example/a b</string></array>"),
            is: .refusesConfig, "before iOS 17"),
        trustKit(
            policy(
                "example.com", "<leaf>", "<spare>",
                more: "<key>TSKReportUris</key><array><string>https://[::1]:8/%20?a=b</string></array>"), is: .accepts),
        // If the formatter cannot read a date, the pins do not expire.
        trustKit(
            policy("example.com", "<spare>", "<spare2>", more: "<key>TSKExpirationDate</key><string>soon</string>"),
            is: .rejects),
        PlatformFileCase(
            .trustkit, .trustkit,
            """
            NSDictionary *c = @{ kTSKPinnedDomains : @{
              @"example.com" : @{ kTSKIncludeSubdomains : @YES, kTSKPublicKeyHashes : @[ @"<spare>", @"<spare2>" ] },
              @"a.example.com" : @{ kTSKExcludeSubdomainFromParentPolicy : @YES } } };
            """, host: "a.example.com", is: .notPinned, "excludes"),
        // Source whose other pins and settings only its compiler knows.
        source("[\"example.com\": [kTSKPublicKeyHashes: [\"<leaf>\", Pins.backup]]]", is: .accepts),
        source("[\"example.com\": [kTSKPublicKeyHashes: [\"<spare>\", Pins.backup]]]", is: .rejects, "as far as"),
        source("[\"example.com\": [kTSKPublicKeyHashes: Pins.all]]", is: .rejects, "as far as"),
        source("[Hosts.api: [kTSKPublicKeyHashes: [\"<spare>\", \"<leaf>\"]]]", is: .notPinned, "as far as"),
        source("[\"example.com\": [kTSKPublicKeyHashes: [\"<leaf>\"]]]", is: .refusesConfig, "has one"),
        source(
            "[\"localhost\": [kTSKPublicKeyHashes: [\"<leaf>\", Pins.backup]]]", is: .refusesConfig, "public suffix"),
    ])
    func judgesTrustKit(row: PlatformFileCase) throws { try row.check() }

    /// TrustKit goes from the root down. The first key that cannot be hashed blocks the connection, even in report-only mode
    /// (ssl_pin_verifier.m; TSKPinningValidator.m, "Misc pinning errors").
    @Test(arguments: [
        // Each row: the certificate whose key cannot be hashed, the pin, whether pins are enforced, and the verdict.
        ("root", "leaf", true, PlatformVerdict.Verdict.rejects), ("root", "leaf", false, .rejects),
        ("leaf", "root", true, .accepts), ("leaf", "leaf", true, .rejects), ("leaf", "spare", false, .rejects),
    ])
    func trustKitHashesFromTheRootDown(
        odd: String, pinned: String, enforces: Bool, verdict: PlatformVerdict.Verdict
    ) throws {
        // id-ecPublicKey with secp521r1 (RFC 5480).
        let info = "30819b301006072a8648ce3d020106052b8104002303818600" + String(repeating: "04", count: 133)
        let key = KeyDescription(subjectPublicKeyInfo: DERReader(try Hex.decode(info.utf8)))
        let mode = enforces ? "" : "<key>TSKEnforcePinning</key><false/>"
        let row = Self.trustKit(Self.policy("example.com", "<\(pinned)>", "<spare2>", more: mode), is: verdict)
        let links = ["leaf", "intermediate", "root"].enumerated().map { position, name in
            PlatformConnection.Link(
                certificate: ChainPin(
                    role: position == 0 ? .leaf : .root, position: position, pin: PlatformCase.pin(name)),
                key: name == odd ? key : nil)
        }
        let connection = PlatformConnection(
            host: "example.com", chain: links, isTrusted: true, at: Timestamp(secondsSince1970: 1_790_000_000))
        let found = try #require(try row.configuration()).verdict(on: connection)
        #expect(found.verdict == verdict, "\(found.rule)")
    }
}
