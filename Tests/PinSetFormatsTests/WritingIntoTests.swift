import Foundation
import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

/// Random sets that are written into files with existing pins.
@Suite struct WritingIntoTests {
    static let formats: [PinSetFormat] = [.apple, .android, .trustkit]

    private func read(_ bytes: [UInt8], _ format: PinSetFormat) throws -> PinSet {
        try PinSet.read(bytes, as: format).set
    }

    private static func order(_ left: PinSet.PinnedKey, _ right: PinSet.PinnedKey) -> Bool {
        (left.pin.base64, left.role.rawValue) < (right.pin.base64, right.role.rawValue)
    }

    /// Files with other hosts, and with other pins for the hosts of the set. The result contains the set and the other hosts,
    /// unless they are removed.
    @Test(arguments: formats, [OtherHosts.kept, .removed])
    func readsBackTheSetAndOtherContents(format: PinSetFormat, others: OtherHosts) throws {
        var generator = SeededGenerator(seed: 1)
        var count = 0
        for _ in 0..<TestEnvironment.rounds(300) {
            let old = try GeneratedSets.plain(format).next(&generator)
            var sets = GeneratedSets()
            sets.labels = [nil, "ISRG Root X1"]
            let new = try sets.next(&generator)
            guard let file = try? old.written(as: format).files[0].bytes, let alone = try? new.written(as: format)
            else { continue }
            count += 1
            let writing = try new.written(as: format, into: file, others: others)
            let back = try read(writing.files[0].bytes, format)
            let expected = try read(alone.files[0].bytes, format)
            let before = try read(file, format)
            let rest = before.entries.filter { entry in !expected.entries.contains { $0.name == entry.name } }
            let kept = others == .kept ? rest : []
            #expect(Set(back.entries.map(\.name)) == Set((expected.entries + kept).map(\.name)))
            for entry in back.entries {
                let wanted = try #require((expected.entries + kept).first { $0.name == entry.name })
                // A comment that the set does not contain stays in the file.
                // Pins that stay keep their order in the file.
                let pins = entry.pins.sorted(by: Self.order)
                let others = wanted.pins.sorted(by: Self.order)
                #expect(pins.map(\.pin) == others.map(\.pin))
                #expect(pins.map(\.role) == others.map(\.role))
                for (pin, other) in zip(pins, others) where other.label != nil {
                    #expect(pin.label == other.label)
                }
                #expect(entry.subdomains == wanted.subdomains)
                #expect(entry.expires == wanted.expires)
                #expect(entry.enforce == wanted.enforce)
            }
            for entry in rest {
                let told = writing.warnings.filter { $0.host == entry.host }.map(\.reason)
                #expect(told.contains(.otherHost(others)))
            }
            // A second write changes nothing.
            #expect(
                try new.written(as: format, into: writing.files[0].bytes, others: others).files[0].bytes
                    == writing.files[0].bytes)
        }
        #expect(count > TestEnvironment.rounds(100))
    }

    /// The new label takes the place of the one after the pin, so the comment before it stays a comment, also in the next write.
    @Test func aCommentOfTheUserDoesNotBecomeALabel() throws {
        let (old, pin) = (
            "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=", "diGVwiVYbubAI3RW4hB9xU8e/CH2GnkuvVFZE8zmgzI="
        )
        let set = try PinSet(
            json: Array(#"{"version":1,"hosts":{"a.example":[{"sha256":"\#(pin)","label":"Root 2026"}]}}"#.utf8))
        let file = """
            <network-security-config>
              <domain-config>
                <domain>a.example</domain>
                <pin-set>
                  <!-- Ask before a change. -->
                  <!-- old CA -->
                  <pin digest="SHA-256">\(old)</pin>
                  <pin digest="SHA-256">\(pin)</pin> <!-- new CA -->
                </pin-set>
              </domain-config>
            </network-security-config>

            """
        let first = try set.written(as: .android, into: Array(file.utf8), others: .removed).main
        let text = String(decoding: first, as: UTF8.self)
        #expect(
            text.contains("<!-- Ask before a change. -->") && !text.contains(old) && !text.contains("new CA"), "\(text)"
        )
        #expect(try read(first, .android).entries.flatMap(\.pins).map(\.label) == ["Root 2026"], "\(text)")
        let second = try set.written(as: .android, into: first, others: .removed).main
        #expect(second == first, "\(String(decoding: second, as: UTF8.self))")
    }

    /// The dictionary of a host that the set does not contain, with a key of another program. Apple's systems accept it without pins
    /// (SecPolicy.c, `parseNSPinnedDomains`); TrustKit does not (parse_configuration.m).
    @Test func keepsKeysOfOtherProgramsInRemovedHosts() throws {
        let (pin, other) = (
            "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=", "diGVwiVYbubAI3RW4hB9xU8e/CH2GnkuvVFZE8zmgzI="
        )
        let set = try PinSet(
            json: Array(#"{"version":1,"hosts":{"a.example":["\#(pin)","\#(other)"]}}"#.utf8))
        func file(_ key: String, _ list: String, _ more: String) -> String {
            "<plist version=\"1.0\"><dict>\n<key>\(key)</key><dict>\n<key>b.example</key><dict>\(list)\(more)</dict>\n"
                + "</dict></dict></plist>\n"
        }
        func written(_ text: String, _ format: PinSetFormat) throws -> String {
            let writing = try set.written(as: format, into: Array(text.utf8), others: .removed)
            return String(decoding: writing.main, as: UTF8.self)
        }
        let mine = "<key>Mine</key><string>keep</string>"
        let apple =
            "<key>NSPinnedCAIdentities</key><array><dict><key>SPKI-SHA256-BASE64</key><string>\(pin)</string></dict></array>"
        let left = try written(file("NSPinnedDomains", apple, mine), .apple)
        #expect(left.contains("<key>b.example</key>") && left.contains(mine) && left.contains("a.example"))
        #expect(try read(Array(left.utf8), .apple).entries.map(\.name) == ["a.example"])
        #expect(try !written(file("NSPinnedDomains", apple, ""), .apple).contains("b.example"))

        let trustKit = "<key>TSKPublicKeyHashes</key><array><string>\(pin)</string><string>\(other)</string></array>"
        for list in [trustKit, ""] {
            let error = #expect(throws: PinSetFormatError.self) {
                try written(file("TSKPinnedDomains", list, mine), .trustkit)
            }
            #expect(error?.message.contains("\"Mine\"") == true)
        }
        let settings = "<key>TSKReportUris</key><array/><key>TSKIncludeSubdomains</key><true/>"
        #expect(try !written(file("TSKPinnedDomains", trustKit, settings), .trustkit).contains("b.example"))
    }

    @Test(.enabled(if: ExternalCommand.path(of: "xmllint") != nil)) func writesWellFormedXML() throws {
        let xmllint = try #require(ExternalCommand.path(of: "xmllint"))
        var generator = SeededGenerator(seed: 4)
        try ExternalCommand.withFolder { folder in
            var files: [String] = []
            for index in 0..<30 {
                let set = try GeneratedSets().next(&generator)
                for format in Self.formats {
                    guard let bytes = try? set.written(as: format).files[0].bytes else { continue }
                    let file = folder.appending(path: "\(index)-\(format.rawValue).xml")
                    try Data(bytes).write(to: file)
                    files.append(file.path())
                }
            }
            let run = try ExternalCommand(xmllint, ["--noout", "--nonet"] + files)
            #expect(run.status == 0, "\(run.output)")
            #expect(files.count > 20)
        }
    }

    @Test(.limit(minutes: 2), arguments: formats) func damagedFilesDoNotTrap(format: PinSetFormat) throws {
        let codec = format.codec
        var generator = SeededGenerator(seed: 50)
        let set = try PinSet(
            json: Array(#"{"version":1,"hosts":{"example.org":["C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="]}}"#.utf8)
        )
        let words = [
            "<", ">", "<key>", "</dict>", "<domain>", "<pin-set>", "\"", "[", "]", ":", "//", "<!-- a -->", "<true/>",
        ]
        let folder = Vectors.folder.appending(path: "formats/\(codec.format.rawValue)")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted() {
            let original = [UInt8](try Data(contentsOf: folder.appending(path: name)))
            var accepted = 0
            for _ in 0..<TestEnvironment.rounds(1000) {
                let bytes = generator.damaged(original, words: words)
                _ = codec.recognizes(FileContents(bytes))
                // The file may be invalid. Only a file that was valid before must be valid afterwards.
                let reading = try? codec.read(bytes)
                accepted += reading == nil ? 0 : 1
                guard let writing = try? codec.write(set, into: bytes), let file = writing.files.first else { continue }
                guard reading != nil else { continue }
                let back = try codec.read(file.bytes).set
                #expect(back.entry(for: "example.org") != nil)
            }
            #expect(accepted > TestEnvironment.rounds(10), "\(name)")
        }
    }
}
