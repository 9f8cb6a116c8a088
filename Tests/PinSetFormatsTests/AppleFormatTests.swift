import Foundation
import PropertyLists
import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

@Suite struct AppleFormatTests {
    static let x1 = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="
    static let x2 = "diGVwiVYbubAI3RW4hB9xU8e/CH2GnkuvVFZE8zmgzI="
    static let key = "hUcFFip1z0GOioWs8QmYV5gIdp2/HK7UBvar+BfuTNU="

    static func vector(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: Vectors.folder.appending(path: "formats").appending(path: path)))
    }

    static func set(_ hosts: String) throws -> PinSet {
        try PinSet(json: Array(#"{"version":1,"hosts":{\#(hosts)}}"#.utf8))
    }

    static func text(_ writing: PinSetWriting) throws -> String {
        String(decoding: try #require(writing.files.first).bytes, as: UTF8.self)
    }

    /// Reads a property list with these members of NSPinnedDomains.
    static func read(_ domains: String) throws(PinSetFormatError) -> PinSetReading {
        try AppleFormat.read(
            Array("<plist><dict><key>NSPinnedDomains</key><dict>\n\(domains)</dict></dict></plist>".utf8))
    }

    static func identities(_ pins: String...) -> String {
        "<array>" + pins.map { "<dict><key>SPKI-SHA256-BASE64</key><string>\($0)</string></dict>" }.joined()
            + "</array>"
    }

    @Test(arguments: ["apple/Info.plist", "apple/Info.binary"]) func readsAnInfoPlist(path: String) throws {
        let bytes = try Self.vector(path)
        #expect(AppleFormat.recognizes(FileContents(bytes)))
        #expect(!TrustKitFormat.recognizes(FileContents(bytes)))
        let reading = try AppleFormat.read(bytes)
        #expect(reading.warnings.isEmpty)
        #expect(reading.set.entries.map(\.host) == ["example.org", "leaf.example.net"])
        let first = reading.set.entries[0]
        #expect(first.subdomains == .one)
        #expect(first.pins.map(\.pin.base64) == [Self.x1, Self.x2])
        #expect(first.pins.map(\.role) == [.ca, .ca])
        #expect(first.pins.map(\.label) == (path.hasSuffix("binary") ? [nil, nil] : ["ISRG Root X1", nil]))
        #expect(reading.set.entries[1].pins.map(\.role) == [.leaf])
        #expect(reading.set.entries[1].subdomains == PinSet.Subdomains.none)
    }

    @Test func readsBareDictionaries() throws {
        let host = "<key>example.org</key><dict><key>NSPinnedLeafIdentities</key>\(Self.identities(Self.x1))</dict>"
        for text in [
            "<plist><dict>\(host)</dict></plist>", "<dict>\(host)</dict>",
            "<dict><key>NSPinnedDomains</key><dict>\(host)</dict></dict>",
        ] {
            #expect(try AppleFormat.read(Array(text.utf8)).set.entries.map(\.host) == ["example.org"])
        }
    }

    @Test func writesTheStructureThatAppleDocuments() throws {
        let set = try Self.set(
            #""example.org":{"subdomains":"one","pins":[{"sha256":"\#(Self.x1)","role":"ca","label":"ISRG Root X1"}]}"#)
        let writing = try AppleFormat.write(set)
        #expect(writing.warnings.isEmpty)
        #expect(
            try Self.text(writing) == """
                <?xml version="1.0" encoding="UTF-8"?>
                <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
                <plist version="1.0">
                <dict>
                \t<key>NSAppTransportSecurity</key>
                \t<dict>
                \t\t<key>NSPinnedDomains</key>
                \t\t<dict>
                \t\t\t<key>example.org</key>
                \t\t\t<dict>
                \t\t\t\t<key>NSIncludesSubdomains</key>
                \t\t\t\t<true/>
                \t\t\t\t<key>NSPinnedCAIdentities</key>
                \t\t\t\t<array>
                \t\t\t\t\t<!-- ISRG Root X1 -->
                \t\t\t\t\t<dict>
                \t\t\t\t\t\t<key>SPKI-SHA256-BASE64</key>
                \t\t\t\t\t\t<string>\(Self.x1)</string>
                \t\t\t\t\t</dict>
                \t\t\t\t</array>
                \t\t\t</dict>
                \t\t</dict>
                \t</dict>
                </dict>
                </plist>

                """)
    }

    /// The pins of each list, by their names below, and the warnings.
    private func lists(_ pins: String) throws -> (leaf: [String], ca: [String], warnings: [ConversionWarning]) {
        let names = [Self.x1: "x1", Self.x2: "x2", Self.key: "key"]
        let set = try Self.set(#""example.org":{"pins":[\#(pins)]}"#)
        let writing = try AppleFormat.write(set)
        let root = try PropertyList(Array(Self.text(writing).utf8)).root
        let entry = try #require(root["NSAppTransportSecurity"]?["NSPinnedDomains"]?["example.org"])
        func list(_ key: String) -> [String] {
            (entry[key]?.array ?? []).compactMap { $0["SPKI-SHA256-BASE64"]?.string }.compactMap { names[$0] }
        }
        return (list("NSPinnedLeafIdentities"), list("NSPinnedCAIdentities"), writing.warnings)
    }

    private func pin(_ pin: String, _ role: String, _ state: String = "active") -> String {
        #"{"sha256":"\#(pin)","role":"\#(role)","state":"\#(state)"}"#
    }

    @Test func writesEachPinToTheListThatDoesNotBlockTheHost() throws {
        let backup = try lists(pin(Self.x1, "root") + "," + pin(Self.key, "leaf", "backup"))
        #expect(backup.ca == ["x1"])
        #expect(backup.leaf.isEmpty)
        #expect(backup.warnings.count == 2)
        #expect(backup.warnings.contains { $0.message.contains(Self.key) && $0.message.contains("left out") })
        #expect(backup.warnings.contains { $0.message.contains(Self.x1) && $0.message.contains("\"role\": \"root\"") })

        let backupCA = try lists(pin(Self.x1, "ca", "backup") + "," + pin(Self.key, "leaf"))
        #expect(backupCA.ca.isEmpty)
        #expect(backupCA.leaf == ["key"])

        let both = try lists(pin(Self.x1, "ca") + "," + pin(Self.key, "leaf") + "," + pin(Self.x2, "any"))
        #expect(both.ca == ["x1", "x2"])
        #expect(both.leaf == ["key", "x2"])
        #expect(both.warnings.map(\.reason) == [.bothListsMustMatch])

        let anywhere = try lists(pin(Self.x1, "any") + "," + pin(Self.x2, "any", "backup"))
        #expect(anywhere.ca == ["x1", "x2"])
        #expect(anywhere.leaf.isEmpty)
        #expect(anywhere.warnings.count == 2)

        let withLeaf = try lists(pin(Self.x1, "any") + "," + pin(Self.key, "leaf"))
        #expect(withLeaf.leaf == ["x1", "key"])
        #expect(withLeaf.ca.isEmpty)
        #expect(withLeaf.warnings.count == 1)

        let waiting = try lists(pin(Self.x1, "any") + "," + pin(Self.key, "leaf", "backup"))
        #expect(waiting.ca == ["x1"])
        #expect(waiting.leaf.isEmpty)

        let retired = try lists(pin(Self.x1, "ca") + "," + pin(Self.key, "leaf", "retired"))
        #expect(retired.ca == ["x1"])
        #expect(retired.leaf.isEmpty)
        #expect(
            retired.warnings.map(\.message) == [
                "this format has no field for \"retired\"; the pin \(Self.key) is left out"
            ])
    }

    @Test func warnsOfUnsupportedSettings() throws {
        let set = try PinSet(
            json: Array(
                """
                {"version":1,"other":1,"hosts":{
                "example.org":{"subdomains":"all","expires":"2027-06-01","enforce":false,"anchors":["a.pem"],"x":1,
                "pins":[{"sha256":"\(Self.x1)","role":"ca","notAfter":"2035-06-04","label":"a -- b"}]},
                "a.example.org":{"pins":[{"sha256":"\(Self.x2)","role":"ca"}]},
                "192.0.2.1":["\(Self.x2)"]}}
                """.utf8))
        let warnings = try AppleFormat.write(set).warnings
        #expect(
            warnings.filter { $0.host == nil }.map(\.reason) == [.unknownKey("other")]
        )
        let words = warnings.filter { $0.host == "example.org" }.map(\.message).joined(separator: "\n")
        for word in ["subdomains", "expires", "enforce", "anchors", "a -- b", "\"x\""] {
            #expect(words.contains(word))
        }
        #expect(warnings.filter { $0.host == "example.org" }.count == 6)
        #expect(
            warnings.filter { $0.host == "a.example.org" }.map(\.reason)
                == [.hostListsUnited(with: "example.org")])
        #expect(
            warnings.filter { $0.host == "192.0.2.1" }.map(\.reason) == [.addressNotSupported])
    }

    @Test func rejectsSetsThatWouldPinNothing() throws {
        let retired = try Self.set(#""example.org":{"pins":[{"sha256":"\#(Self.x1)","state":"retired"}]}"#)
        #expect(throws: PinSetFormatError.self) { try AppleFormat.write(retired) }
        let address = try Self.set(#""192.0.2.1":["\#(Self.x1)"]"#)
        #expect(throws: PinSetFormatError.self) { try AppleFormat.write(address) }
    }

    @Test func refusesAHostThatOccursTwice() {
        let leaf = "<key>NSPinnedLeafIdentities</key>\(Self.identities(Self.x1))"
        let error = #expect(throws: PinSetFormatError.self) {
            try Self.read(
                "<key>a.example</key><dict>\(leaf)</dict>\n<key>A.example</key><dict>\(leaf)</dict>")
        }
        #expect(error?.message == #"the host "A.example" occurs twice: first as "a.example""#)
        #expect(error?.line == 3 && error?.column == 1)
    }

    /// SecPolicy.c, `parseNSPinnedDomains`: a list that is present applies even if it is not an array or has no usable element;
    /// then nothing matches. Elements of other types are ignored.
    @Test(arguments: [
        "<array/>", "<true/>", "<array><string/></array>", identities("AAAA"), identities(""), identities("x1"),
    ])
    func leavesOutAHostWhoseListMatchesNothing(list: String) throws {
        let leaf = "<key>NSPinnedLeafIdentities</key>"
        let reading = try Self.read(
            "<key>a.example</key><dict>\(leaf)\(list)</dict><key>b.example</key><dict>\(leaf)\(Self.identities(Self.x1))</dict>"
        )
        #expect(reading.set.entries.map(\.host) == ["b.example"])
        #expect(reading.warnings.contains { $0.host == "a.example" && Self.isBlocked($0) })
        if ["<array/>", "<true/>"].contains(list) { #expect(reading.warnings.map(Self.isBlocked) == [true]) }
    }

    private static func isBlocked(_ warning: ConversionWarning) -> Bool {
        if case .hostBlocked = warning.reason { true } else { false }
    }

    /// The results of `SecBase64Decode` (SecBase64.c of Security-61901), which was run on each spelling. It ignores the last bits
    /// and other characters, and requires the padding.
    @Test(arguments: [
        ("BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB=", "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA="),
        ("C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M==", "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="),
        (" C5+lpZ7tcVwmwQIMcRtPbsQt WLABXhQzejna0wHFr8M=", "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="),
        ("C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=AAAA", "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="),
    ])
    func decodesPinsAsThePlatformDoes(text: String, pin: String) throws {
        let reading = try Self.read(
            "<key>a.example</key><dict><key>NSPinnedLeafIdentities</key>\(Self.identities(text))</dict>")
        #expect(reading.set.entries.first?.pins.map(\.pin.base64) == [pin])
        let read = try #require(Pin(digest: Data(base64Encoded: pin) ?? Data()))
        #expect(reading.warnings.map(\.reason) == [.pinSpelling(text, read, line: 2, nil)])
    }

    /// The same source: these texts never match. pinctl still reads the rest of the file.
    @Test(arguments: ["C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="])
    func namesPinsThatNeverMatch(text: String) throws {
        let reading = try Self.read(
            "<key>a.example</key><dict><key>NSPinnedLeafIdentities</key>\(Self.identities(text, Self.x1))</dict>")
        #expect(reading.set.entries.first?.pins.map(\.pin.base64) == [Self.x1])
        #expect(
            reading.warnings.contains {
                if case .pinLeftOut(_, line: 2, .neverMatches) = $0.reason { true } else { false }
            })
    }

    /// SecPolicy.c compares the key with the host as text, and ignores a value that is not a dictionary.
    @Test func leavesOutKeysThatNeverMatch() throws {
        let leaf = "<key>NSPinnedLeafIdentities</key>\(Self.identities(Self.x1))"
        let reading = try Self.read(
            "<key>a.example</key><string/><key>*.example.org</key><dict>\(leaf)</dict><key>b.example</key><dict/>")
        #expect(reading.set.entries.isEmpty)
        #expect(
            reading.warnings.map(\.host) == [nil, "*.example.org", "b.example", nil])
        #expect(reading.warnings.last?.reason == .nothingPinned)
    }

    /// The members of a dictionary without its tags, as documentation shows them.
    /// App Transport Security looks a host up in A-labels and without a dot at the end, in upper and lower case.
    @Test(arguments: [("example.org.", "example.org"), ("b\u{fc}cher.example", "xn--bcher-kva.example")])
    func correctsTheSpellingOfAHost(host: String, written: String) throws {
        func file(_ host: String) -> [UInt8] {
            let pin = "<dict><key>SPKI-SHA256-BASE64</key><string>\(Self.x1)</string></dict>"
            let value = "<dict><key>NSPinnedCAIdentities</key><array>\(pin)</array></dict>"
            return Array("<dict><key>NSPinnedDomains</key><dict>\n<key>\(host)</key>\(value)</dict></dict>".utf8)
        }
        let reading = try AppleFormat.read(file(host))
        #expect(reading.set.entries.first?.pins.map(\.pin.base64) == [Self.x1])
        #expect(reading.warnings.map(\.reason) == [.hostSpelling(written: written, line: 2)])
        #expect(reading.warnings.map(\.harm) == [.unpins])
        let set = try Self.set("\"\(written)\":[{\"sha256\":\"\(Self.x1)\",\"role\":\"ca\"}]")
        #expect(
            try Self.text(AppleFormat.write(set, into: file(host))) == String(decoding: file(written), as: UTF8.self))
        let upper = try AppleFormat.read(file(written.uppercased()))
        #expect(upper.warnings.isEmpty && upper.set.entries.count == 1)
    }

    @Test func readsAFragment() throws {
        let text =
            "<key>NSAppTransportSecurity</key>\n<dict>\n<key>NSPinnedDomains</key><dict><key>a.example</key><dict>"
            + "<key>NSPinnedLeafIdentities</key>\(Self.identities(Self.x1, "AAAA"))</dict></dict></dict>\n"
        #expect(AppleFormat.recognizes(FileContents(Array(text.utf8))))
        let reading = try AppleFormat.read(Array(text.utf8))
        #expect(reading.set.entries.map(\.host) == ["a.example"])
        #expect(
            reading.warnings.contains {
                if case .pinLeftOut(_, line: 3, .neverMatches) = $0.reason { true } else { false }
            })
        let other = try Self.set(#""a.example":["\#(Self.x2)"]"#)
        let written = try Self.text(try AppleFormat.write(other, into: Array(text.utf8)))
        #expect(written.hasPrefix("<key>NSAppTransportSecurity</key>\n<dict>\n") && written.contains(Self.x2))
        #expect(try AppleFormat.read(Array(written.utf8)).set.entries.first?.pins.map(\.pin.base64) == [Self.x2])
    }

    @Test func warnsOfSettingsThatAPinSetLacks() throws {
        let reading = try Self.read(
            """
            <key>example.org</key><dict><key>NSIncludesSubdomains</key><string>YES</string><key>x</key><true/>
            <key>NSPinnedLeafIdentities</key>\(Self.identities(Self.key, Self.x1))
            <key>NSPinnedCAIdentities</key>\(Self.identities(Self.x1, Self.x2))</dict>
            <key>free.example.org</key><dict/>
            """)
        #expect(reading.warnings.map(\.host) == ["example.org", "example.org", "example.org", "free.example.org"])
        let entry = try #require(reading.set.entries.first)
        #expect(entry.subdomains == PinSet.Subdomains.none)
        #expect(entry.pins.map(\.role) == [.leaf, .any, .ca])
        #expect(entry.pins.map(\.pin.base64) == [Self.key, Self.x1, Self.x2])
    }

    @Test func editsAnInfoPlistInPlace() throws {
        let file = try Self.vector("apple/Info.plist")
        let same = try AppleFormat.read(file).set
        #expect(try AppleFormat.write(same, into: file).files.first?.bytes == file)

        let set = try Self.set(
            #""example.org":{"subdomains":"one","pins":[{"sha256":"\#(Self.x2)","role":"ca"}]},"new.example":{"pins":[{"sha256":"\#(Self.key)","role":"leaf"}]}"#
        )
        let writing = try AppleFormat.write(set, into: file)
        #expect(writing.warnings.map(\.host) == ["leaf.example.net"])
        let removed = """
            \t\t\t\t\t<!-- ISRG Root X1 -->
            \t\t\t\t\t<dict>
            \t\t\t\t\t\t<key>SPKI-SHA256-BASE64</key>
            \t\t\t\t\t\t<string>\(Self.x1)</string>
            \t\t\t\t\t</dict>

            """
        let before = "\t\t\t</dict>\n\t\t</dict>\n\t</dict>\n\t<key>LSRequires"
        let added = """
            \t\t\t<key>new.example</key>
            \t\t\t<dict>
            \t\t\t\t<key>NSPinnedLeafIdentities</key>
            \t\t\t\t<array>
            \t\t\t\t\t<dict>
            \t\t\t\t\t\t<key>SPKI-SHA256-BASE64</key>
            \t\t\t\t\t\t<string>\(Self.key)</string>
            \t\t\t\t\t</dict>
            \t\t\t\t</array>

            """
        let old = String(decoding: file, as: UTF8.self)
        #expect(old.contains(removed) && old.contains(before))
        #expect(
            try Self.text(writing)
                == old.replacing(removed, with: "").replacing(before, with: "\t\t\t</dict>\n" + added + before))

        let empty = "<plist version=\"1.0\">\n<dict>\n    <key>a</key>\n    <true/>\n</dict>\n</plist>\n"
        let outcome = try Self.text(AppleFormat.write(set, into: Array(empty.utf8)))
        #expect(
            outcome.hasPrefix(
                "<plist version=\"1.0\">\n<dict>\n    <key>a</key>\n    <true/>\n    <key>NSAppTransportSecurity</key>\n    <dict>\n        <key>NSPinnedDomains</key>\n"
            ))
    }

    @Test func keepsABinaryFileBinary() throws {
        let file = try Self.vector("apple/Info.binary")
        let set = try Self.set(#""new.example":{"pins":[{"sha256":"\#(Self.key)","role":"leaf"}]}"#)
        let writing = try AppleFormat.write(set, into: file)
        let bytes = try #require(writing.files.first).bytes
        let old = try PropertyList(file).root
        let new = try PropertyList(bytes)
        #expect(new.form == .binary)
        #expect(new.root["CFBundleName"] == old["CFBundleName"])
        #expect(new.root["UIRequiredDeviceCapabilities"] == old["UIRequiredDeviceCapabilities"])
        #expect(
            try AppleFormat.read(bytes).set.entries.map(\.host) == ["example.org", "leaf.example.net", "new.example"])
    }
}
