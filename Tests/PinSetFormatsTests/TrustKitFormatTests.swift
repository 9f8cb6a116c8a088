import Foundation
import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning

@Suite struct TrustKitFormatTests {
    typealias Apple = AppleFormatTests

    @Test(arguments: ["trustkit/Info.plist", "trustkit/Info.binary"]) func readsAnInfoPlist(path: String) throws {
        let bytes = try Apple.vector(path)
        #expect(TrustKitFormat.recognizes(FileContents(bytes)))
        #expect(!AppleFormat.recognizes(FileContents(bytes)))
        let reading = try TrustKitFormat.read(bytes)
        let entries = reading.set.entries
        #expect(entries.map(\.host) == ["example.org", "report.example.net"])
        #expect(entries.map(\.subdomains) == [.all, .none])
        #expect(entries.map(\.enforce) == [true, false])
        #expect(entries.map(\.expires?.description) == ["2027-06-01T00:00:00Z", nil])
        #expect(entries[0].pins.map(\.pin.base64) == [Apple.x1, Apple.x2])
        #expect(entries[0].pins.first?.label == (path.hasSuffix("binary") ? nil : "ISRG Root X1"))
        #expect(reading.warnings.map(\.host) == [nil, "example.org", "free.example.org"])
        #expect(reading.warnings[1].message.contains("TSKReportUris"))
    }

    @Test func readsSwiftAndObjectiveC() throws {
        let swift = try Apple.vector("trustkit/AppDelegate.swift.txt")
        #expect(TrustKitFormat.recognizes(FileContents(swift)))
        let reading = try TrustKitFormat.read(swift)
        #expect(reading.set.entries.map(\.host) == ["example.org", "report.example.net"])
        let first = try #require(reading.set.entries.first)
        #expect(first.subdomains == .all)
        #expect(first.expires?.description == "2027-06-01T00:00:00Z")
        #expect(first.pins.map(\.pin.base64) == [Apple.x1, Apple.x2])
        #expect(first.pins.map(\.label) == ["ISRG Root X1", nil])
        #expect(first.pins.map(\.state) == [.active, .backup])
        #expect(reading.set.entries.last?.enforce == false)
        #expect(reading.warnings.map(\.host) == ["example.org"])

        let objectiveC = try Apple.vector("trustkit/AppDelegate.m.txt")
        #expect(TrustKitFormat.recognizes(FileContents(objectiveC)))
        let other = try TrustKitFormat.read(objectiveC).set
        #expect(other.entries.map(\.host) == ["example.org"])
        #expect(other.entries.first?.subdomains == .all)
        #expect(other.entries.first?.pins.map(\.pin.base64) == [Apple.x1, Apple.x2])
    }

    @Test func rejectsSourceThatNeedsACompiler() {
        func check(_ text: String, _ column: Int, _ message: String) {
            do throws(PinSetFormatError) {
                _ = try TrustKitFormat.read(Array(text.utf8))
                Issue.record("accepted: \(text)")
            } catch {
                #expect(error.message == message)
                #expect(error.column == column)
            }
        }
        check("kTSKPinnedDomains: [\"a.example\": pins]", 34, #""pins" stands where only a value itself is understood"#)
        check(
            "kTSKPinnedDomains: [\"a.example\": [kTSKPublicKeyHashes: [pin1]]]", 57,
            #""pin1" stands where only a value itself is understood"#)
        check("kTSKPinnedDomains: domains", 20, #""domains" stands where only a value itself is understood"#)
        check("let k = kTSKPinnedDomains", 26, #"there is no "TSKPinnedDomains" with a dictionary behind it"#)
        check("kTSKPinnedDomains: [\"a.example\": [:]", 37, #""," or the end is expected, and the text ends"#)
        check("kTSKPinnedDomains: [\"a.example\": [:]]", 34, #""a.example" has no "TSKPublicKeyHashes""#)
        check(
            "kTSKPinnedDomains: [\"a.example\": [\"TSKPublicKeyHashes\": [\"AA\\(x)=\"]]]", 58,
            #""AA\\(x)=" has "\\" at character 3, which is not in the base64 alphabet"#)
    }

    @Test func writesThePropertyListAndTheSource() throws {
        let set = try Apple.set(
            #""example.org":{"subdomains":"all","expires":"2027-06-01","enforce":false,"pins":[{"sha256":"\#(Apple.x1)","label":"ISRG Root X1"}]}"#
        )
        let writing = try TrustKitFormat.write(set)
        #expect(writing.warnings.isEmpty)
        let root = try PropertyList(Array(Apple.text(writing).utf8)).root
        let host = try #require(root["TSKConfiguration"]?["TSKPinnedDomains"]?["example.org"])
        #expect(host["TSKIncludeSubdomains"]?.bool == true)
        #expect(host["TSKEnforcePinning"]?.bool == false)
        #expect(host["TSKExpirationDate"]?.string == "2027-06-01")
        #expect(host["TSKPublicKeyHashes"] == .array([.string(Apple.x1)]))
        #expect(
            try Apple.text(TrustKitSwiftFormat.write(set)) == """
                import TrustKit

                var trustKitConfiguration: [String: Any] {
                    [
                        kTSKPinnedDomains: [
                            "example.org": [
                                kTSKIncludeSubdomains: true,
                                kTSKEnforcePinning: false,
                                kTSKExpirationDate: "2027-06-01",
                                kTSKPublicKeyHashes: [
                                    "\(Apple.x1)",  // ISRG Root X1
                                ],
                            ] as [String: Any],
                        ]
                    ]
                }

                """)
    }

    /// Compiles the source with constants that replace TrustKit's module.
    @Test(.enabled(if: ExternalCommand.path(of: "swiftc") != nil)) func writesSourceThatCompiles() throws {
        let swiftc = try #require(ExternalCommand.path(of: "swiftc"))
        var generator = SeededGenerator(seed: 11)
        let set = try GeneratedSets().next(&generator)
        let source = try Apple.text(TrustKitSwiftFormat.write(set))
        let keys = ["PinnedDomains", "IncludeSubdomains", "EnforcePinning", "ExpirationDate", "PublicKeyHashes"]
        let constants = keys.map { "let kTSK\($0) = \"TSK\($0)\"\n" }.joined()
        try ExternalCommand.withFolder { folder in
            let file = folder.appending(path: "Configuration.swift")
            try Data(source.replacing("import TrustKit\n", with: constants).utf8).write(to: file)
            let run = try ExternalCommand(
                swiftc, ["-swift-version", "6", "-warnings-as-errors", "-typecheck", file.path()])
            #expect(run.status == 0, "\(run.output)\n\(source)")
        }
    }

    @Test func warnsOfSettingsThatTrustKitRejects() throws {
        let one = try Apple.set(
            #""example.org":["\#(Apple.x1)","\#(Apple.x1)"],"localhost":["\#(Apple.x1)","\#(Apple.x2)"],"192.0.2.1":["\#(Apple.x1)"]"#
        )
        let warnings = try TrustKitFormat.write(one).warnings
        #expect(warnings.map(\.host) == ["example.org", "192.0.2.1", "localhost"])
        #expect(warnings[0].reason == .tooFewPins(minimum: 2, count: 1))
        #expect(warnings[2].message.contains("public suffix"))
        #expect(warnings[1].message.contains("left out"))
    }

    @Test func editsAnInfoPlistInPlace() throws {
        let file = try Apple.vector("trustkit/Info.plist")
        let same = try TrustKitFormat.read(file).set
        #expect(try TrustKitFormat.write(same, into: file).files.first?.bytes == file)

        let set = try Apple.set(
            #""example.org":{"subdomains":"all","pins":["\#(Apple.x1)","\#(Apple.key)"]},"report.example.net":{"enforce":false,"pins":["\#(Apple.key)"]}"#
        )
        let writing = try TrustKitFormat.write(set, into: file)
        #expect(writing.warnings.map(\.host) == ["free.example.org"])
        let old = String(decoding: file, as: UTF8.self)
        let expected = old.replacing(Apple.x2, with: Apple.key)
            .replacing("\t\t\t\t<key>TSKExpirationDate</key>\n\t\t\t\t<string>2027-06-01</string>\n", with: "")
            .replacing(
                "\t\t\t\t\t<string>\(Apple.x1)</string> <!-- ISRG Root X1 -->\n",
                with: "\t\t\t\t\t<!-- ISRG Root X1 -->\n\t\t\t\t\t<string>\(Apple.x1)</string>\n")
        #expect(try Apple.text(writing) == expected)

        // The host was excluded before and is now pinned.
        let free = try Apple.set(#""free.example.org":["\#(Apple.x1)","\#(Apple.x2)"]"#)
        let pinned = try TrustKitFormat.write(free, into: file)
        #expect(!(try Apple.text(pinned)).contains("ExcludeSubdomainFromParentPolicy"))
        #expect(
            try TrustKitFormat.read(Array(Apple.text(pinned).utf8)).set.entry(for: "free.example.org")?.pins.count == 2)
    }

    @Test func reportsErrorsWithPositions() {
        func check(_ members: String, _ column: Int, _ message: String) {
            let text =
                "<dict><key>TSKPinnedDomains</key><dict><key>a.example</key>\n<dict>\(members)</dict></dict></dict>"
            do throws(PinSetFormatError) {
                _ = try TrustKitFormat.read(Array(text.utf8))
                Issue.record("accepted: \(text)")
            } catch {
                #expect(error.message == message)
                #expect(error.line == 2)
                #expect(error.column == column)
            }
        }
        let hashes = "<key>TSKPublicKeyHashes</key>"
        check("", 1, #""a.example" has no "TSKPublicKeyHashes""#)
        check(hashes + "<array/>", 36, #""TSKPublicKeyHashes" of "a.example" is empty"#)
        check(
            hashes + "<array><string> \(Apple.x1)</string></array>", 43,
            "\" \(Apple.x1)\" has \" \" at character 1, which is not in the base64 alphabet")
        check(
            "<key>TSKExpirationDate</key><string>2027-6-1</string>", 35,
            #""2027-6-1" is no day for "TSKExpirationDate" of "a.example""#)
        check(
            "<key>TSKEnforcePinning</key><string>NO</string>", 35,
            #""TSKEnforcePinning" of "a.example" is a string, not true or false"#)
    }
}
