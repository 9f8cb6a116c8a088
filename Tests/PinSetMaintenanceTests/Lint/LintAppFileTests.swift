import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import PinSetMaintenance
@testable import Pinning
@testable import ServerPinFormats

/// Values that the build of an app replaces, and parts of app files that have no effect.
@Suite struct LintAppFileTests {
    private static let unread: Set<LintCode> = [.unreadValue]

    private static func plist(_ parts: String) -> String {
        "<plist version=\"1.0\"><dict><key>CFBundleName</key><string>x</string>\(parts)</dict></plist>"
    }

    private static func apple(_ host: String, _ pins: String..., more: String = "") -> String {
        let list = pins.map { "<dict><key>SPKI-SHA256-BASE64</key><string>\($0)</string></dict>" }.joined()
        return "<key>NSPinnedDomains</key><dict><key>\(host)</key><dict><key>NSPinnedCAIdentities</key><array>\(list)"
            + "</array>\(more)</dict></dict>"
    }

    private static func security(_ domains: String) -> String {
        plist("<key>NSAppTransportSecurity</key><dict>\(domains)</dict>")
    }

    private static func trustKit(_ host: String, _ pins: String...) -> String {
        plist(
            "<key>TSKConfiguration</key><dict><key>TSKPinnedDomains</key><dict><key>\(host)</key><dict>"
                + "<key>TSKPublicKeyHashes</key><array>\(pins.map { "<string>\($0)</string>" }.joined())</array>"
                + "</dict></dict></dict>")
    }

    private static func setting(_ key: String) -> String {
        trustKit("example.com", Lint.a, Lint.b).replacing(
            "<key>TSKPublicKeyHashes</key>",
            with: "<key>\(key)</key><string>$(SETTING)</string><key>TSKPublicKeyHashes</key>")
    }

    private func problems(_ text: String, as format: PinSetFormat, host: String? = nil) throws -> Set<LintCode> {
        Set(try Lint.findings(text, as: format, host: host).filter { $0.severity != .note }.map(\.code))
    }

    private static let settings: [(String, PinSetFormat, Set<LintCode>)] = [
        (security(apple("a.example", "$(PIN)", Lint.b)), PinSetFormat.apple, unread),
        (security(apple("a.example", "${PIN}")), .apple, [.unreadValue, .nothingRead]),
        (security(apple("$(HOST)", Lint.a, Lint.b)), .apple, [.unreadValue, .nothingRead]),
        (trustKit("example.com", "$(PIN)", Lint.b), .trustkit, unread),
        (trustKit("example.com", "$(PIN)"), .trustkit, [.unreadValue, .nothingRead]),
        (trustKit("$(HOST)", Lint.a, Lint.b), .trustkit, [.unreadValue, .nothingRead]),
        (setting("TSKEnforcePinning"), .trustkit, unread), (setting("TSKExpirationDate"), .trustkit, unread),
        (setting("TSKIncludeSubdomains"), .trustkit, unread),
    ]

    /// Xcode replaces the names of build settings (`INFOPLIST_EXPAND_BUILD_SETTINGS`, default YES), so these values are not known.
    @Test(arguments: settings)
    func buildSettings(text: String, format: PinSetFormat, codes: Set<LintCode>) throws {
        try #expect(problems(text, as: format) == codes)
    }

    /// Beats replaces `${NAME}`, and nats-server `$NAME`.
    @Test(arguments: [
        (
            "output.elasticsearch:\n  hosts: [\"https://a.example:9200\"]\n  ssl.ca_sha256: [\"${PIN}\", \"\(Lint.a)\"]\n",
            PinSetFormat.elastic
        ),
        (
            "# host: a.example\ncluster { tls { pinned_certs: [ $PIN, \"ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb\" ] } }\n",
            .nats
        ),
    ])
    func variablesOfConfigurations(text: String, format: PinSetFormat) throws {
        let findings = try Lint.findings(text, as: format)
        #expect(findings.filter { $0.severity == .error }.isEmpty, "\(findings)")
        #expect(findings.contains { $0.code == .unreadValue }, "\(findings)")
    }

    /// Apple's systems read `NSPinnedDomains` only in `NSAppTransportSecurity`.
    @Test(arguments: [
        "<key>NSAppTransportSecurity</key><dict><key>NSExceptionDomains</key><dict>DOMAINS</dict></dict>",
        "<key>NSAppTransportSecurity</key><dict><key>NSExceptionDomains</key><dict><key>a.example</key><dict>DOMAINS</dict></dict></dict>",
        "<key>NSAppTransportSecuritySettings</key><dict>DOMAINS</dict>", "DOMAINS",
        "<key>NSAppTransportSecurity</key><dict>DOMAINS<key>NSExceptionDomains</key><dict>DOMAINS</dict></dict>",
    ])
    func misplacedDomains(text: String) throws {
        let domains = Self.apple("a.example", Lint.a, Lint.b)
        let found = try problems(Self.plist(text.replacing("DOMAINS", with: domains)), as: .apple)
        #expect(found.contains(.keyNeverMatches), "\(found)")
        try #expect(problems(Self.security(domains), as: .apple).isEmpty)
    }

    /// One host that the platform cannot pin does not hide the others.
    @Test func addresses() throws {
        let subdomains = "<key>NSIncludesSubdomains</key><true/>"
        let host = "<key>b.example</key><dict><key>NSPinnedCAIdentities</key>"
        for key in ["192.0.2.1", "2001:db8::1"] {
            let text = Self.security(Self.apple(key, Lint.a, Lint.b, more: subdomains)).replacing(
                "</dict></dict></dict></dict></plist>",
                with: "</dict>\(host)<array><dict><key>SPKI-SHA256-BASE64</key><string>\(Lint.a)</string></dict>"
                    + "<dict><key>SPKI-SHA256-BASE64</key><string>\(Lint.b)</string></dict></array></dict>"
                    + "</dict></dict></dict></plist>")
            let findings = try Lint.findings(text, as: .apple)
            #expect(findings.map(\.code) == [.keyNeverMatches], "\(findings)")
            #expect(findings.first?.message.hasSuffix("NSPinnedDomains has no IP addresses") == true, "\(findings)")
            let entries = try PinSet.read(Array(text.utf8), as: .apple).set.entries
            #expect(entries.map(\.subdomains) == [.none, .none] && entries.last?.host == "b.example")
        }
        let header = "# 192.0.2.1\nPublic-Key-Pins: pin-sha256=\"\(Lint.a)\"; pin-sha256=\"\(Lint.b)\"; max-age=60\n"
        try #expect(problems(header, as: .hpkp) == [.unpinnedHost])
        let manager = "{\"sha256Keys\":{\"192.0.2.1\":[\"sha256/\(Lint.a)\",\"sha256/\(Lint.b)\"]}}"
        try #expect(problems(manager, as: .reactNativeSSLManager) == [.stopsApp])
    }

    /// NetworkSecurityConfig.java: a `<domain-config>` inherits anchors only if it has none.
    @Test(arguments: [
        ("BASE", "", true), ("BASE", "<trust-anchors><certificates src=\"system\"/></trust-anchors>", false),
        ("<domain-config><domain>dev.example</domain>ANCHORS</domain-config>", "", false),
        ("", "ANCHORS", true),
    ])
    func anchorsThatSkipThePins(before: String, inside: String, isOverridden: Bool) throws {
        let anchors = "<trust-anchors><certificates src=\"user\" overridePins=\"true\"/></trust-anchors>"
        let text =
            "<network-security-config>\(before)<domain-config><domain>a.example</domain>\(inside)<pin-set>"
            + "<pin digest=\"SHA-256\">\(Lint.a)</pin><pin digest=\"SHA-256\">\(Lint.b)</pin></pin-set></domain-config>"
            + "</network-security-config>"
        let file = text.replacing("BASE", with: "<base-config>ANCHORS</base-config>").replacing(
            "ANCHORS", with: anchors)
        try #expect(problems(file, as: .android) == (isOverridden ? [.overridePins] : []))
        let warnings = try PinSet.read(Array(file.utf8), as: .android).warnings.map(\.reason)
        #expect(warnings.contains(.pinsOverridden) == isOverridden, "\(warnings)")
    }

    /// The package compares fingerprints of certificates.
    @Test func theDigestOfACertificate() throws {
        let digest = (0..<20).map { _ in "AB" }.joined(separator: ":")
        let code =
            "HttpCertificatePinning.check(serverURL: \"https://a.example\", sha: SHA.SHA1, allowedSHAFingerprints: [\"\(digest)\"]);"
        let hints = try Lint.findings(code, as: .flutter).filter { $0.code == .wrongDigest }.map(\.hint)
        #expect(hints == ["use the SHA-256 of the certificate, which pinctl inspect prints"])
    }

    /// Lists for the app's own code in another JSON file, at any depth.
    @Test(arguments: [
        "{\"publicKeyHashes\":{LISTS}}", "{\"name\":\"app\",\"sslPinning\":{\"publicKeyHashes\":{LISTS}}}",
        "{\"expo\":{\"plugins\":[[\"x\",{\"publicKeyHashes\":{LISTS}}]]}}",
        "{\"name\":\"app\",\"pins\":{HOST}}",
    ])
    func listsInOtherFiles(text: String) throws {
        let pins = "[\"\(Lint.a)\",\"\(Lint.b)\"]"
        let file = text.replacing("LISTS", with: "\"a.example.com\":\(pins)").replacing(
            "HOST", with: "\"a.example.com\":{\"publicKeyHashes\":\(pins)}")
        let reading = try PinSet.read(Array(file.utf8), as: .reactNative)
        #expect(reading.set.entries.map(\.host) == ["a.example.com"])
        try #expect(problems(file, as: .reactNative).isEmpty)
    }
}
