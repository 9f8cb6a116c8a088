import Foundation
import PropertyLists
import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

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
        check("let k = kTSKPinnedDomains", 26, #"the source has no "TSKPinnedDomains" with a dictionary as its value"#)
        check("kTSKPinnedDomains: [\"a.example\": [:]", 37, #"expected "," or a closing bracket, but the text ends"#)
    }

    /// A value that only the compiler knows causes a warning with its line. The rest is read.
    @Test func readsTheLiteralPart() throws {
        let text = """
            let domains: [String: Any] = [
                kTSKPinnedDomains: [
                    "a.example": [
                        kTSKPublicKeyAlgorithms: [kTSKAlgorithmRsa2048],
                        kTSKEnforcePinning: isRelease,
                        kTSKPublicKeyHashes: [primary, Keys.backup, "\(Apple.x1)", load("x")],
                    ],
                    host: [kTSKPublicKeyHashes: ["\(Apple.x2)", "\(Apple.key)"]],
                    unknownHost: [kTSKPublicKeyHashes: ["\(Apple.x2)"]],
                    "c.example": [kTSKPublicKeyHashes: pins],
                ]
            ]
            static let host = "b." + "example"
            enum Keys { static let backup = "\(Apple.x2)" }
            let pins = [backup, "\(Apple.key)"]
            """
        let reading = try TrustKitFormat.read(Array(text.utf8))
        #expect(reading.set.entries.map(\.host) == ["a.example", "b.example", "c.example"])
        #expect(
            reading.set.entries.map { $0.pins.map(\.pin.base64) } == [
                [Apple.x2, Apple.x1], [Apple.x2, Apple.key], [Apple.x2, Apple.key],
            ])
        let unread = reading.warnings.compactMap { warning -> String? in
            guard case .valueNotLiteral(let text, let key, let line) = warning.reason else { return nil }
            return "\(line ?? 0) \(key ?? "-") \(text)"
        }
        #expect(
            unread == [
                "5 TSKEnforcePinning isRelease", "6 TSKPublicKeyHashes primary", "6 TSKPublicKeyHashes load(\"x\")",
                "9 - unknownHost",
            ])
    }

    /// `NSString *const`, `#define`, literals that follow each other, and boxed numbers of Objective-C.
    @Test func readsConstantsOfObjectiveC() throws {
        let text = """
            #define BACKUP @"\(Apple.x2)"
            static NSString *const kHost = @"a.example";
            NSString *end = @"2027-" @"06-01";
            NSDictionary *c = @{ kTSKPinnedDomains : @{ kHost : @{ kTSKExpirationDate : end, kTSKIncludeSubdomains : @1,
                kTSKPublicKeyHashes : @[ @"\(Apple.x1)", BACKUP ] } } };
            """
        let reading = try TrustKitFormat.read(Array(text.utf8))
        let entry = try #require(reading.set.entries.first)
        #expect(entry.host == "a.example" && entry.subdomains == .all)
        #expect(entry.expires?.date == "2027-06-01")
        #expect(entry.pins.map(\.pin.base64) == [Apple.x1, Apple.x2])
        #expect(reading.warnings.isEmpty)
    }

    /// Truth values as objects (clang, "Objective-C Literals", and NSNumber.h). Only the compiler knows other messages.
    @Test(arguments: [
        ("@YES", true), ("@(YES)", true), ("@( 1 )", true), ("@(NO)", false), ("[NSNumber numberWithBool:YES]", true),
        ("[NSNumber numberWithBool:NO]", false), ("[self flag]", nil), ("[Flags valueFor:@\"a\", @YES]", nil),
        ("@(!DEBUG)", nil), ("@(IS_LIVE ? YES : NO)", nil), ("(NSNumber *)@YES", nil),
        ("IS_LIVE ? @[@1, @2].lastObject : @(NO)", nil),
    ])
    func readsBoxedValuesOfObjectiveC(code: String, value: Bool?) throws {
        let text = """
            NSDictionary *c = @{ kTSKPinnedDomains : @{ @"a.example" : @{ kTSKIncludeSubdomains : \(code),
                kTSKPublicKeyHashes : @[ @"\(Apple.x1)", @"\(Apple.x2)" ] } } };
            """
        let reading = try TrustKitFormat.read(Array(text.utf8))
        let entry = try #require(reading.set.entries.first)
        #expect(entry.pins.count == 2)
        #expect(entry.subdomains == (value == true ? .all : .none))
        #expect(
            reading.warnings.map(\.reason)
                == (value == nil ? [.valueNotLiteral(code, key: "TSKIncludeSubdomains", line: 1)] : []))
    }

    /// Keys that are expressions. Those that only the compiler knows cause a warning, and the other hosts are read.
    @Test(arguments: [
        ("\"b.\" + \"example\"", "b.example"), ("\"b\" + name", nil), ("Hosts.api.rawValue", nil),
        ("host(\"a\", [1: 2], of: x)", nil), ("isLive ? \"b.example\" : \"c.example\"", nil), ("(host)", nil),
        ("Hosts.all[0]", nil), ("names.first { $0 == x }!", nil),
    ])
    func readsKeysThatAreExpressions(code: String, host: String?) throws {
        let text = """
            kTSKPinnedDomains: [
                \(code): [kTSKPublicKeyHashes: ["\(Apple.x1)", "\(Apple.x2)"]],
                "a.example": [kTSKPublicKeyHashes: ["\(Apple.x1)", "\(Apple.x2)"]],
            ]
            """
        let reading = try TrustKitFormat.read(Array(text.utf8))
        #expect(reading.set.entries.map(\.host) == (host.map { [$0] } ?? []) + ["a.example"])
        #expect(
            reading.warnings.map(\.reason) == (host == nil ? [.valueNotLiteral(code, key: nil, line: 2)] : []))
    }

    /// The host of an entry as a message of Objective-C.
    @Test func readsKeysThatAreMessages() throws {
        let text = """
            NSDictionary *c = @{ kTSKPinnedDomains : @{
              [Hosts nameOf:@"b"] : @{ kTSKPublicKeyHashes : @[ @"\(Apple.x1)", @"\(Apple.x2)" ] },
              @"a.example" : @{ kTSKPublicKeyHashes : @[ @"\(Apple.x1)", [Pins backup], @"\(Apple.x2)" ] } } };
            """
        let reading = try TrustKitFormat.read(Array(text.utf8))
        #expect(reading.set.entries.map(\.host) == ["a.example"])
        #expect(reading.set.entries.first?.pins.count == 2)
        #expect(
            reading.warnings.map(\.reason) == [
                .valueNotLiteral("[Hosts nameOf:@\"b\"]", key: nil, line: 2),
                .valueNotLiteral("[Pins backup]", key: "TSKPublicKeyHashes", line: 3),
            ])
    }

    @Test func readsEveryDictionaryOfAFile() throws {
        let text = """
            kTSKPinnedDomains: ["a.example": [kTSKPublicKeyHashes: ["\(Apple.x1)", "\(Apple.x2)"]]]
            kTSKPinnedDomains: ["a.example": [kTSKPublicKeyHashes: ["\(Apple.key)", "\(Apple.x2)"]],
                "b.example": [kTSKPublicKeyHashes: ["\(Apple.x1)", "\(Apple.x2)"]]]
            """
        let reading = try TrustKitFormat.read(Array(text.utf8))
        #expect(reading.set.entries.map(\.host) == ["a.example", "b.example"])
        #expect(reading.set.entries.first?.pins.map(\.pin.base64) == [Apple.x1, Apple.x2])
        #expect(reading.warnings.map(\.reason) == [.laterEntry(line: 2)])
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
        #expect(try Apple.text(writing) == expected)

        // The host was excluded before and is now pinned.
        let free = try Apple.set(#""free.example.org":["\#(Apple.x1)","\#(Apple.x2)"]"#)
        let pinned = try TrustKitFormat.write(free, into: file)
        #expect(!(try Apple.text(pinned)).contains("ExcludeSubdomainFromParentPolicy"))
        #expect(
            try TrustKitFormat.read(Array(Apple.text(pinned).utf8)).set.entry(for: "free.example.org")?.pins.count == 2)
    }

    /// configuration_utils.m looks a host up in lower case, in A-labels and without a dot at the end.
    @Test(arguments: ["EXAMPLE.org", "example.org."]) func correctsTheSpellingOfAHost(host: String) throws {
        let pins = [Apple.x1, Apple.x2]
        let strings = pins.map { "<string>\($0)</string>" }.joined()
        let list = Array(
            "<dict><key>TSKPinnedDomains</key><dict>\n<key>\(host)</key><dict><key>TSKPublicKeyHashes</key><array>\(strings)</array></dict></dict></dict>"
                .utf8)
        let source = Array("\nkTSKPinnedDomains: [\"\(host)\": [kTSKPublicKeyHashes: \(pins)]]".utf8)
        for file in [list, source] {
            let reading = try TrustKitFormat.read(file)
            #expect(reading.set.entries.first?.pins.map(\.pin.base64) == pins)
            let warning = try #require(reading.warnings.first)
            #expect(reading.warnings.count == 1 && warning.host == host && warning.harm == .unpins)
            guard case .hostSpelling(written: "example.org", _) = warning.reason else {
                Issue.record("\(warning)")
                continue
            }
        }
        let set = try Apple.set(#""example.org":["\#(Apple.x1)","\#(Apple.x2)"]"#)
        let text = try Apple.text(TrustKitFormat.write(set, into: list))
        #expect(text == String(decoding: list, as: UTF8.self).replacing(host, with: "example.org"))
        let written = try TrustKitFormat.read(Array(text.utf8))
        #expect(written.set.entries.map(\.host) == ["example.org"])
        #expect(written.set.entries.first?.pins.map(\.pin.base64) == pins)
        #expect(written.warnings.isEmpty)
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
        check(
            "<key>TSKEnforcePinning</key><array/>", 35,
            #""TSKEnforcePinning" of "a.example" is an array, not true or false"#)
        check("<key>TSKPublicKeyHashes</key><true/>", 36, #""TSKPublicKeyHashes" of "a.example" is true, not an array"#)
    }

    private static func entry(_ members: String) throws -> PinSetReading {
        let text = "<dict><key>TSKPinnedDomains</key><dict><key>a.example</key>\n<dict>\(members)</dict></dict></dict>"
        return try TrustKitFormat.read(Array(text.utf8))
    }

    private static let hashes =
        "<key>TSKPublicKeyHashes</key><array><string>\(Apple.x1)</string><string>\(Apple.x2)</string></array>"

    /// parse_configuration.m: `boolValue` of numbers and strings. The values for strings are in Apple's documentation of
    /// `NSString.boolValue`.
    @Test(arguments: [
        ("<integer>1</integer>", true), ("<integer>0</integer>", false), ("<string>YES</string>", true),
        ("<string>true</string>", true), ("<string>1</string>", true), ("<string>-01</string>", true),
        ("<string>NO</string>", false), ("<string>0</string>", false), ("<string/>", false),
        ("<string>on</string>", false),
    ])
    func readsBooleansAsTrustKitDoes(value: String, isTrue: Bool) throws {
        let reading = try Self.entry("<key>TSKIncludeSubdomains</key>\(value)" + Self.hashes)
        #expect(reading.set.entries.first?.subdomains == (isTrue ? .all : PinSet.Subdomains.none))
    }

    /// parse_configuration.m: if `NSDateFormatter` cannot read a text, there is no date and no error.
    @Test func readsADateThatIsNoneAsNoExpiry() throws {
        let reading = try Self.entry("<key>TSKExpirationDate</key><string>soon</string>" + Self.hashes)
        #expect(reading.set.entries.first?.expires == nil)
        #expect(reading.warnings.map(\.reason) == [.dayNotRead("soon", key: "TSKExpirationDate", line: 2, .isIgnored)])
    }

    /// parse_configuration.m decodes with `initWithBase64EncodedString:options:0`. It ignores the last bits (TrustKit's own tests
    /// have such pins) and accepts no other characters. Any result other than 32 bytes stops the app.
    @Test func decodesPinsAsTrustKitDoes() throws {
        let filler = "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB="
        let read = "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA="
        func hashes(_ text: String) -> String {
            "<key>TSKPublicKeyHashes</key><array><string>\(Apple.x1)</string><string>\(text)</string></array>"
        }
        let first = try Self.entry(hashes(filler))
        #expect(first.set.entries.first?.pins.map(\.pin.base64) == [Apple.x1, read])
        for text in [" \(Apple.x2)", "<Backup SHA256 key>".replacingOccurrences(of: "<", with: "&lt;"), "AAAA"] {
            let reading = try Self.entry(hashes(text))
            #expect(reading.set.entries.first?.pins.map(\.pin.base64) == [Apple.x1])
            #expect(
                reading.warnings.contains {
                    if case .pinLeftOut(_, line: 2, .rejectsFile) = $0.reason { true } else { false }
                }, "\(text)")
        }
        let prefixed = try Self.entry(hashes("sha256/" + Apple.x2))
        #expect(prefixed.set.entries.first?.pins.map(\.pin.base64) == [Apple.x1, Apple.x2])
        #expect(
            prefixed.warnings.contains {
                if case .pinSpelling(_, _, _, line: 2, .rejectsFile?) = $0.reason { true } else { false }
            })
    }

    /// A constant that contains itself as a key, directly, in an array, or through another constant: reading the value stops.
    @Test(arguments: [
        "let config = [config: [kTSKPinnedDomains: [config: config]]]",
        "let config = [[config: [config: [config: 1]]]]\nlet all = [kTSKPinnedDomains: [config: [config: config]]]",
        "let a = [b: 1]\nlet b = [a: 1]\nlet config = [kTSKPinnedDomains: [\"example.org\": [a: [b: 1]]]]",
        "NSDictionary *a = @{ a : @{ kTSKPinnedDomains : @{ a : @[ a ] } } };",
    ])
    func constantsThatContainThemselvesEnd(source: String) {
        let reading = try? TrustKitFormat.read(Array(source.utf8))
        #expect(reading?.set.entries.isEmpty ?? true)
    }
}
