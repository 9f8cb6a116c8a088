import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

/// Files that a pin set cannot represent, judged as the platform reads them. Each group names the source of its rules.
@Suite struct PlatformFileTests {
    private static func android(_ parts: String, is verdict: PlatformVerdict.Verdict, _ rule: String = "")
        -> PlatformFileCase
    { android(parts, "example.com", verdict, rule) }

    private static func android(
        _ parts: String, _ host: String, _ verdict: PlatformVerdict.Verdict, _ rule: String = "",
        as platform: Platform = .android, now: String = "2026-11-21T12:00:00Z"
    ) -> PlatformFileCase {
        PlatformFileCase(
            platform, .android, "<network-security-config>\(parts)</network-security-config>", host: host, is: verdict,
            rule, now: now)
    }

    private static func config(_ domains: String, _ pins: String..., more: String = "", expires: String = "") -> String
    {
        let list = pins.map { "<pin digest=\"SHA-256\">\($0)</pin>" }.joined()
        let set = pins.isEmpty ? "" : "<pin-set\(expires.isEmpty ? "" : " expiration=\"\(expires)\"")>\(list)</pin-set>"
        return "<domain-config>\(domains)\(set)\(more)</domain-config>"
    }

    private static let all = "<domain includeSubdomains=\"true\">example.com</domain>"
    private static let exact = "<domain>example.com</domain>"
    private static let child = "<domain>a.example.com</domain>"

    /// AOSP, core/java/android/security/net/config: `ApplicationConfig.getConfigForHostname`, `NetworkSecurityConfig.Builder`,
    /// `XmlConfigSource`, `NetworkSecurityTrustManager.checkPins`.
    @Test(arguments: [
        // A domain that is equal to the host applies even if it has no pins; then nothing is pinned.
        android(config(all, "<spare>") + config(child), "a.example.com", .notPinned, "has no pins"),
        android(
            config(all, "<spare>") + config(child), "b.a.example.com", .rejects, "example.com with includeSubdomains"),
        // Nesting inherits pins, unless an empty pin-set replaces them.
        android(config(all, "<spare>", more: config(child)), "a.example.com", .rejects),
        android(config(all, "<spare>", more: config(child, more: "<pin-set/>")), "a.example.com", .notPinned),
        // Android removes only the dot at the end of the host, not of the domain.
        android(config("<domain>example.com.</domain>", "<spare>"), is: .notPinned),
        android(config("<domain> Example.COM </domain>", "<spare>"), is: .rejects),
        // Any text is accepted as a domain.
        android(config(exact, "<leaf>") + config("<domain>10.0.2.2:8080</domain>"), is: .accepts),
        // `SimpleDateFormat.parse` accepts text after the date. A year with few digits is a year of the first century.
        android(config(exact, "<spare>", expires: "2099-1-1"), is: .rejects),
        android(config(exact, "<spare>", expires: "2020-1-1 later"), is: .notPinned, "2020-01-01"),
        android(config(exact, "<spare>", expires: "99-1-1"), is: .notPinned),
        android(config(exact, "<spare>", expires: "2099-02-30"), is: .refusesConfig, "not a day"),
        // aapt2 compiles numbers and colors, and other texts are the default.
        android(config("<domain includeSubdomains=\"1\">example.com</domain>", "<spare>"), "a.example.com", .rejects),
        android(
            config("<domain includeSubdomains=\"yes\">example.com</domain>", "<spare>"), "a.example.com", .notPinned),
        // `android.util.Base64` accepts set bits after the last byte, and white space.
        android(config(exact, "<leaf>", "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB="), is: .accepts),
        android(config(exact, "<leaf>", "AAAA"), is: .refusesConfig, "3 bytes"),
        // A comment ends a text in aapt2 (XmlDom.cpp), and after one text the parser accepts only the end tag.
        android(config(exact, "<!-- a --><leaf><!-- b -->"), is: .accepts),
        android(config(exact, "AAAA<!-- a --><leaf>"), is: .refusesConfig, "divides the text of a <pin>"),
        android(config(exact, "AAAA<b/>BBBB"), is: .refusesConfig, "contains no digest"),
        android(config("<domain>example<!-- a -->.com</domain>", "<leaf>"), is: .refusesConfig, "text of a <domain>"),
        android("<base-config cleartextTrafficPermitted=\"false\"/>", is: .notPinned, "no domain-config"),
        android("<wrapper>\(config(exact, "<spare>"))</wrapper>", is: .notPinned),
        android(config(exact, "<leaf>", more: "<pin-set/>"), is: .refusesConfig, "two <pin-set>"),
        android(config("", "<leaf>"), is: .refusesConfig, "no <domain>"),
        android(
            config(exact, "<leaf>") + config("<domain>EXAMPLE.com</domain>", "<leaf>"), is: .refusesConfig, "twice"),
        android(
            config(
                exact, "<spare>",
                more: "<trust-anchors><certificates src=\"user\" overridePins=\"true\"/></trust-anchors>"),
            is: .rejects, "skip the pins"),
        android(
            config(exact, "<spare>").replacing("SHA-256", with: "sha-256"), is: .rejects),
    ])
    func judgesAndroid(row: PlatformFileCase) throws { try row.check() }

    private static let enforce = "<trustkit-config enforcePinning=\"true\" />"

    private static func trustKitAndroid(
        _ parts: String, _ host: String = "example.com", is verdict: PlatformVerdict.Verdict, _ rule: String = ""
    ) -> PlatformFileCase { android(parts, host, verdict, rule, as: .trustkitAndroid) }

    /// TrustKit-Android 1.1.5: config/TrustKitConfigurationParser.java, DomainPinningPolicy.java, DomainValidator.java.
    @Test(arguments: [
        trustKitAndroid(
            config("<domain>api.service.local</domain>", "<leaf>", "<spare>", more: enforce), is: .refusesConfig,
            "top-level domain"),
        trustKitAndroid(config("<domain>10.0.2.2</domain>") + config(exact, "<leaf>", "<spare>"), is: .accepts),
        trustKitAndroid(config("<domain>10.0.2.2</domain>", "<leaf>"), is: .refusesConfig),
        // TrustKit uses only the last domain of a domain-config. Android itself pins the others.
        trustKitAndroid(
            config(exact + "<domain>example.org</domain>", "<spare>", "<spare2>", more: enforce), is: .notPinned,
            "uses only the last domain of a domain-config, example.org; Android 7 and later"),
        trustKitAndroid(
            config(exact + "<domain>example.org</domain>", "<spare>", "<spare2>", more: enforce), "example.org",
            is: .rejects),
        // Without the element, a mismatch is only reported, and one pin is enough.
        trustKitAndroid(config(exact, "<spare>"), is: .accepts, "Android 7 and later enforces"),
        trustKitAndroid(config(exact, "<leaf>", more: enforce), is: .refusesConfig, "has one, not two"),
        trustKitAndroid(
            config(exact, "<spare>") + config("<domain>two.example.com</domain>", "<leaf>", "<spare>", more: enforce),
            is: .accepts, "only reports"),
        // Booleans are read with `Boolean.parseBoolean`, and the name of the digest is compared exactly.
        trustKitAndroid(
            config(exact, "<spare>", "<spare2>", more: "<trustkit-config enforcePinning=\"1\"/>"), is: .accepts),
        trustKitAndroid(
            config(exact, "<leaf>", "<spare>").replacing("SHA-256", with: "sha-256"), is: .refusesConfig, "digest"),
        trustKitAndroid(
            config("<domain> example.com </domain>", "<leaf>", "<spare>"), is: .refusesConfig, "top-level domain"),
        trustKitAndroid(config("<domain>Example.com</domain>", "<spare>", "<spare2>", more: enforce), is: .notPinned),
        trustKitAndroid(config(exact, "<leaf>", "<spare>"), "192.0.2.1", is: .rejects, "IP address"),
    ])
    func judgesTrustKitAndroid(row: PlatformFileCase) throws { try row.check() }

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
