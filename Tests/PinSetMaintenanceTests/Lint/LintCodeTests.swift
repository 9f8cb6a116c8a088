import Foundation
import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import PinSetMaintenance
@testable import Pinning
@testable import ServerPinFormats

@Suite struct LintCodeTests {
    /// Docs/lint.md has a row for each code, with its severity and its meaning, and no other rows.
    @Test func documentationListsAllCodes() throws {
        let file = Vectors.folder.deletingLastPathComponent().deletingLastPathComponent().appending(
            path: "Docs/lint.md")
        let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("| `") }
        let codes = LintCode.allCases.map { "| `\($0.rawValue)` | \($0.severity.rawValue) | \($0.summary) |" }
        #expect(Set(rows.map(String.init)).symmetricDifference(codes).sorted() == [])
        #expect(rows.count == codes.count)
    }

    @Test(arguments: LintCode.allCases) func isInKebabCase(code: LintCode) {
        #expect(code.rawValue.allSatisfy { $0.isLowercase || $0 == "-" })
    }

    /// A pin set with the finding, and a similar pin set without it.
    struct Case: CustomTestStringConvertible, Sendable {
        let code: LintCode
        let has: String
        let hasNot: String
        var format: PinSetFormat?
        var host: String?

        init(_ code: LintCode, _ has: String, not hasNot: String, as format: PinSetFormat? = nil, host: String? = nil) {
            (self.code, self.has, self.hasNot, self.format, self.host) = (code, has, hasNot, format, host)
        }

        var testDescription: String { code.rawValue }
    }

    private static let two = [Lint.key(Lint.rootX1, role: "root"), Lint.backup(Lint.a)]

    private static func set(_ more: String) -> String { Lint.pins(two[0], two[1], more: more) }

    /// A set with two pins, of which the first is `pin` with the properties `more`.
    private static func first(_ pin: String, _ more: String = "") -> String { Lint.pins(Lint.key(pin, more), two[1]) }

    static let files: [Case] = [
        Case(.syntax, "{ \"hosts\": {}, }", not: Lint.hosts()),
        Case(.wrongType, Lint.hosts("\"example.com\": 1"), not: Lint.hosts("\"example.com\": [\"\(Lint.a)\"]")),
        Case(.missingKey, "{ \"hosts\": {} }", not: Lint.hosts()),
        Case(.missingKey, Lint.hosts("\"example.com\": {}"), not: set("")),
        Case(.missingKey, Lint.pins("{ \"role\": \"leaf\" }"), not: Lint.pins(two[0])),
        Case(.unknownKey, set("\"note\": 1, "), not: set("\"$note\": 1, ")),
        Case(.duplicateKey, set("\"expires\": \"2028-01-01\", \"expires\": \"2029-01-01\", "), not: set("")),
        Case(.unknownVersion, "{ \"version\": 2, \"hosts\": {} }", not: Lint.hosts()),
        Case(.nothingPinned, Lint.hosts(), not: set("")),
        Case(.unknownWord, set("\"subdomains\": \"some\", "), not: set("\"subdomains\": \"one\", ")),
        Case(.invalidDate, set("\"expires\": \"2028-02-30\", "), not: set("\"expires\": \"2028-02-29\", ")),
    ]

    private static func androidFile(_ domain: String) -> String {
        "<network-security-config>\(domain)</network-security-config>"
    }

    static let readers: [Case] = [
        Case(
            .nothingPinned, androidFile(""),
            not: androidFile(
                "<domain-config><domain>a.example</domain><pin-set><pin digest='SHA-256'>\(Lint.a)</pin></pin-set></domain-config>"
            ), as: .android),
        Case(
            .unreadValue, "CertificatePinner.Builder().add(\"a.example\", \"sha256/\(Lint.a)\", pin)",
            not:
                "val pin = \"sha256/\(Lint.b)\"; CertificatePinner.Builder().add(\"a.example\", \"sha256/\(Lint.a)\", pin)",
            as: .okhttp),
    ]

    static let hosts: [Case] = [
        Case(
            .invalidHost, Lint.hosts("\"example.com:443\": [\"\(Lint.a)\"]"),
            not: Lint.hosts("\"example.com\": [\"\(Lint.a)\"]")),
        Case(
            .invalidHost, Lint.hosts("\"https://example.com\": [\"\(Lint.a)\"]"),
            not: Lint.hosts("\"2001:db8::1\": [\"\(Lint.a)\"]")),
        Case(
            .duplicateHost, Lint.hosts("\"example.com\": [\"\(Lint.a)\"]", "\"EXAMPLE.com.\": [\"\(Lint.b)\"]"),
            not: Lint.hosts("\"example.com\": [\"\(Lint.a)\"]", "\"example.org\": [\"\(Lint.b)\"]")),
        Case(
            .duplicateHost, Lint.hosts("\"example.com\": [\"\(Lint.a)\"]", "\"example.com\": [\"\(Lint.b)\"]"),
            not: Lint.hosts("\"a.example.com\": [\"\(Lint.a)\"]", "\"b.example.com\": [\"\(Lint.b)\"]")),
        Case(
            .unreachablePattern, Lint.hosts("\"*.example.com\": [\"\(Lint.a)\"]"),
            not: Lint.hosts("\"example.com\": { \"subdomains\": \"one\", \"pins\": [\"\(Lint.a)\"] }")),
        Case(
            .overlappingPattern,
            Lint.hosts(
                "\"example.com\": { \"subdomains\": \"one\", \"pins\": [\"\(Lint.a)\"] }",
                "\"a.example.com\": [\"\(Lint.b)\"]"),
            not: Lint.hosts(
                "\"example.com\": { \"subdomains\": \"one\", \"pins\": [\"\(Lint.a)\"] }",
                "\"b.a.example.com\": [\"\(Lint.b)\"]")),
        Case(
            .addressSubdomains, Lint.hosts("\"192.0.2.1\": { \"subdomains\": \"all\", \"pins\": [\"\(Lint.a)\"] }"),
            not: Lint.hosts("\"192.0.2.1\": { \"subdomains\": \"none\", \"pins\": [\"\(Lint.a)\"] }")),
        Case(
            .invalidEndpoint, set("\"endpoints\": [\"smtp://other.example\"], "),
            not: set("\"endpoints\": [\"smtp://example.com\"], ")),
        Case(.emptyAnchor, set("\"anchors\": [\"\"], "), not: set("\"anchors\": [\"ca.pem\"], ")),
        Case(.emptyAnchor, set("\"anchors\": [], "), not: set("\"anchors\": [\"ca.pem\"], ")),
        Case(.reportOnly, set("\"enforce\": false, "), not: set("\"enforce\": true, ")),
    ]

    static let pins: [Case] = [
        Case(.emptyPins, Lint.hosts("\"example.com\": []"), not: Lint.hosts("\"example.com\": [\"\(Lint.a)\"]")),
        Case(.invalidPin, first("C5+lpZ7t"), not: first(Lint.rootX1)),
        Case(.invalidPin, first(String(Lint.a.dropLast())), not: first("SHA256:" + Lint.a.dropLast())),
        // printf '' | openssl dgst -sha1 -binary | base64
        Case(.wrongDigest, first("sha1/2jmj7l5rSw0yVb/vlWAYkK/YBwk="), not: first("sha256/" + Lint.rootX1)),
        // printf '' | openssl dgst -sha256 -binary | base64, and of a line feed
        Case(.emptyHash, first("47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="), not: first(Lint.rootX1)),
        Case(.emptyHash, first("AbpHGcgLb+kRsJGnwFEktk7uzpZOCcBY74+YBdrKVGs="), not: first(Lint.rootX1)),
        Case(.placeholder, first("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="), not: first(Lint.rootX1)),
        Case(.placeholder, first("BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB="), not: first(Lint.b)),
        Case(
            .placeholder, first("0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"), not: first(Lint.b)),
        Case(.placeholder, first("sha256/REPLACE_ME"), not: first(Lint.b)),
        Case(.nearMiss, first("C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8N="), not: first(Lint.rootX1)),
        // openssl x509 -in ISRG_Root_X1.crt -outform DER | openssl dgst -sha256 -binary | base64
        Case(.certificateHash, first("lrzsBiZJdvN0YHeazyjFp8/oo8Cq4RqP/O4FwL3fCMY="), not: first(Lint.rootX1)),
        Case(.bitStringHash, first("9Fk6HgfMnM7/vtnBHcUhg1b3gU2bIpSd50XmKZkMbGA="), not: first(Lint.rootX1)),
        Case(
            .mislabelled, first(Lint.rootX1, ", \"label\": \"ISRG Root X2\""),
            not: first(Lint.rootX1, ", \"label\": \"ISRG Root X1 (RSA)\"")),
        Case(
            .mislabelled, first(Lint.b, ", \"label\": \"ISRG Root X2\""),
            not: first(Lint.b, ", \"label\": \"leaf under ISRG Root X2\"")),
        Case(.duplicatePin, Lint.pins(two[0], two[1], "\"sha256/\(Lint.a)\""), not: set("")),
    ]

    static let coverage: [Case] = [
        Case(.noBackup, Lint.pins("\"\(Lint.a)\""), not: Lint.pins("\"\(Lint.a)\"", "\"\(Lint.b)\"")),
        Case(
            .noBackup, Lint.pins("\"\(Lint.a)\"", Lint.key(Lint.b, ", \"state\": \"retired\"")),
            not: Lint.pins("\"\(Lint.a)\"", Lint.backup(Lint.b))),
        Case(
            .leafOnly, Lint.pins(Lint.key(Lint.a, role: "leaf"), Lint.key(Lint.b, role: "leaf")),
            not: Lint.pins(Lint.key(Lint.a, role: "leaf"), Lint.key(Lint.rootX1, role: "root"))),
        Case(
            .intermediateOnly,
            Lint.pins(Lint.key(Lint.a, role: "intermediate"), Lint.key(Lint.b, role: "intermediate")),
            not: Lint.pins(Lint.key(Lint.a, role: "intermediate"), Lint.backup(Lint.b))),
        // Let's Encrypt R13, by its name on the authority's page.
        Case(
            .intermediateOnly, Lint.pins("\"AlSQhgtJirc8ahLyekmtX+Iw+v46yPYRLJt9Cq1GlB0=\""),
            not: Lint.pins("\"\(Lint.rootX1)\"")),
        Case(.rootOnly, Lint.pins("\"\(Lint.rootX1)\""), not: Lint.pins("\"\(Lint.rootX1)\"", Lint.backup(Lint.a))),
        Case(.rootOnly, Lint.pins(Lint.key(Lint.a, role: "root")), not: Lint.pins(Lint.key(Lint.a, role: "any"))),
        Case(
            .retiredOnly, Lint.pins(Lint.key(Lint.a, ", \"state\": \"retired\"")),
            not: Lint.pins(Lint.key(Lint.a, ", \"state\": \"retired\""), "\"\(Lint.b)\"")),
        Case(
            .impossibleRole, Lint.pins(Lint.key(Lint.rootX1, role: "leaf"), two[1]),
            not: Lint.pins(Lint.key(Lint.rootX1, role: "ca"), two[1])),
    ]

    /// At midnight of 2026-11-21, with 30 days of warning.
    static let dates: [Case] = [
        Case(.expired, set("\"expires\": \"2026-11-21\", "), not: set("\"expires\": \"2026-11-22\", ")),
        Case(.expiresSoon, set("\"expires\": \"2026-12-20\", "), not: set("\"expires\": \"2026-12-21\", ")),
        Case(.expiresSoon, set("\"expires\": \"2026-11-22\", "), not: set("\"expires\": \"2026-11-21\", ")),
        Case(
            .pinExpired, first(Lint.rootX1, ", \"notAfter\": \"2026-11-20\""),
            not: first(Lint.rootX1, ", \"notAfter\": \"2026-11-20\", \"state\": \"retired\"")),
        Case(
            .pinExpiresSoon, first(Lint.rootX1, ", \"notAfter\": \"2026-12-01\""),
            not: first(Lint.rootX1, ", \"notAfter\": \"2027-12-01\"")),
        // DST Root CA X3 expired on 2021-09-30, Let's Encrypt R3 on 2025-09-15; ISRG Root X1 expires in 2035.
        Case(.authorityExpired, first("Vjs8r4z+80wjNcr1YKepWQboSIRi63WsWXhIMN+eWys="), not: first(Lint.rootX1)),
        Case(.authorityExpired, first("jQJTbIh0grw0/1TkHSumWb+Fs0Ggogr621gT3PvPKG0="), not: first(Lint.rootX2)),
    ]

    private static func plist(_ lists: String) -> String {
        """
        <plist version="1.0"><dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict>
        \(lists)
        </dict></dict></dict></plist>
        """
    }

    private static func identities(_ list: String, _ pins: String...) -> String {
        let items = pins.map { "<dict><key>SPKI-SHA256-BASE64</key><string>\($0)</string></dict>" }.joined()
        return "<key>\(list)</key><array>\(items)</array>"
    }

    private static func android(
        _ more: String, pin: String = Lint.a, attributes: String = "", includes: String = "true"
    ) -> String {
        """
        <network-security-config>
          <domain-config>
            <domain includeSubdomains="\(includes)">example.com</domain>
            <pin-set\(attributes)>
              <pin digest="SHA-256">\(pin)</pin>
              <pin digest="SHA-256">\(Lint.b)</pin>
            </pin-set>
            \(more)
          </domain-config>
        </network-security-config>
        """
    }

    private static func trustKit(_ pins: String..., host: String = "example.com") -> String {
        """
        <plist version="1.0"><dict><key>TSKPinnedDomains</key><dict><key>\(host)</key><dict>
        <key>TSKPublicKeyHashes</key><array>\(pins.map { "<string>\($0)</string>" }.joined())</array>
        </dict></dict></dict></plist>
        """
    }

    private static let fingerprints = """
        { "fingerprints": [{ "name": "example.com", "fingerprint": "\(Lint.a)", "expires": 1900000000 }] }
        """

    /// Entries without pins that are read, and formats of libraries that give the pins to TrustKit.
    static let unread: [Case] = [
        Case(.unpinnedHost, listed("NSPinnedCAIdentitys"), not: listed("NSPinnedCAIdentities")),
        Case(.unpinnedHost, listed("NSPinnedCaIdentities"), not: listed("NSPinnedLeafIdentities")),
        Case(.unknownKey, listed("NSPinnedCAIdentitys"), not: listed("NSPinnedCAIdentities")),
        Case(
            .unpinnedHost, plist("<key>a.com</key><dict><key>NSIncludesSubdomains</key><true/></dict>"),
            not: plist(
                "<key>a.com</key><dict/><key>com</key><dict><key>NSIncludesSubdomains</key><true/>"
                    + identities("NSPinnedCAIdentities", Lint.a, Lint.b) + "</dict>")),
        Case(.stopsApp, trustKit(), not: trustKit(Lint.a)),
        Case(.stopsApp, hashes("TSKPublicKeyHashe"), not: hashes("TSKPublicKeyHashes")),
        Case(.unknownKey, hashes("TSKPublicKeyHashe"), not: hashes("TSKPublicKeyHashes")),
        Case(
            .misreadValue, included("<integer>1</integer>"), not: included("<true/>")),
        Case(
            .unreadValue, listed("NSPinnedCAIdentities") + "<!-- TSKPublicKeyHashes -->",
            not: listed("NSPinnedCAIdentities")),
        Case(
            .duplicateHost, header(Lint.a, Lint.b) + header(Lint.b, Lint.rootX1), not: header(Lint.a, Lint.b),
            host: "example.com"),
        Case(
            .unknownKey, android("").replacing("pin-set>", with: "pinset>").replacing("<pin-set", with: "<pinset"),
            not: android("<certificateTransparency enabled=\"true\"/>")),
        Case(
            .unpinnedHost,
            "<network-security-config><domain-config><domain>a.com</domain><pin-set/></domain-config></network-security-config>",
            not:
                "<network-security-config><domain-config><domain>a.com</domain></domain-config></network-security-config>",
            as: .android),
        Case(
            .misreadValue, android("").replacing("includeSubdomains", with: "includeSubDomains"), not: android("")),
        Case(
            .misreadValue, android("", attributes: " expires=\"2028-01-01\""),
            not: android("", attributes: " tools:ignore=\"x\" xmlns:tools=\"http://schemas.android.com/tools\"")),
        Case(
            .misreadValue, android("", attributes: " android:expiration=\"2028-01-01\" xmlns:android=\"x\""),
            not: android("")),
        Case(.tooFewPins, manager(Lint.a, Lint.a), not: manager(Lint.a, Lint.b)),
        Case(.tooFewPins, reactNative("\"\(Lint.a)\""), not: reactNative("\"\(Lint.a)\", \"\(Lint.b)\"")),
        Case(
            .unknownKey, reactNative("\"\(Lint.a)\", \"\(Lint.b)\"", "\"includeSubdomain\": true"),
            not: reactNative("\"\(Lint.a)\", \"\(Lint.b)\"", "\"includeSubdomains\": true")),
    ]

    private static func listed(_ list: String) -> String {
        plist("<key>example.com</key><dict>" + identities(list, Lint.a, Lint.b) + "</dict>")
    }

    private static func included(_ value: String) -> String {
        plist(
            "<key>example.com</key><dict><key>NSIncludesSubdomains</key>\(value)"
                + identities("NSPinnedCAIdentities", Lint.a, Lint.b) + "</dict>")
    }

    private static func header(_ one: String, _ other: String) -> String {
        "Public-Key-Pins: pin-sha256=\"\(one)\"; pin-sha256=\"\(other)\"; max-age=9\n"
    }

    private static func hashes(_ key: String) -> String {
        trustKit(Lint.a, Lint.b).replacing("TSKPublicKeyHashes", with: key)
    }

    private static func manager(_ pins: String...) -> String {
        "{\"sha256Keys\": {\"example.com\": [\(pins.map { "\"sha256/\($0)\"" }.joined(separator: ", "))]}}"
    }

    private static func reactNative(_ pins: String, _ more: String = "\"includeSubdomains\": false") -> String {
        "{\"example.com\": {\"publicKeyHashes\": [\(pins)], \(more)}}"
    }

    static let platforms: [Case] = [
        Case(
            .malformed, android("<domain>example.com</domain>"), not: android("<domain>example.org</domain>"),
            as: .android),
        Case(.silentExpiry, android("", attributes: " expiration=\"2028-01-01\""), not: android("")),
        Case(
            .overridePins, android("<trust-anchors><certificates src=\"user\" overridePins=\"true\"/></trust-anchors>"),
            not: android("<trust-anchors><certificates src=\"user\"/></trust-anchors>")),
        Case(
            .overridePins, android("<trust-anchors><certificates src=\"user\" overridePins=\"1\"/></trust-anchors>"),
            not: android("<trust-anchors><certificates src=\"user\" overridePins=\"0\"/></trust-anchors>")),
        // TrustKit for Android enforces pins only if `enforcePinning` is set.
        Case(
            .reportOnly, android("<trustkit-config/>"), not: android("<trustkit-config enforcePinning=\"true\"/>")),
        Case(
            .emptyHash, android("", pin: "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="), not: android("")),
        Case(.tooFewPins, trustKit(Lint.a), not: trustKit(Lint.a, Lint.b)),
        Case(
            .tooFewPins, "Public-Key-Pins: pin-sha256=\"\(Lint.a)\"; max-age=9",
            not: "Public-Key-Pins: pin-sha256=\"\(Lint.a)\"; pin-sha256=\"\(Lint.b)\"; max-age=9", host: "example.com"),
        Case(.neverMatches, "sha256//\(Lint.rootX1)", not: "sha256//\(Lint.a)", host: "example.com"),
        Case(
            .oneLabelOnly,
            plist(
                "<key>example.com</key><dict><key>NSIncludesSubdomains</key><true/>"
                    + identities("NSPinnedCAIdentities", Lint.a, Lint.b) + "</dict>"),
            not: plist(
                "<key>example.com</key><dict>" + identities("NSPinnedCAIdentities", Lint.a, Lint.b) + "</dict>")),
        Case(
            .bothLists,
            plist(
                "<key>example.com</key><dict>" + identities("NSPinnedCAIdentities", Lint.a)
                    + identities("NSPinnedLeafIdentities", Lint.b) + "</dict>"),
            not: plist(
                "<key>example.com</key><dict>" + identities("NSPinnedLeafIdentities", Lint.a, Lint.b) + "</dict>")
        ),
        // TrustKit compares keys case-sensitively (configuration_utils.m), and Apple does not (SecPolicy.c).
        Case(
            .caseSensitiveHost, trustKit(Lint.a, Lint.b, host: "Example.com"),
            not: plist("<key>Example.com</key><dict>" + identities("NSPinnedCAIdentities", Lint.a) + "</dict>")),
        Case(
            .keyNeverMatches,
            plist("<key>example.com.</key><dict>" + identities("NSPinnedCAIdentities", Lint.a) + "</dict>"),
            not: plist("<key>example.com</key><dict>" + identities("NSPinnedCAIdentities", Lint.a) + "</dict>")),
        Case(
            .unpinnedHost,
            android("</domain-config><domain-config><domain>a.example.com</domain>"),
            not: android("<domain-config><domain>a.example.com</domain></domain-config>")),
        Case(.misreadValue, android("", includes: "yes"), not: android("", includes: "true")),
        Case(
            .stopsApp, trustKit(Lint.a, Lint.b, host: "app.localdev"), not: trustKit(Lint.a, Lint.b)),
        Case(.certificatePins, fingerprints, not: set("")),
        // pinA is known only to the compiler.
        Case(
            .nothingRead, trustKitSource("pinA, pinA"), not: trustKitSource("\"\(Lint.a)\", \"\(Lint.b)\", pinA")),
    ]

    /// The app can have more pins than the source shows.
    @Test(arguments: ["\"\(Lint.a)\", Secrets.backup", "pinA, pinA"]) func anExpressionIsNoMissingPin(pins: String)
        throws
    {
        let codes = try Lint.codes(Self.trustKitSource(pins))
        #expect(codes.contains(.unreadValue) && !codes.contains(.stopsApp) && !codes.contains(.tooFewPins), "\(codes)")
        let react = "initializeSslPinning({\"a.com\": {publicKeyHashes: ['\(Lint.a)', Config.BACKUP]}});\n"
        #expect(try !Lint.codes(react, as: .reactNative).contains(.tooFewPins))
    }

    private static func trustKitSource(_ pins: String) -> String {
        "let c: [String: Any] = [kTSKPinnedDomains: [\"example.com\": [kTSKPublicKeyHashes: [\(pins)]]]]\n"
    }

    @Test(arguments: files + readers + hosts + pins + coverage + dates + platforms + unread)
    func findsCodeAtPosition(item: Case)
        throws
    {
        let has = try Lint.codes(item.has, as: item.format, host: item.host)
        #expect(has.contains(item.code), "\(has)")
        let hasNot = try Lint.codes(item.hasNot, as: item.format, host: item.host)
        #expect(!hasNot.contains(item.code), "\(hasNot)")
    }

    /// Codes that need a chain or a manifest have other tests. One code would need a CA that expires in the month of the test.
    @Test func everyCodeHasCase() {
        let covered = Set(
            (Self.files + Self.readers + Self.hosts + Self.pins + Self.coverage + Self.dates + Self.platforms).map(
                \.code))
        let others: Set<LintCode> = [
            .textHash, .liveMismatch, .backupInUse, .retiredInUse, .wrongRole, .untrustedChain, .unreachable,
            .authorityExpiresSoon, .unreadableAnchor, .backupNotOnPlatform,
        ]
        #expect(Set(LintCode.allCases).subtracting(covered) == others)
    }
}
