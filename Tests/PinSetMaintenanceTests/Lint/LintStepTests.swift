import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import PinSetMaintenance
@testable import Pinning
@testable import ServerPinFormats

/// The step of a finding, in the syntax of the file: a person who follows it gets a file that the platform accepts.
@Suite struct LintStepTests {
    private func apple(_ host: String, _ pin: String?) -> String {
        let list = pin.map { "<dict><key>SPKI-SHA256-BASE64</key><string>\($0)</string></dict>" } ?? ""
        return "<plist version=\"1.0\"><dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict>"
            + "<key>\(host)</key><dict><key>NSPinnedCAIdentities</key><array>\(list)</array></dict></dict></dict></dict>"
            + "</plist>"
    }

    private func android(_ host: String) -> String {
        "<network-security-config><domain-config><domain>\(host)</domain><pin-set><pin digest=\"SHA-256\">\(Lint.a)</pin>"
            + "</pin-set></domain-config></network-security-config>"
    }

    /// OkHttp and react-native-ssl-manager require `sha256/`; Apple's systems do not know it.
    @Test(arguments: [
        (PinSetFormat.okhttp, "sha256/\(Lint.a.dropLast())", "sha256/\(Lint.a)"), (.okhttp, Lint.a, "sha256/\(Lint.a)"),
        (.reactNativeSSLManager, "sha256/\(Lint.a.dropLast())", "sha256/\(Lint.a)"),
        (.reactNativeSSLManager, Lint.a, "sha256/\(Lint.a)"), (.apple, "sha256/\(Lint.a)", Lint.a),
    ])
    func spellingOfAPin(format: PinSetFormat, written: String, expected: String) throws {
        func file(_ pin: String) -> String {
            switch format {
            case .okhttp:
                "CertificatePinner.Builder().add(\"a.example\", \"\(pin)\", \"sha256/\(Lint.rootX1)\").build()"
            case .apple: apple("a.example", pin)
            default: "{\"sha256Keys\":{\"a.example\":[\"\(pin)\",\"sha256/\(Lint.rootX1)\"]}}"
            }
        }
        let findings = try Lint.findings(file(written), as: format)
        let hints = findings.filter { $0.code == .invalidPin }.map(\.hint)
        #expect(hints == ["write \(expected.quotedExcerpt)"], "\(findings)")
        #expect(try !Lint.codes(file(expected), as: format).contains(.invalidPin))
    }

    @Test func aWildcardInThePlatformsSyntax() throws {
        let step = "write <domain includeSubdomains=\"true\">a.example</domain>"
        let ofAndroid = try Lint.findings(android("*.a.example"), as: .android)
        #expect(Set(ofAndroid.compactMap(\.hint)) == [step], "\(ofAndroid)")
        #expect(
            ofAndroid.contains { $0.code == .keyNeverMatches } && ofAndroid.contains { $0.code == .unreachablePattern })
        let ofApple = try Lint.findings(apple("*.a.example", Lint.a), as: .apple)
        #expect(Set(ofApple.compactMap(\.hint)) == ["write \"a.example\" with \"NSIncludesSubdomains\""], "\(ofApple)")
        let ofSet = try Lint.findings(Lint.hosts("\"*.a.example\":[\"\(Lint.a)\"]"))
        #expect(ofSet.contains { $0.hint?.contains("\"subdomains\": \"one\"") == true }, "\(ofSet)")
        #expect(
            try Lint.findings(android("a b.example"), as: .android).allSatisfy {
                $0.hint?.contains("<domain inc") != true
            })
    }

    /// The readers of these formats stop at such a host. They have no setting for subdomains.
    @Test(arguments: [
        (PinSetFormat.curl, "# *.a.example\nsha256//\(Lint.a)\n"),
        (.curl, "# **.a.example\nsha256//\(Lint.a)\n"),
        (.tlsa, "_443._tcp.*.a.example. IN TLSA 3 1 1 \(String(repeating: "ab", count: 32))\n"),
    ])
    func aWildcardThatStopsTheReader(format: PinSetFormat, text: String) throws {
        let step = "write \"a.example\"; this format has no setting for subdomains"
        let findings = try Lint.findings(text, as: format)
        #expect(findings.map(\.code) == [.malformed] && findings.map(\.hint) == [step], "\(findings)")
        let error = #expect(throws: PinSetFormatError.self) { try PinSet.read(Array(text.utf8), as: format) }
        #expect(error?.hint == step)
    }

    /// The finding about the pin has the step, not the one about its list.
    @Test func theCauseHasTheStep() throws {
        func step(_ text: String) throws -> [String] {
            try Lint.findings(text, as: .apple).filter { $0.severity == .error }.compactMap(\.hint)
        }
        #expect(try step(apple("a.example", "sha256/\(Lint.a)")) == ["write \(Lint.a.quotedExcerpt)"])
        #expect(try step(apple("a.example", nil)).contains("add a pin, or remove the list"))
    }

    /// With one such host, the library uses no pin of the file on iOS (react-native-ssl-manager 2.2.0, ios/SharedLogic.swift).
    @Test func aFileThatReactNativeRejects() throws {
        func codes(_ other: String) throws -> [LintCode] {
            let pins = "[\"sha256/\(Lint.a)\",\"sha256/\(Lint.b)\"]"
            return try Lint.codes(
                "{\"sha256Keys\":{\"a.example.com\":\(pins),\"b.example.com\":\(other.isEmpty ? pins : other)}}",
                as: .reactNativeSSLManager)
        }
        #expect(try codes("[]").contains(.malformed))
        #expect(try codes("[\"sha256/abc\"]").contains(.unpinnedHost))
        let good = try codes("")
        #expect(!good.contains(.malformed) && !good.contains(.unpinnedHost))
    }
}
