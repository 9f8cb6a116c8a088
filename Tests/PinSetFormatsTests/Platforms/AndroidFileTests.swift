import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

/// Files for Android that a pin set cannot represent, judged as Android and TrustKit for Android read them.
@Suite struct AndroidFileTests {
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

    private static func report(_ address: String) -> String {
        "<trustkit-config><report-uri>\(address)</report-uri></trustkit-config>"
    }

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
        // `new URL(…)` needs a scheme for which Android has a handler.
        trustKitAndroid(config(exact, "<leaf>", "<spare>", more: report("https://r.example/?a=b")), is: .accepts),
        trustKitAndroid(config(exact, "<leaf>", "<spare>", more: report("\n r.example/a ")), is: .refusesConfig, "URL"),
        trustKitAndroid(
            config(exact, "<leaf>", "<spare>", more: report("htps://r.example")), is: .refusesConfig, "URL"),
        trustKitAndroid(config(exact, more: report("r.example")), is: .notPinned),
        trustKitAndroid(config(exact, "<leaf>", "<spare>"), "192.0.2.1", is: .rejects, "IP address"),
    ])
    func judgesTrustKitAndroid(row: PlatformFileCase) throws { try row.check() }
}
