import Foundation
import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

/// Reading a configuration for Android as the platform does.
@Suite struct AndroidFormatTests: AndroidSuite {
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

    /// A name that Android never looks up excludes no host.
    @Test func aSpellingThatExcludesNothing() throws {
        let text = """
            <network-security-config><domain-config><domain includeSubdomains="true">a.example</domain><pin-set>
            <pin digest="SHA-256">\(Apple.x1)</pin></pin-set></domain-config><domain-config><domain>b.a.example.</domain>
            <domain>c.a.example</domain></domain-config></network-security-config>
            """
        let reading = try AndroidFormat.read(Array(text.utf8))
        #expect(
            reading.warnings.map(\.reason) == [.hostNotFound(written: "b.a.example", line: 2), .hostExcluded])
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
}
