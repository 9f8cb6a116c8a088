import Foundation
import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

@Suite struct AndroidFormatTests {
    typealias Apple = AppleFormatTests

    static func read(_ text: String) throws(PinSetFormatError) -> PinSetReading {
        try AndroidFormat.read(Array("<network-security-config>\n\(text)</network-security-config>".utf8))
    }

    static func part(_ host: String, _ pins: String...) -> String {
        let pins = pins.map { "<pin digest=\"SHA-256\">\($0)</pin>" }.joined()
        return "<domain-config><domain>\(host)</domain><pin-set>\(pins)</pin-set></domain-config>"
    }

    @Test func readsEveryElement() throws {
        let bytes = try Apple.vector("android/network_security_config.xml")
        #expect(AndroidFormat.recognizes(FileContents(bytes)))
        let reading = try AndroidFormat.read(bytes)
        let entries = reading.set.entries
        #expect(entries.map(\.host) == ["example.org", "API.example.net", "inner.example.org"])
        #expect(entries.map(\.subdomains) == [.all, .none, .none])
        #expect(entries.map(\.enforce) == [true, true, false])
        for entry in entries {
            #expect(entry.expires?.description == "2027-06-01T00:00:00Z")
            #expect(entry.pins.map(\.pin.base64) == [Apple.x1, Apple.x2])
            #expect(entry.pins.map(\.label) == ["ISRG Root X1", nil])
            #expect(entry.pins.map(\.state) == [.active, .backup])
            #expect(entry.pins.map(\.role) == [.any, .any])
        }
        func told(_ host: String?) -> String {
            reading.warnings.filter { $0.host == host }.map(\.message).joined(separator: "\n")
        }
        #expect(told(nil).contains("<base-config>"))
        #expect(told(nil).contains("<debug-overrides>"))
        for host in ["example.org", "API.example.net"] {
            #expect(told(host).contains("cleartextTrafficPermitted"))
            #expect(told(host).contains("overridePins"))
            #expect(!told(host).contains("tools:ignore"))
        }
        #expect(told("inner.example.org").contains("<report-uri>"))
        #expect(told("inner.example.org").contains("does not apply to Android itself"))
        #expect(told("free.example.org").contains("left out"))
    }

    @Test func writesOneConfigurationForEachHost() throws {
        let set = try PinSet(
            json: Array(
                """
                {"version":1,"hosts":{
                "API.example.org.":{"subdomains":"all","expires":"2027-06-01","pins":[{"sha256":"\(Apple.x1)","label":"ISRG Root X1"},"\(Apple.x2)"]},
                "192.0.2.1":{"enforce":false,"pins":["\(Apple.key)"]}}}
                """.utf8))
        let writing = try AndroidFormat.write(set)
        // Only TrustKit supports report-only pins, and it stops the app for an IP address (DomainValidator.java of
        // TrustKit-Android).
        #expect(writing.warnings.map(\.host) == ["192.0.2.1", "192.0.2.1"])
        #expect(
            try Apple.text(writing) == """
                <?xml version="1.0" encoding="utf-8"?>
                <network-security-config>
                    <domain-config>
                        <domain includeSubdomains="true">api.example.org</domain>
                        <pin-set expiration="2027-06-01">
                            <!-- ISRG Root X1 -->
                            <pin digest="SHA-256">\(Apple.x1)</pin>
                            <pin digest="SHA-256">\(Apple.x2)</pin>
                        </pin-set>
                        <trustkit-config enforcePinning="true" />
                    </domain-config>
                    <domain-config>
                        <domain>192.0.2.1</domain>
                        <pin-set>
                            <pin digest="SHA-256">\(Apple.key)</pin>
                        </pin-set>
                        <trustkit-config enforcePinning="false" />
                    </domain-config>
                </network-security-config>

                """)
    }

    @Test func warnsOfUnsupportedSettings() throws {
        let set = try Apple.set(
            #""example.org":{"subdomains":"one","expires":"2027-06-01T12:00:00Z","pins":[{"sha256":"\#(Apple.x1)","role":"leaf"},{"sha256":"\#(Apple.x2)","role":"root"}]}"#
        )
        #expect(
            try AndroidFormat.write(set).warnings.map(\.message) == [
                #"this format has no field for "role": "leaf"; the pin \#(Apple.x1) ("ISRG Root X1") matches any certificate of the chain"#,
                #"this format has no field for "role": "root"; the pin \#(Apple.x2) ("ISRG Root X2") matches any certificate of the chain"#,
                #"this format has no field for "subdomains": "one"; all subdomains are pinned"#,
                #"this format supports only days for "expires" (2027-06-01T12:00:00Z); the pins expire on 2027-06-02"#,
            ])
    }

    @Test func rejectsFilesThatThePlatformRejects() {
        func check(_ text: String, _ line: Int, _ column: Int, _ message: String) {
            do throws(PinSetFormatError) {
                _ = try Self.read(text)
                Issue.record("accepted: \(text)")
            } catch {
                #expect(error.message == message)
                #expect(error.line == line)
                #expect(error.column == column)
            }
        }
        let host = "<domain>a.example</domain>"
        check(
            "<domain-config>\(host)<pin-set><pin digest='SHA-1'>x</pin></pin-set></domain-config>", 2, 56,
            #""SHA-1" is not "SHA-256", the only supported digest"#)
        check("<domain-config>\(host)<pin-set><pin>x</pin></pin-set></domain-config>", 2, 51, #"a pin has no "digest""#)
        check(
            Self.part("a.example", Apple.x1) + "\n" + Self.part("A.Example ", Apple.x1), 3, 16,
            #"the domain "A.Example" occurs twice: first as "a.example""#)
        check("<domain-config><pin-set/></domain-config>", 2, 1, #"there is no "<domain>" in this "<domain-config>""#)
        check(
            "<domain-config>\(host)<pin-set/><pin-set/></domain-config>", 2, 52,
            #"there is a second "<pin-set>" in one "<domain-config>""#)
        check("<base-config><pin-set/></base-config>", 2, 14, #""<pin-set>" is not allowed in "<base-config>""#)
        check("<base-config/><base-config/>", 2, 15, #"there is a second "<base-config>""#)
        check(Self.part("<b/>", Apple.x1), 2, 24, #""<b>" is not allowed in "<domain>", which contains only a host"#)
    }

    /// XmlConfigSource.java, `parsePin`, uses the decoder of android/util/Base64.java. It skips characters outside the alphabet,
    /// does not need the padding, and ignores the last bits. Any other text stops the app.
    @Test(arguments: [
        ("BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB=", "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA="),
        ("C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M", "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="),
        ("C5+lpZ7tcVwmwQIM%cRtPbsQtWLAB:XhQzejna0wHFr8M=", "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="),
    ])
    func decodesPinsAsThePlatformDoes(text: String, pin: String) throws {
        let reading = try Self.read(Self.part("a.example", text))
        #expect(reading.set.entries.first?.pins.map(\.pin.base64) == [pin])
        let read = try #require(Pin(digest: Data(base64Encoded: pin) ?? Data()))
        #expect(reading.warnings.map(\.reason) == [.pinSpelling(text, read, line: 2, nil)])
    }

    /// The same source: these texts stop the app. pinctl still reads the rest of the file.
    @Test(arguments: [
        "AAAA", "C5-lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=", "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M==",
    ])
    func readsTheRestOfAFileWithABadPin(text: String) throws {
        let reading = try Self.read(Self.part("a.example", text) + Self.part("b.example", Apple.x1))
        #expect(reading.set.entries.map(\.host) == ["b.example"])
        #expect(
            reading.warnings.contains {
                if case .pinLeftOut(let error, line: 2, .rejectsFile) = $0.reason {
                    error.spelling == text
                } else {
                    false
                }
            })
    }

    @Test func namesAPrefixThatThePlatformRejects() throws {
        let text = "sha256/" + Apple.x1
        let reading = try Self.read(Self.part("a.example", text))
        #expect(reading.set.entries.first?.pins.map(\.pin.base64) == [Apple.x1])
        let pin = try Pin(spelling: Apple.x1)
        #expect(reading.warnings.map(\.reason) == [.pinSpelling(text, pin, line: 2, .rejectsFile)])
    }

    /// XmlConfigSource.java, `parsePinSet`, uses `new SimpleDateFormat("yyyy-MM-dd")`, not lenient, whose `parse(String)` accepts
    /// any text after the date. The expected dates come from OpenJDK 17, which has the same class.
    @Test(arguments: [
        ("2099-1-1", "2099-01-01"), ("2099-12-31T00:00:00Z", "2099-12-31"), ("2099-12-31 junk", "2099-12-31"),
        (" 2099-12-31", "2099-12-31"), ("99-1-1", "0099-01-01"), ("2099-13-01", nil), ("2099-02-30", nil),
        ("2099/12/31", nil), ("20991231", nil), ("2099-12", nil), ("", nil),
    ])
    func readsDatesAsThePlatformDoes(text: String, day: String?) throws {
        let part =
            "<domain-config><domain>a.example</domain><pin-set expiration='\(text)'><pin digest='SHA-256'>\(Apple.x1)</pin>"
            + "</pin-set></domain-config>"
        let reading = try Self.read(part)
        #expect(reading.set.entries.first?.expires?.date == day)
        let warnings = reading.warnings.map { ConversionWarning($0.reason) }
        #expect(warnings.map(\.message).allSatisfy { $0.contains("\"expiration\" on line ") && $0.contains("rejects") })
        #expect(warnings.count == (day == nil ? 1 : 0))
    }

    /// `XmlConfigSource.parseDomain` converts the text to lower case and compares it as text, and
    /// `ApplicationConfig.getConfigForHostname` compares it with the host without its last dot. So these domains are different ones, and
    /// only one of them is found.
    @Test(arguments: ["bücher.example", "BÜCHER.example", "xn--bcher-kva.example."])
    func readsOnlyTheSpellingThatAndroidFinds(host: String) throws {
        func part(_ host: String, _ pin: String) -> String {
            "<domain-config><domain>\(host)</domain><pin-set><pin digest='SHA-256'>\(pin)</pin></pin-set></domain-config>"
        }
        let reading = try Self.read(part(host, Apple.x2) + part("xn--bcher-kva.example", Apple.x1))
        #expect(reading.set.entries.map(\.name) == ["xn--bcher-kva.example"])
        #expect(reading.set.entries.first?.pins.map(\.pin.base64) == [Apple.x1])
        #expect(reading.warnings.map(\.host) == [host])
        #expect(reading.warnings.first?.message.contains("write \"xn--bcher-kva.example\"") ?? false)
    }

    /// aapt2 compiles words and numbers (ResourceUtils.cpp). XmlBlock.java, `getAttributeBooleanValue`, reads any number except 0
    /// as true, and any other text as the default.
    @Test(arguments: [
        ("true", true), ("TRUE", true), ("1", true), ("-1", true), ("0x1", true), ("false", false), ("0", false),
        ("yes", false), ("tRue", false), ("", false),
    ])
    func readsBooleansAsThePlatformDoes(text: String, value: Bool) throws {
        let part = Self.part("a.example", Apple.x1).replacingOccurrences(
            of: "<domain>", with: "<domain includeSubdomains='\(text)'>")
        let reading = try Self.read(part)
        #expect(reading.set.entries.first?.subdomains == (value ? .all : PinSet.Subdomains.none))
        let isWord = ["true", "TRUE", "1", "-1", "0x1", "false", "0"].contains(text)
        #expect(reading.warnings.isEmpty == isWord)
    }

    /// ApplicationConfig.java, `getConfigForHostname`, compares the text of a domain with the host. These texts never match, but do
    /// not stop the app.
    @Test(arguments: ["*.a.example", "a.example:8443", "https://a.example/", "a b.example"])
    func leavesOutDomainsThatNeverMatch(domain: String) throws {
        let reading = try Self.read(Self.part(domain, Apple.x1) + Self.part("b.example", Apple.x1))
        #expect(reading.set.entries.map(\.host) == ["b.example"])
        #expect(
            reading.warnings.contains {
                if case .hostNeverMatches = $0.reason { $0.host == domain } else { false }
            })
    }

    /// XmlConfigSource.java requires no `pin-set`: the file is valid.
    @Test(arguments: ["", "<base-config cleartextTrafficPermitted='true'/>", part("*.a.example"), part("localhost")])
    func readsAFileWithoutPins(text: String) throws {
        let reading = try Self.read(text)
        #expect(reading.set.entries.isEmpty)
        #expect(reading.warnings.last?.reason == .nothingPinned)
    }

    @Test func ignoresWhiteSpaceAndMissingPaddingAsThePlatformDoes() throws {
        let reading = try Self.read(
            Self.part("\n a.example\t", "\n \(Apple.x1.prefix(20))\n  \(Apple.x1.dropFirst(20).dropLast()) "))
        #expect(reading.set.entries.first?.pins.first?.pin.base64 == Apple.x1)
        #expect(reading.set.entries.first?.name == "a.example")
    }

    @Test func rejectsCompiledFiles() throws {
        for start in [[0x03, 0x00, 0x08, 0x00, 0x10], Array("PK\u{3}\u{4}xxAndroidManifest.xml".utf8)] as [[UInt8]] {
            #expect(AndroidFormat.recognizes(FileContents(start)))
            do throws(PinSetFormatError) {
                _ = try AndroidFormat.read(start)
                Issue.record("accepted")
            } catch {
                #expect(error.message == "this is binary XML, as in an .apk; pinctl reads only XML text")
                #expect(error.hint?.contains("apktool") == true)
            }
        }
    }

    @Test func keepsAFileThatAlreadyContainsTheSet() throws {
        let file = try Apple.vector("android/network_security_config.xml")
        let set = try AndroidFormat.read(file).set
        #expect(try AndroidFormat.write(set, into: file).files.first?.bytes == file)
    }

    @Test func changesOnlyPins() throws {
        let file = try Apple.vector("android/network_security_config.xml")
        let old = String(decoding: file, as: UTF8.self)
        // All domains that share the pins get the same changes, and one of them also gets subdomains.
        let pins = #""expires":"2028-01-01","pins":[{"sha256":"\#(Apple.key)","label":"new"},"\#(Apple.x1)"]"#
        let set = try Apple.set(
            #""example.org":{"subdomains":"all",\#(pins)},"api.example.net":{"subdomains":"all",\#(pins)},"inner.example.org":{"enforce":false,\#(pins)}"#
        )
        let start = try #require(old.range(of: "<pin digest"))
        let end = try #require(old.range(of: "</pin-set>"))
        var expected = old
        expected.replaceSubrange(
            start.lowerBound..<end.lowerBound,
            with: """
                <!-- new -->
                            <pin digest="SHA-256">\(Apple.key)</pin>
                            <pin digest="SHA-256">\(Apple.x1)</pin> <!-- ISRG Root X1 -->
                    \("    ")
                """)
        expected = expected.replacing("2027-06-01", with: "2028-01-01")
        expected = expected.replacing(
            "<domain>\n            API", with: "<domain includeSubdomains=\"true\">\n            API")
        let writing = try AndroidFormat.write(set, into: file)
        #expect(try Apple.text(writing) == expected)
        #expect(writing.warnings.allSatisfy { $0.reason != .otherHost(.kept) })
    }

    @Test func movesADomainThatNoLongerSharesItsPins() throws {
        let file = """
            <network-security-config>
              <domain-config cleartextTrafficPermitted="false">
                <domain>a.example</domain>
                <domain>b.example</domain>
                <pin-set><pin digest="SHA-256">\(Apple.x1)</pin></pin-set>
              </domain-config>
            </network-security-config>
            """
        let set = try Apple.set(#""b.example":["\#(Apple.x2)"],"c.example":["\#(Apple.key)"]"#)
        let writing = try AndroidFormat.write(set, into: Array(file.utf8))
        #expect(
            try Apple.text(writing) == """
                <network-security-config>
                  <domain-config cleartextTrafficPermitted="false">
                    <domain>a.example</domain>
                    <pin-set><pin digest="SHA-256">\(Apple.x1)</pin></pin-set>
                    <domain-config>
                      <domain>b.example</domain>
                      <pin-set>
                        <pin digest="SHA-256">\(Apple.x2)</pin>
                      </pin-set>
                    </domain-config>
                  </domain-config>
                  <domain-config>
                    <domain>c.example</domain>
                    <pin-set>
                      <pin digest="SHA-256">\(Apple.key)</pin>
                    </pin-set>
                  </domain-config>
                </network-security-config>
                """)
        #expect(writing.warnings.map(\.host) == ["a.example"])
    }

    /// A host that is not in the set keeps its settings, even if it inherits from a part that changes.
    @Test func keepsInheritedSettings() throws {
        let file = """
            <network-security-config>
                <domain-config>
                    <domain includeSubdomains="true">a.example</domain>
                    <domain-config>
                        <domain>free.a.example</domain>
                        <trust-anchors><certificates src="user"/></trust-anchors>
                    </domain-config>
                </domain-config>
            </network-security-config>
            """
        let set = try Apple.set(#""a.example":["\#(Apple.x1)"]"#)
        let bytes = try #require(AndroidFormat.write(set, into: Array(file.utf8)).files.first).bytes
        let back = try AndroidFormat.read(bytes)
        #expect(back.set.entries.map(\.name) == ["a.example"])
        #expect(back.warnings.contains { $0.host == "free.a.example" && $0.message.contains("left out") })
        #expect(
            String(decoding: bytes, as: UTF8.self).contains("<domain>free.a.example</domain>\n            <pin-set />"))
    }

    /// TrustKit for Android enforces pins only with `enforcePinning`. If the file configures TrustKit for a host, every host needs the
    /// setting.
    @Test func configuresTrustKitForEveryHostOrForNoHost() throws {
        let told = "<trustkit-config enforcePinning=\"false\"/></domain-config>"
        // TrustKit needs two pins to enforce them.
        func part(_ host: String, _ one: String, _ other: String) -> String {
            let more = "<pin digest=\"SHA-256\">\(other)</pin></pin-set>"
            return Self.part(host, one).replacing("</pin-set>", with: more)
        }
        let text =
            part("a.example", Apple.x1, Apple.x2) + part("b.example", Apple.x2, Apple.key)
            + part("c.example", Apple.key, Apple.x1).replacing("</domain-config>", with: told)
        let reading = try Self.read(text)
        #expect(reading.set.entries.map(\.enforce) == [true, true, false])
        let silent = reading.warnings.filter { $0.reason == .trustKitReportsOnly }
        #expect(silent.map(\.host) == ["a.example", "b.example"])

        let file = Array("<network-security-config>\n\(text)</network-security-config>".utf8)
        let written = try Apple.text(AndroidFormat.write(reading.set, into: file))
        #expect(written.components(separatedBy: "<trustkit-config enforcePinning=\"true\" />").count == 3)
        let again = try AndroidFormat.read(Array(written.utf8))
        #expect(Meaning(again.set) == Meaning(reading.set))
        #expect(again.warnings.allSatisfy { $0.reason != .trustKitReportsOnly })

        // A new host with report-only pins adds TrustKit to a file that did not configure it.
        let two = part("a.example", Apple.x1, Apple.x2)
        let plain = Array("<network-security-config>\(two)</network-security-config>".utf8)
        let report = try Apple.set(#""b.example":{"enforce":false,"pins":["\#(Apple.x2)"]}"#)
        let both = try Apple.text(AndroidFormat.write(report, into: plain))
        #expect(both.contains("<trustkit-config enforcePinning=\"true\" />"))
        #expect(try AndroidFormat.read(Array(both.utf8)).set.entries.map(\.enforce) == [true, false])
        let enforcing = try Apple.set(#""b.example":["\#(Apple.x2)"]"#)
        #expect(try !Apple.text(AndroidFormat.write(enforcing, into: plain)).contains("trustkit"))
    }

    /// TrustKit stops the app if a host enforces fewer than two pins (TrustKit-Android, config/DomainPinningPolicy.java).
    @Test func doesNotLetTrustKitEnforceOnePin() throws {
        let enforcing = "<trustkit-config enforcePinning=\"true\"/></domain-config>"
        let file = Array(
            """
            <network-security-config>\(Self.part("one.example.com", Apple.x1))\(Self.part("two.example.com", Apple.x1)
                .replacing("</pin-set>", with: "<pin digest=\"SHA-256\">\(Apple.x2)</pin></pin-set>")
                .replacing("</domain-config>", with: enforcing))</network-security-config>
            """.utf8)
        let set = try Apple.set(
            #""one.example.com":["\#(Apple.key)"],"two.example.com":["\#(Apple.x1)","\#(Apple.x2)"]"#)
        let writing = try AndroidFormat.write(set, into: file)
        #expect(try Apple.text(writing).components(separatedBy: "enforcePinning=\"true\"").count == 2)
        #expect(writing.warnings.map(\.reason) == [.trustKitReportsOnly])
        // A host that loses its second pin must no longer be enforced.
        let fewer = try Apple.set(#""two.example.com":["\#(Apple.x1)"]"#)
        #expect(try !Apple.text(AndroidFormat.write(fewer, into: file)).contains("enforcePinning=\"true\""))
    }

    @Test func removesOnlyThePinsOfOtherHosts() throws {
        let plain = Self.part("a.example", Apple.x1)
        let other = Self.part("b.example", Apple.x2)
        let set = try Apple.set(#""a.example":["\#(Apple.x1)"]"#)
        func written(_ text: String) throws(PinSetFormatError) -> PinSetWriting {
            let file = Array("<network-security-config>\n\(text)\n</network-security-config>".utf8)
            return try AndroidFormat.write(set, into: file, others: .removed)
        }
        let alone = try written(plain + "\n  " + other)
        #expect(try Apple.text(alone) == "<network-security-config>\n\(plain)\n</network-security-config>")
        #expect(alone.warnings.map(\.host) == ["b.example"])
        // The other settings of the host stay.
        let clear = other.replacing("<domain-config>", with: "<domain-config cleartextTrafficPermitted=\"true\">")
        let kept = try Apple.text(written(plain + clear))
        #expect(kept.contains("cleartextTrafficPermitted=\"true\"") && kept.contains("b.example"))
        #expect(try AndroidFormat.read(Array(kept.utf8)).set.entries.map(\.name) == ["a.example"])
        // The removed host and a host of the set are in the same part.
        let shared = try Apple.text(
            written(plain.replacing("<pin-set>", with: "\n<domain>b.example</domain>\n<pin-set>")))
        #expect(shared.contains("a.example") && !shared.contains("b.example"))
        // The host is a subdomain of a host of the set. If its pins were removed, it would have no pins, because it would not
        // inherit those of the set.
        let above = try Apple.set(#""example":{"subdomains":"all","pins":["\#(Apple.x1)"]}"#)
        let file = Array("<network-security-config>\(clear)</network-security-config>".utf8)
        let error = #expect(throws: PinSetFormatError.self) {
            try AndroidFormat.write(above, into: file, others: .removed)
        }
        #expect(error?.message.contains("the pins of \"b.example\" cannot be removed") == true)
    }

    @Test func fillsEmptyFiles() throws {
        let set = try Apple.set(#""a.example":["\#(Apple.x1)"]"#)
        for file in [
            "<network-security-config/>", "<network-security-config>\n</network-security-config>",
            "<network-security-config></network-security-config>",
            "<network-security-config a='b'><base-config/></network-security-config>",
        ] {
            let bytes = try #require(AndroidFormat.write(set, into: Array(file.utf8)).files.first).bytes
            #expect(try AndroidFormat.read(bytes).set.entries.map(\.name) == ["a.example"])
        }
    }
}
