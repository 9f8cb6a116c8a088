import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

/// Rules that apply to every platform.
@Suite struct PlatformTests {
    @Test func listsThePlatforms() {
        #expect(
            Platform.allCases.map(\.rawValue) == [
                "apple", "android", "okhttp", "trustkit", "trustkit-android", "alamofire", "cronet", "hpkp", "curl",
                "wultra", "chromium", "react-native", "react-native-ssl-manager", "afnetworking",
                "afnetworking-certificate",
                "react-native-ssl-pinning", "cordova", "dart", "flutter", "kubeadm", "openconnect", "envoy", "stubby",
                "elastic", "nats", "aiohttp", "openfortivpn",
            ])
    }

    /// The platforms whose configuration covers several hosts of an app or a browser. The other platforms have their own suites.
    static let apps: [Platform] = [
        .apple, .android, .okhttp, .trustkit, .trustkitAndroid, .alamofire, .cronet, .hpkp, .curl, .wultra, .chromium,
    ]

    /// The simplest set: the pin of the leaf and a backup.
    @Test(arguments: apps) func allPlatformsAcceptASimpleSet(platform: Platform) throws {
        try PlatformCase("example.com | leaf:leaf spare:leaf:backup", is: .accepts).check(platform)
        try PlatformCase("example.com | leaf:leaf spare:leaf:backup", host: "EXAMPLE.com.", is: .accepts).check(
            platform)
    }

    @Test(arguments: apps) func validatesFirst(platform: Platform) throws {
        try PlatformCase(
            "example.com | leaf:leaf spare:leaf", is: .rejects, "does not validate", isTrusted: false
        ).check(platform)
        try PlatformCase(
            "example.com report | leaf:leaf spare:leaf", is: .rejects, "does not validate", isTrusted: false
        ).check(platform)
    }

    @Test(arguments: apps) func rejectsASetWithOnlyRetiredPins(platform: Platform) throws {
        try PlatformCase("example.com | leaf:any:retired root:any:retired", is: .refusesConfig, "retired").check(
            platform)
        try PlatformCase(
            "example.com | leaf:leaf:retired spare:leaf spare2:leaf", is: platform == .hpkp ? .notPinned : .rejects
        ).check(platform)
    }

    /// The pins of another host never apply.
    @Test(arguments: apps) func ignoresPinsOfOtherHosts(platform: Platform) throws {
        try PlatformCase(
            "example.org all | leaf:leaf spare:leaf", "notexample.com all | leaf:leaf spare:leaf",
            is: .notPinned
        ).check(platform)
    }

    /// Without a chain, a platform has a verdict only if the verdict does not depend on the chain.
    @Test func hasVerdictsWithoutAChain() throws {
        func verdicts(_ entries: String..., host: String) throws -> [Platform: PlatformVerdict.Verdict] {
            var verdicts: [Platform: PlatformVerdict.Verdict] = [:]
            let set = try PlatformCase(entries[0], entries[1], is: .accepts).set
            let now = try #require(Timestamp(rfc3339: "2026-11-21"))
            for platform in Self.apps {
                let configuration = platform.configuration(of: set)
                verdicts[platform] = configuration.verdict(onEveryChainOf: host, at: now)?.verdict
            }
            return verdicts
        }
        let plain = "example.org | leaf:leaf spare:leaf"
        let other = try verdicts("example.com all | leaf:leaf spare:leaf", plain, host: "example.net")
        #expect(other.count == Self.apps.count)
        #expect(other.allSatisfy { $0.value == .notPinned })
        let deeper = try verdicts("example.com one | leaf:leaf spare:leaf", plain, host: "b.a.example.com")
        #expect(
            Set(deeper.keys) == [.apple, .okhttp, .alamofire, .curl, .wultra],
            "the others take one label to be every depth")
        let refused = try verdicts("example.com | leaf:leaf", plain, host: "example.net")
        #expect(refused[.trustkit] == .refusesConfig)
        #expect(refused[.android] == .notPinned)
        let covered = try verdicts("example.com | leaf:leaf spare:leaf", plain, host: "example.org")
        // A header without a pin of the chain is ignored.
        #expect(covered == [.hpkp: .notPinned])
    }

    /// The test vectors for host patterns: "all" is `**.example.co.uk`, and "one" is `*.example.co.uk`.
    @Test(arguments: [
        ("all", "example.co.uk", true), ("all", "foo.example.co.uk", true), ("all", "foo.bar.example.co.uk", true),
        ("all", "anotherexample.co.uk", false), ("all", "co.uk", false),
        ("one", "foo.example.co.uk", true), ("one", "foo.bar.example.co.uk", false), ("one", "co.uk", false),
    ])
    func matchesHostPatterns(subdomains: String, host: String, isCovered: Bool) throws {
        let set = "example.co.uk \(subdomains) | root:root spare:ca"
        try PlatformCase(set, host: host, is: isCovered ? .accepts : .notPinned).check(.okhttp)
        let isOneLabel = host == "foo.example.co.uk" || host == "example.co.uk"
        try PlatformCase(set, host: host, is: isOneLabel ? .accepts : .notPinned).check(.apple)
        let isBelow = host.hasSuffix(".example.co.uk") || host == "example.co.uk"
        for platform in [Platform.android, .trustkit, .trustkitAndroid, .cronet, .hpkp, .chromium, .reactNative] {
            try PlatformCase(set, host: host, is: isBelow ? .accepts : .notPinned).check(platform)
        }
        try PlatformCase(set, host: host, is: host == "example.co.uk" ? .accepts : .notPinned).check(.alamofire)
        // The set has no pin of a leaf, so it gives curl no pins for any host.
        try PlatformCase(set, host: host, is: .notPinned).check(.curl)
    }

    @Test(arguments: [
        (Platform.apple, PlatformVerdict.Verdict.notPinned), (.trustkit, .notPinned),
        (.trustkitAndroid, .refusesConfig),
        (.hpkp, .notPinned), (.cronet, .notPinned), (.chromium, .notPinned), (.wultra, .notPinned),
        (.android, .accepts), (.okhttp, .accepts), (.alamofire, .accepts), (.curl, .accepts),
        (.reactNative, .notPinned), (.reactNativeSSLManager, .notPinned),
    ])
    func evaluatesIPAddresses(platform: Platform, verdict: PlatformVerdict.Verdict) throws {
        try PlatformCase("192.0.2.1 | leaf:leaf spare:leaf", host: "192.0.2.1", is: verdict).check(platform)
    }

    /// The platform rejects the whole configuration, not only the invalid part.
    @Test func rejectsASetThatIsInvalidForAnotherHost() throws {
        let row = { (verdict: PlatformVerdict.Verdict, rule: String) in
            PlatformCase("example.com | leaf:leaf spare:leaf", "example.org | leaf:leaf", is: verdict, rule)
        }
        try row(.refusesConfig, "example.org has one").check(.trustkit)
        // `convert` does not let TrustKit enforce the pins of that host.
        try row(.accepts, "").check(.trustkitAndroid)
        // A header or a string applies to one host.
        for platform in [Platform.hpkp, .curl, .wultra] { try row(.accepts, "").check(platform) }
    }

    @Test(arguments: apps) func appliesExpiry(platform: Platform) throws {
        let after = PlatformCase(
            "example.com until=2026-06-01 | spare:leaf spare2:leaf", is: Self.isOver(after: platform),
            now: "2026-06-03T00:00:00Z")
        try after.check(platform)
        let before = PlatformCase(
            "example.com until=2026-06-01 | leaf:leaf spare:leaf", is: .accepts, now: "2026-05-30T00:00:00Z")
        try before.check(platform)
    }

    /// The verdict after the expiry date. A platform without expiry still rejects wrong pins.
    private static func isOver(after platform: Platform) -> PlatformVerdict.Verdict {
        // A browser ignores a header without a pin of the chain.
        let expiring: [Platform] = [
            .android, .trustkit, .trustkitAndroid, .cronet, .hpkp, .reactNative, .reactNativeSSLManager,
        ]
        return expiring.contains(platform) ? .notPinned : .rejects
    }

    @Test(arguments: apps) func appliesReportOnlyMode(platform: Platform) throws {
        let reports = [Platform.trustkit, .trustkitAndroid, .hpkp, .reactNativeSSLManager].contains(platform)
        try PlatformCase("example.com report | spare:leaf spare2:leaf", is: reports ? .accepts : .rejects).check(
            platform)
    }
}
