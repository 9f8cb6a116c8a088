import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

/// Files that a pin set cannot represent, judged as the platform reads them. Each group names the source of its rules.
@Suite struct PlatformFileTests {
    private static func apple(
        _ domains: String, _ host: String = "example.com", is verdict: PlatformVerdict.Verdict, _ rule: String = ""
    ) -> PlatformFileCase {
        PlatformFileCase(
            .apple, .apple,
            "<plist version=\"1.0\"><dict><key>NSPinnedDomains</key><dict>\(domains)</dict></dict></plist>", host: host,
            is: verdict, rule)
    }

    private static func domain(_ key: String, _ list: String, _ pins: String..., more: String = "") -> String {
        let items = pins.map { "<dict><key>SPKI-SHA256-BASE64</key><string>\($0)</string></dict>" }.joined()
        return "<key>\(key)</key><dict><key>\(list)</key><array>\(items)</array>\(more)</dict>"
    }

    private static let leaves = "NSPinnedLeafIdentities"

    /// Security-61901: OSX/sec/Security/SecPolicy.c, parseNSPinnedDomains; SecBase64.c.
    @Test(arguments: [
        apple(domain("example.com.", leaves, "<spare>"), is: .notPinned),
        apple(domain("Example.COM", leaves, "<leaf>"), is: .accepts),
        apple(domain("Example.COM", leaves, "<spare>"), is: .rejects),
        apple(
            domain("example.com", leaves, "<spare>", more: "<key>NSIncludesSubdomains</key><integer>1</integer>"),
            "a.example.com", is: .notPinned),
        // A list that is present applies even if it contains nothing usable.
        apple(domain("example.com", leaves), is: .rejects, "no usable pin"),
        apple(domain("example.com", leaves, "AAAA"), is: .rejects, "no usable pin"),
        apple(domain("example.com", "NSExceptionDomains", "<spare>"), is: .notPinned, "no list"),
    ])
    func judgesApple(row: PlatformFileCase) throws { try row.check() }

    private static func okHttp(
        _ calls: String, _ host: String = "example.com", is verdict: PlatformVerdict.Verdict, _ rule: String = ""
    ) -> PlatformFileCase {
        PlatformFileCase(
            .okhttp, .okhttp, "val p = CertificatePinner.Builder()\(calls).build()", host: host, is: verdict, rule)
    }

    /// OkHttp 5.4.0: okhttp3/CertificatePinner.kt, internal/-HostnamesCommon.kt; okio, -Base64.kt.
    @Test(arguments: [
        okHttp(".add(\"*.example.com\", \"sha256/<spare>\")", is: .notPinned),
        okHttp(".add(\"*.example.com\", \"sha256/<spare>\")", "a.example.com", is: .rejects),
        okHttp(".add(\"*.example.com\", \"sha256/<spare>\")", "b.a.example.com", is: .notPinned),
        okHttp(".add(\"example.com.\", \"sha256/<spare>\")", is: .notPinned),
        okHttp(".add(\"EXAMPLE.com\", \"sha256/<spare>\")", is: .rejects),
        okHttp(".add(\"a*.example.com\", \"sha256/<leaf>\")", is: .refusesConfig, "pattern"),
        okHttp(".add(\"example.com\", \"<leaf>\")", is: .refusesConfig, "pin"),
        okHttp(".add(\"example.com\", \"sha256/\(unpadded)\")", is: .accepts),
        okHttp(".add(\"example.com\", \"sha256/\(urlSafe)\")", is: .accepts),
        okHttp(".add(\"example.com\", \"sha256/AAAA\")", is: .rejects),
    ])
    func judgesOkHttp(row: PlatformFileCase) throws { try row.check() }

    private static let unpadded = String(PlatformCase.pin("leaf").base64.dropLast())
    private static let urlSafe = PlatformCase.pin("leaf").base64.replacing("+", with: "-").replacing("/", with: "_")

    private static func curl(
        _ line: String, is verdict: PlatformVerdict.Verdict, _ rule: String = ""
    ) -> PlatformFileCase {
        PlatformFileCase(.curl, .curl, "# example.com\n\(line)\n", is: verdict, rule)
    }

    /// curl 7.88.1 and wget 1.21.3 were run on each of these strings; `VerifyAsCurlTests` runs some of them again.
    @Test(arguments: [
        curl("sha256//<spare>;sha256//<leaf>", is: .accepts),
        curl("sha256//<spare>; sha256//<leaf>", is: .rejects, "curl exits with status 90, wget with 5"),
        curl("sha256//<leaf>; sha256//<spare>", is: .rejects, "curl 8.18 and later"),
        curl("sha256//<leaf>;", is: .rejects, "curl 8.18 and later"),
        curl("sha256//<spare>;<leaf>", is: .rejects),
        curl(" sha256//<leaf>", is: .rejects, "name of a public key file"),
        curl("sha256// <leaf>", is: .rejects, "wget, which skips white space"),
        curl("SHA256//<leaf>", is: .rejects),
        curl("sha256//\(Hex.encode(PlatformCase.pin("leaf").bytes))", is: .rejects),
        curl("pinnedpubkey = \"sha256//<leaf>\"", is: .accepts),
        PlatformFileCase(.curl, .curl, "# example.org\nsha256//<leaf>\n", is: .notPinned),
    ])
    func judgesCurl(row: PlatformFileCase) throws { try row.check() }

    private static func hpkp(
        _ directives: String, is verdict: PlatformVerdict.Verdict, _ rule: String = ""
    ) -> PlatformFileCase {
        PlatformFileCase(
            .hpkp, .hpkp,
            "# example.com\nPublic-Key-Pins: pin-sha256=\"<root>\"; pin-sha256=\"<spare>\"\(directives)\n",
            is: verdict, rule)
    }

    /// RFC 7469, sections 2.1 and 2.3; Chromium's net/http/http_security_headers.cc; Mozilla's nsSiteSecurityService.cpp.
    @Test(arguments: [
        hpkp("; max-age=5", is: .accepts), hpkp("", is: .notPinned, "no max-age"),
        hpkp("; max-age=0", is: .notPinned, "removes the pins"),
        hpkp("; max-age=1; max-age=2", is: .notPinned, "twice"),
        hpkp("; max-age=5 x", is: .notPinned, "not a number"),
        hpkp("; max-age=5; includeSubDomains=true", is: .notPinned, "includeSubDomains has a value"),
        hpkp("; max-age=5; report-uri=foo", is: .notPinned, "report-uri"),
        hpkp("; max-age=5; report-uri=\"https://example.com/r\"", is: .accepts),
        PlatformFileCase(
            .hpkp, .hpkp, "# example.com\nPublic-Key-Pins: pin-sha256=<root>; pin-sha256=<spare>; max-age=5\n",
            is: .notPinned, "not quoted"),
        PlatformFileCase(
            .hpkp, .hpkp, "# example.com\nPublic-Key-Pins: pin-sha256=\"<root>\"; pin-sha256=\"AAAA\"; max-age=5\n",
            is: .notPinned, "32 bytes"),
        PlatformFileCase(
            .hpkp, .hpkp,
            "# example.com\nPublic-Key-Pins-Report-Only: pin-sha256=\"<spare>\"; pin-sha256=\"<spare2>\"\n",
            is: .accepts, "report-only"),
    ])
    func judgesHpkp(row: PlatformFileCase) throws { try row.check() }

    private static let names = ConversionInputs(
        names: Array(
            PlatformFileCase.filled(
                "PinsListTimestamp\n1723121786\n\nGood\nsha256/<root>\n\nBad\nsha256/<intermediate>\n"
            )
            .utf8))

    private static func chromium(
        _ entries: String, _ host: String = "example.com", is verdict: PlatformVerdict.Verdict, _ rule: String = ""
    ) -> PlatformFileCase {
        PlatformFileCase(
            .chromium, .chromium,
            """
            { // pinsets
              "pinsets": [ { "name": "good", "static_spki_hashes": ["Good"] },
                { "name": "both", "static_spki_hashes": ["Good"], "bad_static_spki_hashes": ["Bad"] } ],
              "entries": [ \(entries) ] }
            """, host: host, is: verdict, rule, inputs: names)
    }

    /// Chromium: input_file_parsers.cc (keys of both generations), transport_security_state.cc (lookup, bad pins).
    @Test(arguments: [
        chromium(#"{"name":"example.com","include_subdomains":true,"pins":"good"}"#, "a.example.com", is: .accepts),
        chromium(#"{"name":"example.com","pins":"good"}"#, "a.example.com", is: .notPinned),
        chromium(
            #"{"name":"example.com","policy":"custom","include_subdomains_for_pinning":true,"pins":"good"}"#,
            "a.example.com", is: .accepts),
        chromium(#"{"name":"example.com","pins":"both"}"#, is: .rejects, "forbids the pin of the intermediate"),
        chromium(
            #"{"name":"example.com","include_subdomains":true,"pins":"good"},{"name":"a.example.com","mode":"force-https"}"#,
            "a.example.com", is: .notPinned, "has no pins"),
    ])
    func judgesChromium(row: PlatformFileCase) throws { try row.check() }

    /// WultraSSLPinning for iOS 1.6.0, Lib/CertStore+Validation.swift, and for Android 1.4.0, CertStore.kt.
    @Test(arguments: [
        ("leaf.example", "own", "2027-01-01", PlatformVerdict.Verdict.accepts),
        ("example.com", "own", "2027-01-01", .rejects), ("leaf.example", "other", "2027-01-01", .rejects),
        ("leaf.example", "own", "2022-05-10", .rejects), ("LEAF.example", "own", "2027-01-01", .rejects),
    ])
    func judgesWultra(name: String, fingerprint: String, expires: String, verdict: PlatformVerdict.Verdict) throws {
        let (own, other) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
        let seconds = try #require(Timestamp(rfc3339: expires)).secondsSince1970
        let digest = Base64.encode(fingerprint == "own" ? own : other)
        let file = #"{"fingerprints":[{"name":"\#(name)","fingerprint":"\#(digest)","expires":\#(seconds)}]}"#
        let configuration = try #require(try Platform.wultra.configuration(ofFile: Array(file.utf8), format: .wultra))
        let link = PlatformConnection.Link(
            certificate: ChainPin(role: .leaf, position: 0, pin: PlatformCase.pin("leaf")), fingerprint: own,
            commonName: "leaf.example")
        for isTrusted in [true, false] {
            let connection = PlatformConnection(
                host: "example.com", chain: [link], isTrusted: isTrusted,
                at: try #require(Timestamp(rfc3339: "2026-11-21")))
            let found = configuration.verdict(on: connection)
            #expect(found.verdict == (isTrusted ? verdict : .rejects), "\(found.rule)")
            // The trust manager for Android does not validate the chain.
            #expect(found.rule.contains("Android") == (!isTrusted && verdict == .accepts), "\(found.rule)")
        }
    }

    private static func sslManager(
        _ settings: String, _ host: String = "example.com", is verdict: PlatformVerdict.Verdict, _ rule: String = "",
        now: String = "2026-11-21T12:00:00Z"
    ) -> PlatformFileCase {
        PlatformFileCase(
            .reactNativeSSLManager, .reactNativeSSLManager,
            #"{"sha256Keys":{"example.com":["sha256/<spare>","sha256/<spare2>"]},"domains":{\#(settings)}}"#,
            host: host,
            is: verdict, rule, now: now)
    }

    /// react-native-ssl-manager 2.2.0: android/…/SslConfigStore.kt, PinningClientConfigurator.kt, AuditPinningInterceptor.kt,
    /// ios/SharedLogic.swift.
    @Test(arguments: [
        sslManager("", is: .rejects, "iOS rejects"), sslManager("", "a.example.com", is: .rejects),
        sslManager(#""example.com":{"includeSubdomains":false}"#, "a.example.com", is: .notPinned),
        sslManager(#""example.com":{"enforcePinning":false}"#, is: .accepts, "only reports a mismatch"),
        // On iOS, TrustKit's pins expire at the start of the day; on Android, OkHttp's pins expire at its end.
        sslManager(
            #""example.com":{"expirationDate":"2026-11-21"}"#, is: .rejects, "iOS not-pinned",
            now: "2026-11-21T12:00:00Z"),
        sslManager(
            #""example.com":{"expirationDate":"2026-11-21"}"#, is: .notPinned, "has passed", now: "2026-11-22T00:00:00Z"
        ),
        PlatformFileCase(
            .reactNativeSSLManager, .reactNativeSSLManager, #"{"sha256Keys":{"example.com":["sha256/<leaf>"]}}"#,
            is: .refusesConfig, "has one"),
        // react-native-ssl-public-key-pinning catches TrustKit's exception, and OkHttp needs only one pin.
        PlatformFileCase(
            .reactNative, .reactNative, #"{"example.com":{"publicKeyHashes":["<spare>"]}}"#, is: .rejects,
            "iOS not-pinned"),
        PlatformFileCase(
            .reactNative, .reactNative,
            #"{"example.com":{"publicKeyHashes":["<spare>","<spare2>"],"expirationDate":"2026-11-21"}}"#,
            is: .notPinned,
            "leaves out hosts"),
    ])
    func judgesReactNative(row: PlatformFileCase) throws { try row.check() }

    @Test func judgesOnlyFilesOfThePlatform() throws {
        for platform in Platform.allCases {
            let configuration = try platform.configuration(ofFile: [], format: .pins)
            #expect(configuration == nil, "\(platform)")
        }
    }
}
