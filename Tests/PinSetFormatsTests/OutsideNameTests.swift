import TestSupport
import Testing
import XMLDocuments

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

/// Keys and names of a file: pinctl compares them as the platform does, and shows no secret in them.
@Suite struct OutsideNameTests {
    private static let one = "doqV9xMo8MAv8x/BtTYbIu9wZF/f0Kj19EQqf9Pmf5Y="
    private static let other = "Qi6DIFri1DQAJoc2XKnu3AEZBcvGus8854ebIV3+fvI="

    private func read(_ text: String, as format: PinSetFormat, host: String? = nil) throws -> PinSetReading {
        try PinSet.read(Array(text.utf8), as: format, with: ConversionInputs(host: host))
    }

    private static func trustKit(
        _ host: String, key: String = "TSKPublicKeyHashes", path: [String] = ["TSKConfiguration"], more: String = ""
    )
        -> String
    {
        let hosts =
            "<key>TSKPinnedDomains</key><dict><key>\(host)</key><dict><key>\(key)</key><array><string>\(one)</string>"
            + "<string>\(other)</string></array></dict></dict>"
        let inner = path.reversed().reduce(hosts) { "<key>\($1)</key><dict>\($0)</dict>" }
        return "<plist version=\"1.0\"><dict>\(more)\(inner)</dict></plist>"
    }

    // MARK: Secrets

    private static let key =
        "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgA/IlpPKb37jwImIB6A2CQcOa3Ba6hG2ci3BJcBmdM3OhRANCAATpCyiRSCULXp5uyMgK2n"

    /// Writers change characters of labels, such as backslashes and two dashes, by which a key is recognized.
    @Test(arguments: [PinSetFormat.pins, .okhttp, .trustkit, .trustkitSwift, .android, .apple, .urlsession, .cronet])
    func writtenLabelsContainNoKey(format: PinSetFormat) throws {
        let key = String(decoding: try Vectors.bytes("private-p256-traditional-aes.pem"), as: UTF8.self)
        let text = key.replacing("\n", with: "\\n")
        let source =
            "let p = [kTSKPinnedDomains: [\"a.example\": [kTSKPublicKeyHashes: [\"\(Self.one)\", // {\(text)} key\n"
            + "\"\(Self.other)\"]]]]\n"
        let writing = try read(source, as: .trustkit).set.written(as: format)
        let written = String(decoding: writing.main, as: UTF8.self)
        #expect(written.contains(Self.one))
        for line in key.split(separator: "\n") where !line.contains("-") {
            #expect(!written.contains(line.dropFirst(8).prefix(20)), "\(written)")
        }
    }

    @Test(arguments: [
        "https://anna:hunter22@host.localx", "anna:hunter22@host.localx", "anna:hunter22@host",
        "Anna:hunter22@Host.example", key,
    ])
    func platformsShowNoSecret(host: String) throws {
        func isSafe(_ text: String) -> Bool { !text.contains("hunter22") && !text.contains(Self.key.suffix(60)) }
        let apple =
            "<key>NSPinnedCAIdentities</key><array><dict><key>SPKI-SHA256-BASE64</key><string>\(Self.one)</string></dict></array>"
        let domains = "<key>NSPinnedDomains</key><dict><key>\(host)</key><dict>\(apple)</dict></dict>"
        let pin =
            "<pin-set><pin digest=\"SHA-256\">\(Self.one)</pin></pin-set><trustkit-config enforcePinning=\"true\"/>"
        let domain = "<domain-config><domain>\(host)</domain>\(pin)</domain-config>"
        let files: [(PinSetFormat, String)] = [
            (.apple, "<plist><dict><key>NSAppTransportSecurity</key><dict>\(domains)</dict></dict></plist>"),
            (.trustkit, Self.trustKit(host)), (.trustkit, Self.trustKit(host, key: "TSKOther")),
            (.android, "<network-security-config>\(domain)</network-security-config>"),
            (.android, "<network-security-config>\(domain)\(domain)</network-security-config>"),
        ]
        for (format, text) in files {
            let file = Array(text.utf8)
            var judged = 0
            for platform in Platform.allCases {
                guard let configuration = try? platform.configuration(ofFile: file, format: format) else { continue }
                judged += 1
                let connection = PlatformConnection(
                    host: "a.example.com", chain: [], isTrusted: true, at: Timestamp(secondsSince1970: 1_800_000_000))
                #expect(isSafe(configuration.verdict(on: connection).rule))
                for trap in configuration.traps {
                    #expect(isSafe(trap.message), "\(trap.message)")
                    #expect(isSafe(trap.hint ?? ""))
                }
            }
            #expect(judged > 0, "\(format.rawValue): \(text)")
        }
    }

    // MARK: Equality

    /// U+212A KELVIN SIGN is canonically equivalent to "K", and no platform uses a key that contains it.
    @Test func keysAreComparedByTheirBytes() throws {
        let kelvin = "\u{212A}"
        let reading = try read(Self.trustKit("a.example.com", key: "TS\(kelvin)PublicKeyHashes"), as: .trustkit)
        #expect(reading.set.entries.isEmpty)
        let json = "{\"a.example.com\":{\"public\(kelvin)eyHashes\":[\"\(Self.one)\"]}}"
        #expect(throws: PinSetFormatError.self) { try read(json, as: .reactNative) }
        let settings = """
            {"sha256Keys":{"K.example.com":["sha256/\(Self.one)"]},
             "domains":{"\(kelvin).example.com":{"enforcePinning":false}}}
            """
        #expect(try read(settings, as: .reactNativeSSLManager).set.entries.map(\.enforce) == [true])
        let (one, two) = (
            try JSONDocument(Array("{\"a\":\"\u{e9}\"}".utf8)), try JSONDocument(Array("{\"a\":\"e\u{301}\"}".utf8))
        )
        #expect(!one.root.hasSameContent(as: two.root))
        #expect(try YAMLReader.documents(Array("K: a\n\(kelvin): b\n".utf8)).first?["K"]?.text == "a")
        #expect(throws: Never.self) { try XMLDocument(Array("<a \u{e9}=\"\" e\u{301}=\"\"/>".utf8)) }
    }

    // MARK: Places

    /// The platforms read only one of two dictionaries in an Info.plist (as below), so a warning names the other one.
    @Test func domainsInTwoPlaces() throws {
        func domains(_ host: String) -> String {
            "<key>NSPinnedDomains</key><dict><key>\(host)</key><dict><key>NSPinnedCAIdentities</key><array><dict>"
                + "<key>SPKI-SHA256-BASE64</key><string>\(Self.one)</string></dict></array></dict></dict>"
        }
        let apple =
            "<plist version=\"1.0\"><dict><key>NSAppTransportSecurity</key><dict>\(domains("a.example"))</dict>\n"
            + "\(domains("z.example"))</dict></plist>"
        let trustKit =
            "<plist version=\"1.0\"><dict><key>TSKConfiguration</key><dict><key>TSKPinnedDomains</key><dict><key>a.example</key><dict>"
            + "<key>TSKPublicKeyHashes</key><array><string>\(Self.one)</string><string>\(Self.one)</string></array></dict></dict></dict>\n"
            + "<key>TSKPinnedDomains</key><dict><key>z.example</key><dict/></dict></dict></plist>"
        for (text, format) in [(apple, PinSetFormat.apple), (trustKit, .trustkit)] {
            let reading = try read(text, as: format)
            #expect(reading.set.entries.map(\.host) == ["a.example"])
            let isNamed = reading.warnings.contains { warning in
                if case .valueIgnored(_, "in the root of the file", _, line: 2) = warning.reason { true } else { false }
            }
            #expect(isNamed, "\(reading.warnings)")
        }
    }

    /// SecPolicy.c, `parseNSPinnedDomains`, reads the key only in `NSAppTransportSecurity`; TrustKit reads `TSKConfiguration` of the
    /// Info.plist. Without other keys, the root can be an excerpt.
    @Test(arguments: [
        "<key>CFBundleIdentifier</key><string>x</string>",
        "<key>NSAppTransportSecurity</key><dict/><key>TSKConfiguration</key><dict/>",
    ])
    func domainsInTheRootOfAnInfoPlistAreNotPins(more: String) throws {
        let apple =
            "<plist version=\"1.0\"><dict>\(more)<key>NSPinnedDomains</key><dict><key>example.com</key><dict>"
            + "<key>NSPinnedCAIdentities</key><array><dict><key>SPKI-SHA256-BASE64</key><string>\(Self.one)</string></dict></array>"
            + "</dict></dict></dict></plist>"
        let trustKit = Self.trustKit("example.com", path: [], more: more)
        for (text, format, platform) in [(apple, PinSetFormat.apple, Platform.apple), (trustKit, .trustkit, .trustkit)]
        {
            let reading = try read(text, as: format)
            #expect(reading.set.entries.isEmpty)
            #expect(reading.warnings.first?.message.hasSuffix("; the platform ignores it") == true)
            let configuration = try #require(try platform.configuration(ofFile: Array(text.utf8), format: format))
            let connection = PlatformConnection(
                host: "example.com", chain: [], isTrusted: true, at: Timestamp(secondsSince1970: 1_800_000_000))
            #expect(configuration.verdict(on: connection).verdict == .notPinned)
            #expect(try read(text.replacing(more, with: ""), as: format).set.entries.count == 1)
        }
    }

    /// A JSON map of pins, string resources and pins without a call do not say which patterns the app gives to OkHttp.
    @Test(arguments: [
        "{\"pins\":{\"sha256/\(one)\":[\"a.example.com\"]}}",
        "<resources><string name=\"p\">sha256/\(one)</string></resources>",
        "val pin = \"sha256/\(one)\"\nclass A { fun f() {} }\n",
    ])
    func okHttpJudgesNoFileWithoutCalls(text: String) throws {
        #expect(try Platform.okhttp.configuration(ofFile: Array(text.utf8), format: .okhttp) == nil)
        #expect(try read(text, as: .okhttp, host: "a.example.com").set.entries.count == 1)
    }

    // MARK: Names that a reader completes or writes

    /// RFC 1035, section 5.1: a relative name is completed with the origin before it. BIND and NSD ignore the case of `$ORIGIN`.
    @Test func originsOfAZoneCanBeRelative() throws {
        let data = "3 1 1 768a95f71328f0c02ff31fc1b5361b22ef70645fdfd0a8f5f4442a7fd3e67f96"
        let zone = """
            $ORIGIN example.com.
            $ORIGIN sub
            _443._tcp IN TLSA \(data)
            $origin example.org.
            _443._tcp.www IN TLSA \(data)
            """
        #expect(try read(zone, as: .tlsa).set.entries.map(\.host) == ["sub.example.com", "www.example.org"])
        // A name has at most 255 bytes (section 2.3.4), and the text of each byte at most four.
        let long = String(repeating: "$ORIGIN a\n", count: 511)
        let error = #expect(throws: PinSetFormatError.self) { try read(long, as: .tlsa) }
        #expect(error?.message == "a name has more than 1020 bytes")
        #expect(error?.line == 511)
    }

    /// In JSON and in JavaScript, the last of two equal keys counts.
    @Test func expoRefusesAKeyThatOccursTwice() throws {
        func list(_ pin: String) -> String { "\"NSPinnedCAIdentities\":[{\"SPKI-SHA256-BASE64\":\"\(pin)\"}]" }
        func app(_ hosts: String) -> String {
            "{\"expo\":{\"ios\":{\"infoPlist\":{\"NSAppTransportSecurity\":{\"NSPinnedDomains\":{\(hosts)}}}}}}"
        }
        for hosts in [
            "\"a.example\":{\(list(Self.one))},\"a.example\":{\(list(Self.other))}",
            "\"a.example\":{\(list(Self.one)),\(list(Self.other))}",
        ] {
            let error = #expect(throws: PinSetFormatError.self) { try read(app(hosts), as: .expo) }
            #expect(error?.message.hasSuffix("occurs twice in one dictionary") == true)
        }
        let both =
            "const a = { NSPinnedDomains: { \"a.example\": {\(list(Self.one))} } }\n"
            + "const b = { NSPinnedDomains: { \"a.example\": {\(list(Self.other))} } }\n"
        #expect(try read(both, as: .expo).warnings.map(\.reason).contains(.laterEntry(line: 2)))
    }

    /// Only JavaScript knows the value of an expression. `null` and a type of TypeScript are no pins.
    @Test func expoNamesExpressions() throws {
        let list = "NSPinnedCAIdentities: [{ \"SPKI-SHA256-BASE64\": \"\(Self.one)\" }]"
        let app = "const a = { NSPinnedDomains: { \"a.example\": { \(list) } } }\n"
        let cases: [(String, [ConversionWarning.Reason])] = [
            ("const b = { NSPinnedDomains: null }\n", []),
            ("type B = { NSPinnedDomains: Record<string, Pins>; }\n", []),
            ("interface B { NSPinnedDomains: Pins; }\n", []),
            (
                "const b = { NSPinnedDomains: load() }\n",
                [.valueNotLiteral("load()", key: "NSPinnedDomains", line: 2)]
            ),
        ]
        for (text, reasons) in cases {
            let reading = try read(app + text, as: .expo)
            #expect(reading.set.entries.map(\.host) == ["a.example"])
            #expect(reading.warnings.map(\.reason) == reasons, "\(text)")
        }
        let spread = app.replacing("{ NSPinnedCA", with: "{ ...base, [KEY]: true, NSPinnedCA")
        let reading = try read(spread, as: .expo)
        #expect(reading.set.entries.map(\.host) == ["a.example"])
        #expect(
            reading.warnings.map(\.reason)
                == [.valueNotLiteral("...base", key: nil, line: 1), .valueNotLiteral("KEY", key: nil, line: 1)])
    }

    /// The text of a domain that the set does not contain is written as it was read.
    @Test func aMovedDomainIsEscaped() throws {
        let file = """
            <network-security-config>
                <domain-config cleartextTrafficPermitted="false">
                    <domain>a.example.com</domain>
                    <domain>b&amp;c&lt;d</domain>
                    <pin-set>
                        <pin digest="SHA-256">\(Self.one)</pin>
                    </pin-set>
                </domain-config>
            </network-security-config>
            """
        let set = try PinSet(entries: [
            PinSet.Entry(host: "a.example.com", pins: [PinSet.PinnedKey(pin: try Pin(spelling: Self.one))])
        ])
        let written = try set.written(as: .android, into: Array(file.utf8), others: .removed).main
        #expect(String(decoding: written, as: UTF8.self).contains("<domain>b&amp;c&lt;d</domain>"))
        #expect(try AndroidFormat.read(written).set.entries.map(\.host) == ["a.example.com"])
    }
}
