import Foundation
import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

/// New configurations for Android, and changes of existing ones.
@Suite struct AndroidWritingTests: AndroidSuite {
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

    private func file(_ lines: [String], _ declaration: String = "") -> [UInt8] {
        let start = ["<network-security-config>\n", "<domain-config>\n", "<domain>a.example</domain>\n", "<pin-set>\n"]
        let end = ["</pin-set>\n", "</domain-config>\n", "</network-security-config>\n"]
        return Array((declaration + (start + lines + end).joined()).utf8)
    }

    private func set(_ pins: String) throws -> PinSet {
        try PinSet(json: Array(#"{"version":1,"hosts":{"a.example":{"pins":[\#(pins)]}}}"#.utf8))
    }

    /// The file has line ends of both kinds. The line before the first pin keeps its own.
    @Test func keepsTheLineEndsOfOtherLines() throws {
        let pin = { (text: String) in "<pin digest=\"SHA-256\">\(text)</pin>" }
        let old = file([pin(Apple.key) + "\r\n"])
        let written = try set("\"\(Apple.x1)\",\"\(Apple.x2)\"").written(as: .android, into: old)
        #expect(written.main == file([pin(Apple.x1) + "\n", pin(Apple.x2) + "\r\n"]))
    }

    /// Parsers reject other characters in a file that declares US-ASCII (XML 1.0, section 4.3.3).
    @Test(arguments: ["US-ASCII", "UTF-8"]) func aLabelWithOtherCharacters(encoding: String) throws {
        let old = file(
            ["<pin digest=\"SHA-256\">\(Apple.key)</pin>\n"], "<?xml version=\"1.0\" encoding=\"\(encoding)\"?>\n")
        let set = try set(#"{"sha256":"\#(Apple.x1)","label":"AC Raiz Certicámara"}"#)
        guard encoding == "UTF-8" else {
            let error = #expect(throws: PinSetFormatError.self) { try set.written(as: .android, into: old) }
            #expect(error?.description.contains("the declared encoding is US-ASCII") == true, "\(error as Any)")
            return
        }
        #expect(try String(decoding: set.written(as: .android, into: old).main, as: UTF8.self).contains("Certicámara"))
    }
}
